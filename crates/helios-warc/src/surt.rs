//! SURT: a URL turned so that an index sorted by it has the pages of a site together, in the spelling by which replay tools look for it.
//!
//! Host names from the end, without `www.`; no scheme, login, default port or fragment; lower case; arguments in order; no slash at the end; no session
//! ids. Two URLs that differ only in these have one entry, as in the indexes of other archives.

/// Letters or digits of the session ids that are dropped.
const SESSION: usize = 32;

pub fn surt(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_ascii_lowercase() };
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let (path, query) = after.split_once('?').unwrap_or((after, ""));
    let mut turned = host(authority, scheme);
    turned.push(')');
    turned.push_str(&self::path(path));
    let query = self::query(query);
    if !query.is_empty() {
        turned.push('?');
        turned.push_str(&query);
    }
    turned
}

fn host(authority: &str, scheme: &str) -> String {
    let own = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let (name, port) = match own.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port),
        _ => (own.as_str(), ""),
    };
    let mut turned = without_www(name).rsplit('.').collect::<Vec<_>>().join(",");
    let is_usual = matches!((scheme, port), (_, "") | ("http", "80") | ("https", "443"));
    if !is_usual {
        turned.push(':');
        turned.push_str(port);
    }
    turned
}

/// Also without `www2.`.
fn without_www(name: &str) -> &str {
    let bare =
        name.strip_prefix("www").map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    bare.and_then(|rest| rest.strip_prefix('.')).unwrap_or(name)
}

fn path(path: &str) -> String {
    let lower = path.to_ascii_lowercase();
    let kept = lower.strip_suffix('/').unwrap_or(&lower);
    if kept.is_empty() { "/".to_owned() } else { kept.to_owned() }
}

fn query(query: &str) -> String {
    let lower = query.to_ascii_lowercase();
    let mut arguments: Vec<(&str, Option<&str>)> = lower
        .split('&')
        .filter(|argument| !is_session(argument))
        .map(|argument| {
            argument.split_once('=').map_or((argument, None), |(name, value)| (name, Some(value)))
        })
        .collect();
    arguments.sort_unstable();
    let one = |(name, value): (&str, Option<&str>)| match value {
        Some(value) => format!("{name}={value}"),
        None => name.to_owned(),
    };
    arguments.into_iter().map(one).collect::<Vec<_>>().join("&")
}

fn is_session(argument: &str) -> bool {
    argument.split_once('=').is_some_and(|(name, value)| {
        matches!(name, "jsessionid" | "phpsessid" | "sid")
            && value.len() == SESSION
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_turned_as_other_archives_turn_them() {
        for (url, turned) in [
            ("http://example.com/", "com,example)/"),
            ("https://www2.Example.COM:443/A/B/?b=2&a=1&a", "com,example)/a/b?a&a=1&b=2"),
            ("http://user:pass@example.com:8080/x", "com,example:8080)/x"),
            ("http://example.com:443/", "com,example:443)/"),
            ("http://example.com/?", "com,example)/"),
            ("http://example.com?q", "com,example)/?q"),
            ("http://wwwexample.com/a//", "com,wwwexample)/a/"),
            ("http://127.0.0.1:8080/", "1,0,0,127:8080)/"),
            ("http://[::1]/", "[::1])/"),
            ("http://example.com/x?sid=0123456789abcdef0123456789abcdef&p=1#end", "com,example)/x?p=1"),
            ("dns:example.com", "dns:example.com"),
        ] {
            assert_eq!(surt(url), turned, "{url}");
        }
    }
}
