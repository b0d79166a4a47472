//! The way to an origin: a connection to one of its addresses or to a proxy, and TLS where the origin wants it.

use rustls_pki_types::ServerName;

use super::ahead::Ahead;
use super::connection::timed;
use super::dial::{DialFailure, Dialled, dial};
use super::fetcher::Tools;
use super::patience::{Patience, micros};
use super::proxy::Way;
use super::stream::Stream;
use super::{Outcome, Timeout, Timings, tls};
use crate::url::{Origin, SiteKey};

/// A stream on which the origin can be asked: direct, or through a proxy.
pub(super) async fn open(
    origin: &Origin,
    site: &SiteKey,
    tools: &Tools,
    patience: &mut Patience,
    timings: &mut Timings,
) -> Result<Way, Outcome> {
    let way = match tools.proxies.pool_of(origin) {
        Some(pool) => tools.proxies.open((pool, origin, site), tools, patience, timings).await?,
        None => direct(origin, tools, patience, timings).await?,
    };
    if !origin.https {
        return Ok(way);
    }
    let securing = patience.within(Timeout::Tls, secure(way.stream, origin, tools));
    let stream = timed(&mut timings.tls, securing).await??;
    Ok(Way { stream, ..way })
}

async fn direct(
    origin: &Origin,
    tools: &Tools,
    patience: &mut Patience,
    timings: &mut Timings,
) -> Result<Way, Outcome> {
    let dialled = patience.within(Timeout::Total, dial(&origin.host, origin.port, &tools.dialer)).await?;
    let Dialled { stream, address, timings: took } =
        dialled.map_err(|failure| outcome_of(&failure, origin))?;
    timings.resolve = micros(took.dns);
    timings.connect = micros(took.connect);
    Ok(Way { stream: Stream::Plain(stream), address: Some(address), via: None })
}

/// What became of dialling, as an outcome.
fn outcome_of(failure: &DialFailure, origin: &Origin) -> Outcome {
    match failure {
        DialFailure::Unresolved(error) => Outcome::Unresolved(*error),
        DialFailure::Forbidden { address, range } => {
            Outcome::ForbiddenAddress(format!("{} is at {address} ({range})", origin.host))
        }
        DialFailure::Unreachable { error, .. } => Outcome::Unreachable(error.to_string()),
        DialFailure::TimedOut => Outcome::TimedOut(Timeout::Connect),
    }
}

async fn secure(stream: Stream, origin: &Origin, tools: &Tools) -> Result<Stream, Outcome> {
    let name = ServerName::try_from(origin.host.trim_matches(['[', ']']).to_owned())
        .map_err(|error| Outcome::Unreachable(format!("TLS: {error}")))?;
    let secured = match stream {
        Stream::Plain(stream) => {
            tools.tls.connect(name, Ahead::new(stream)).await.map(|stream| Stream::Tls(Box::new(stream)))
        }
        Stream::Tls(stream) => {
            tools.tls.connect(name, *stream).await.map(|stream| Stream::Nested(Box::new(stream)))
        }
        Stream::Nested(_) => return Err(Outcome::Unreachable("TLS: three times over".to_owned())),
    };
    secured.map_err(|error| tls::explain(&error))
}
