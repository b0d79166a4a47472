//! JSON as pages carry it: text in, a value out, mistakes forgiven.
//!
//! Comments, trailing and missing commas, single quotes, raw line breaks in strings, names without quotes, control characters
//! and a missing end are all read for what was meant. Always: one pass, nesting at most 128 deep (what is deeper is null), and the order
//! of names is kept. `read` makes values, `write` makes text of them again.

mod read;
mod write;

pub(crate) use read::{all, first};

#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) enum Value {
    #[default]
    Null,
    Bool(bool),
    /// As written, and a valid JSON number.
    Number(String),
    String(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The last member of that name, as most readers take it.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let Value::Object(members) = self else { return None };
        members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = self { Some(text) } else { None }
    }

    /// A string, or a number as it was written.
    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Value::String(text) | Value::Number(text) = self { Some(text) } else { None }
    }

    /// The elements of an array; any other value is its only element, null is none.
    pub(crate) fn items(&self) -> &[Value] {
        match self {
            Value::Array(items) => items,
            Value::Null => &[],
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                std::slice::from_ref(self)
            }
        }
    }

    /// A member that is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_text().map(str::trim).filter(|text| !text.is_empty())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::String(text)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::Array(items)
    }
}
