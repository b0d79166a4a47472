//! The candidates of a `srcset` (WHATWG HTML §4.8.4.2.2).

/// The references of the list, without their descriptors.
pub(super) fn references(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|char: char| char.is_ascii_whitespace() || char == ',');
        let end = rest.find(|char: char| char.is_ascii_whitespace()).unwrap_or(rest.len());
        let (url, after) = rest.split_at_checked(end).filter(|(url, _)| !url.is_empty())?;
        let alone = url.trim_end_matches(',');
        rest = if alone.len() < url.len() { after } else { after_descriptors(after) };
        Some(alone)
    })
    .filter(|reference| !reference.is_empty())
}

/// What follows the comma that ends the descriptors; commas in brackets do not.
fn after_descriptors(text: &str) -> &str {
    let mut inside = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => inside = true,
            b')' => inside = false,
            b',' if !inside => return text.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    #[test]
    fn whatwg_a_srcset_lists_references_and_descriptors() {
        for (list, references) in [
            ("a.jpg, b.jpg 2x", vec!["a.jpg", "b.jpg"]),
            ("a.jpg 100w,b.jpg 200w , c,d.jpg 1x", vec!["a.jpg", "b.jpg", "c,d.jpg"]),
            (" ,, a.jpg (1,2) ,b.jpg", vec!["a.jpg", "b.jpg"]),
            ("data:image/png;base64,AAAA 1x", vec!["data:image/png;base64,AAAA"]),
            ("", vec![]),
            (" , ", vec![]),
        ] {
            assert_eq!(super::references(list).collect::<Vec<_>>(), references, "{list:?}");
        }
    }
}
