//! The public suffix list: a host in, its registrable domain out.
//!
//! A crate of its own because the list compiles to two megabytes of code: half of the time that the core took to build.

/// The registrable domain of a host in lower case; none if the host is a public suffix itself.
///
/// Never inlined: the list would be compiled again wherever it is asked.
#[inline(never)]
pub fn registrable(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

#[cfg(test)]
mod tests {
    use super::registrable;

    #[test]
    fn a_registrable_domain_is_one_label_below_its_suffix() {
        assert_eq!(registrable("a.b.example.co.uk"), Some("example.co.uk"));
        assert_eq!(registrable("someone.github.io"), Some("someone.github.io"));
        assert_eq!(registrable("co.uk"), None);
    }
}
