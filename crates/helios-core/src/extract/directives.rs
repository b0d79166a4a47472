//! What a page says about itself to robots: `<meta name=robots>` and `X-Robots-Tag`.

/// May the page be kept, may its links be followed?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Directives {
    pub(super) index: bool,
    pub(super) follow: bool,
}

impl Directives {
    pub(super) const FREE: Self = Self { index: true, follow: true };

    fn restrict(&mut self, word: &str) {
        match word.trim().to_ascii_lowercase().as_str() {
            "noindex" => self.index = false,
            "nofollow" => self.follow = false,
            "none" => *self = Self { index: false, follow: false },
            _ => {}
        }
    }
}

/// The content of a meta tag that is addressed to us.
pub(super) fn of_meta(mut so_far: Directives, content: &str) -> Directives {
    content.split(',').for_each(|word| so_far.restrict(word));
    so_far
}

/// The X-Robots-Tag values of an answer: each speaks for itself.
pub(super) fn of_headers(values: &[String], token: &str) -> Directives {
    values.iter().fold(Directives::FREE, |so_far, value| of_header(so_far, value, token))
}

/// `name: rules` speaks to that crawler alone, until the next name.
fn of_header(mut directives: Directives, value: &str, token: &str) -> Directives {
    let mut for_us = true;
    for part in value.split(',') {
        let word = match part.split_once(':') {
            // These carry a value of their own and name no crawler; nor does the second half of a date.
            Some((name, _)) if is_valued(name) || name.trim().contains(' ') => continue,
            Some((name, word)) => {
                for_us = name.trim().eq_ignore_ascii_case(token);
                word
            }
            None => part,
        };
        if for_us {
            directives.restrict(word);
        }
    }
    directives
}

fn is_valued(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    matches!(name.as_str(), "max-snippet" | "max-image-preview" | "max-video-preview" | "unavailable_after")
}
