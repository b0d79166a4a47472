//! What is sent: the same fields to everyone, then those that only this site or this URL gets.

use http::HeaderValue;

use super::auth::Auth;
use super::cookies::Cookies;
use super::filter::TypeFilter;
use super::http1::{Fields, Lines, Request};
use super::proxy::Via;
use super::{FetchSettings, Task, headers};
use crate::clock;
use crate::error::Error;
use crate::url::{Origin, SiteKey};

const CODINGS: &str = "gzip, br, zstd, deflate";

/// Knows what to say to whom.
#[derive(Debug)]
pub(super) struct Speaker {
    /// Name and value, to everyone.
    common: Vec<(String, HeaderValue)>,
    /// The same as lines of HTTP/1.1, checked once.
    lines: Lines,
    auth: Auth,
    cookies: Option<Cookies>,
}

impl Speaker {
    pub(super) fn new(settings: &FetchSettings, filter: &TypeFilter) -> Result<Self, Error> {
        let agent = HeaderValue::try_from(settings.user_agent.as_str()).map_err(|_| {
            Error::Settings("fetch.user_agent: it has a character that no header may have".to_owned())
        })?;
        let accept = HeaderValue::try_from(filter.header())
            .map_err(|_| Error::Settings("fetch.accept: it is no header".to_owned()))?;
        let mut common = vec![
            ("User-Agent".to_owned(), agent),
            ("Accept".to_owned(), accept),
            ("Accept-Encoding".to_owned(), HeaderValue::from_static(CODINGS)),
        ];
        let checked = headers::custom(&settings.headers)?;
        let written = |name: &String| Some((name.clone(), checked.get(name.as_str())?.clone()));
        common.extend(settings.headers.keys().filter_map(written));
        let lines = Lines::new(common.iter().map(|(name, value)| (name.as_str(), value.as_bytes())))
            .map_err(|error| Error::Settings(format!("fetch.headers: {error}")))?;
        let cookies = settings.cookies.then(Cookies::default);
        Ok(Self { common, lines, auth: Auth::new(&settings.auth)?, cookies })
    }

    pub(super) fn http1(
        &self,
        task: &Task,
        (origin, via): (&Origin, Option<&Via>),
        site: &SiteKey,
    ) -> Result<Vec<u8>, String> {
        let unspeakable = |error: super::http1::Unspeakable| error.to_string();
        let url = task.permit.url();
        let target = if via.is_some_and(Via::forwards) { url.as_str() } else { url.target() };
        let mut request = Request::get(target, url.authority()).map_err(unspeakable)?;
        if let Some(login) = via.and_then(Via::authorization) {
            request = request.header("Proxy-Authorization", login.as_bytes()).map_err(unspeakable)?;
        }
        request = request.lines(&self.lines);
        for (name, value) in self.special(task, origin, site) {
            request = request.header(name, value.as_bytes()).map_err(unspeakable)?;
        }
        Ok(request.finish())
    }

    pub(super) fn http2(
        &self,
        task: &Task,
        origin: &Origin,
        site: &SiteKey,
    ) -> Result<http::Request<()>, String> {
        let mut builder = http::Request::get(task.permit.url().as_str()).version(http::Version::HTTP_2);
        for (name, value) in &self.common {
            builder = builder.header(name, value.clone());
        }
        for (name, value) in self.special(task, origin, site) {
            builder = builder.header(name, value);
        }
        builder.body(()).map_err(|error| format!("cannot be asked for: {error}"))
    }

    /// What the answer wants to be remembered.
    pub(super) fn listen(&self, task: &Task, site: &SiteKey, fields: &Fields) {
        if let Some(cookies) = &self.cookies {
            cookies.store(site, task.permit.url(), fields.all("set-cookie"), clock::now());
        }
    }

    fn special(&self, task: &Task, origin: &Origin, site: &SiteKey) -> Vec<(&'static str, HeaderValue)> {
        let mut fields = Vec::new();
        let validator = |text: &str| HeaderValue::try_from(text).ok();
        let etag = task.validators.etag.as_deref().and_then(validator);
        let date = task.validators.last_modified.as_deref().and_then(validator);
        let cookies = self.cookies.as_ref();
        fields.extend(etag.map(|value| ("If-None-Match", value)));
        fields.extend(date.map(|value| ("If-Modified-Since", value)));
        fields.extend(self.auth.header(origin).map(|value| ("Authorization", value.clone())));
        let url = task.permit.url();
        fields.extend(
            cookies.and_then(|jars| jars.header(site, url, clock::now())).map(|value| ("Cookie", value)),
        );
        fields
    }
}

#[cfg(test)]
mod tests {
    use crate::url::CanonicalUrl;

    #[test]
    fn every_url_that_can_be_crawled_is_a_uri_for_http2() {
        let odd: String = (0x21..0x7f).map(char::from).filter(|letter| !"#?%/".contains(*letter)).collect();
        let url = CanonicalUrl::parse(&format!("https://a.example/{odd}?{odd}")).unwrap();
        let uri: http::Uri = url.as_str().parse().unwrap();
        assert_eq!(uri.path_and_query().unwrap().as_str(), url.target());
    }
}
