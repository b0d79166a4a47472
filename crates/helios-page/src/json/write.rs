//! A value as compact JSON.

use std::fmt::{self, Display, Formatter, Write};

use super::Value;

impl Display for Value {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => to.write_str("null"),
            Value::Bool(true) => to.write_str("true"),
            Value::Bool(false) => to.write_str("false"),
            Value::Number(number) => to.write_str(number),
            Value::String(text) => string(text, to),
            Value::Array(items) => {
                to.write_char('[')?;
                for (nth, item) in items.iter().enumerate() {
                    if nth > 0 {
                        to.write_char(',')?;
                    }
                    item.fmt(to)?;
                }
                to.write_char(']')
            }
            Value::Object(members) => {
                to.write_char('{')?;
                for (nth, (name, value)) in members.iter().enumerate() {
                    if nth > 0 {
                        to.write_char(',')?;
                    }
                    string(name, to)?;
                    to.write_char(':')?;
                    value.fmt(to)?;
                }
                to.write_char('}')
            }
        }
    }
}

fn string(text: &str, to: &mut Formatter<'_>) -> fmt::Result {
    to.write_char('"')?;
    let mut plain = 0;
    for (at, letter) in
        text.char_indices().filter(|(_, letter)| matches!(letter, '"' | '\\') || *letter < ' ')
    {
        to.write_str(text.get(plain..at).unwrap_or_default())?;
        match letter {
            '\n' => to.write_str("\\n")?,
            '\r' => to.write_str("\\r")?,
            '\t' => to.write_str("\\t")?,
            '"' | '\\' => write!(to, "\\{letter}")?,
            _ => write!(to, "\\u{:04x}", u32::from(letter))?,
        }
        plain = at + letter.len_utf8();
    }
    to.write_str(text.get(plain..).unwrap_or_default())?;
    to.write_char('"')
}
