//! The way to an origin: a connection to one of its addresses, and TLS where the origin wants it. A proxy would be put in
//! here, between the two.

use std::net::IpAddr;

use rustls_pki_types::ServerName;
use tokio::net::TcpStream;

use super::connection::timed;
use super::dial::{DialFailure, Dialled, dial};
use super::fetcher::Tools;
use super::patience::{Patience, micros};
use super::stream::Stream;
use super::{Outcome, Timeout, Timings, tls};
use crate::url::Origin;

/// A stream on which the origin can be asked, and the address that it leads to.
pub(super) async fn open(
    origin: &Origin,
    tools: &Tools,
    patience: &Patience,
    timings: &mut Timings,
) -> Result<(Stream, IpAddr), Outcome> {
    let dialled = patience.within(Timeout::Total, dial(&origin.host, origin.port, &tools.dialer)).await?;
    let Dialled { stream, address, timings: took } =
        dialled.map_err(|failure| outcome_of(&failure, origin))?;
    timings.resolve = micros(took.dns);
    timings.connect = micros(took.connect);
    if !origin.https {
        return Ok((Stream::Plain(stream), address));
    }
    let secured =
        timed(&mut timings.tls, patience.within(Timeout::Tls, secure(stream, origin, tools))).await??;
    Ok((secured, address))
}

/// What became of dialling, as an outcome.
fn outcome_of(failure: &DialFailure, origin: &Origin) -> Outcome {
    match failure {
        DialFailure::Unresolved(error) => Outcome::Unresolved(error.to_string()),
        DialFailure::Forbidden { address, range } => {
            Outcome::ForbiddenAddress(format!("{} is at {address} ({range})", origin.host))
        }
        DialFailure::Unreachable { error, .. } => Outcome::Unreachable(error.to_string()),
        DialFailure::TimedOut => Outcome::TimedOut(Timeout::Connect),
    }
}

async fn secure(stream: TcpStream, origin: &Origin, tools: &Tools) -> Result<Stream, Outcome> {
    let name = ServerName::try_from(origin.host.trim_matches(['[', ']']).to_owned())
        .map_err(|error| Outcome::Unreachable(format!("TLS: {error}")))?;
    match tools.tls.connect(name, stream).await {
        Ok(stream) => Ok(Stream::Tls(Box::new(stream))),
        Err(error) => Err(tls::explain(&error)),
    }
}
