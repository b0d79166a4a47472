//! HTTP/2 (RFC 9113) over h2, one request at a time, driven by whoever asks: no task of its own, so nothing outlives it.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use h2::client::{Builder, Connection, ResponseFuture, SendRequest};
use h2::{Error, Reason, RecvStream};
use http::{Request, Response};

use super::connection::MOST_INTERIM;
use super::stream::Stream;
use super::{FetchSettings, Outcome};

/// What a server may send before we have read it. One stream at a time: 10 MB/s at 25 ms, and all that is ever buffered.
const WINDOW: u32 = 256 * 1024;

pub(super) struct Http2 {
    sender: SendRequest<Bytes>,
    /// Gone once it has ended, however: only its end tells streams that still wait, and the connection is of no more use.
    driver: Option<Connection<Stream, Bytes>>,
    /// The last answer was left before its end.
    pub(super) owes_an_end: bool,
}

/// Why there is no head of an answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// The connection went away. If it was kept from before, the server may have ended it just then (RFC 9112 §9.3.1).
    Unanswered(String),
    /// The server says that it did nothing with the request (RFC 9113 §8.7).
    Refused(String),
    Of(Outcome),
}

impl Http2 {
    pub(super) async fn shake_hands(stream: Stream, settings: &FetchSettings) -> Result<Self, Outcome> {
        let list = u32::try_from(settings.max_head_bytes).unwrap_or(u32::MAX);
        let shaken = Builder::new()
            .enable_push(false)
            .initial_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .max_frame_size(16 * 1024)
            .max_header_list_size(list)
            .max_concurrent_reset_streams(4)
            .max_local_error_reset_streams(Some(16))
            .max_send_buffer_size(16 * 1024)
            .handshake(stream)
            .await;
        let (sender, driver) = shaken.map_err(|error| Outcome::Unreachable(format!("HTTP/2: {error}")))?;
        Ok(Self { sender, driver: Some(driver), owes_an_end: false })
    }

    pub(super) fn is_over(&self) -> bool {
        self.driver.is_none()
    }

    /// Hears what the server said while nobody listened.
    pub(super) fn is_open(&mut self, context: &mut Context<'_>) -> bool {
        attend(&mut self.driver, context);
        !self.is_over()
    }

    /// Returns when the head of the answer is there.
    pub(super) async fn ask(&mut self, request: Request<()>) -> Result<Response<RecvStream>, Failure> {
        let Self { sender, driver, .. } = self;
        drive(driver, |context| sender.poll_ready(context)).await.map_err(unanswered)?;
        let (mut answer, _) = sender.send_request(request, true).map_err(unanswered)?;
        let mut interim = 0;
        drive(driver, |context| poll_answer(&mut answer, &mut interim, context)).await
    }

    /// The next piece of the body; none at its end.
    pub(super) async fn more(&mut self, body: &mut RecvStream) -> Result<Option<Bytes>, Outcome> {
        let broken = |error: &Error| Outcome::Broken(format!("HTTP/2: {}", explain(error)));
        let piece = drive(&mut self.driver, |context| body.poll_data(context)).await;
        let Some(piece) = piece.transpose().map_err(|error| broken(&error))? else { return Ok(None) };
        body.flow_control().release_capacity(piece.len()).map_err(|error| broken(&error))?;
        Ok(Some(piece))
    }

    /// Answers pings and learns of the end while nothing is asked. Never returns otherwise.
    pub(super) async fn rest(&mut self) {
        if let Some(driver) = &mut self.driver {
            // How it ended matters to nobody: no request was on it.
            drop(Pin::new(driver).await);
            self.driver = None;
        }
    }
}

fn poll_answer(
    answer: &mut ResponseFuture,
    interim: &mut u32,
    context: &mut Context<'_>,
) -> Poll<Result<Response<RecvStream>, Failure>> {
    while let Poll::Ready(Some(Ok(_))) = answer.poll_informational(context) {
        *interim += 1;
        if *interim > MOST_INTERIM {
            let why = format!("more than {MOST_INTERIM} interim answers");
            return Poll::Ready(Err(Failure::Of(Outcome::Broken(why))));
        }
    }
    Pin::new(answer).poll(context).map_err(unanswered)
}

/// Polls `what` and the connection together until `what` is ready.
async fn drive<T>(
    driver: &mut Option<Connection<Stream, Bytes>>,
    mut what: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> T {
    std::future::poll_fn(|context| {
        if let Poll::Ready(done) = what(context) {
            return Poll::Ready(done);
        }
        attend(driver, context);
        what(context)
    })
    .await
}

/// Lets the connection hear and say what is due.
fn attend(driver: &mut Option<Connection<Stream, Bytes>>, context: &mut Context<'_>) {
    if driver.as_mut().is_some_and(|driver| Pin::new(driver).poll(context).is_ready()) {
        *driver = None;
    }
}

/// What an error before the head means.
#[allow(clippy::needless_pass_by_value, reason = "it is the end of the error, and what map_err hands on")]
fn unanswered(error: Error) -> Failure {
    let text = explain(&error);
    let refused = error.is_remote() && error.reason() == Some(Reason::REFUSED_STREAM);
    let going = error.is_remote() && error.is_go_away() && error.reason() == Some(Reason::NO_ERROR);
    if refused || going {
        Failure::Refused(text)
    } else if error.is_io() || (error.is_remote() && error.is_go_away()) {
        Failure::Unanswered(text)
    } else if error.is_remote() {
        Failure::Of(Outcome::Unreachable(text))
    } else {
        Failure::Of(Outcome::Broken(format!("HTTP/2: {text}")))
    }
}

fn explain(error: &Error) -> String {
    let reason = error.reason().map(|reason| format!("{reason:?}")).unwrap_or_default();
    match error.get_io() {
        Some(io) => format!("the connection broke: {io}"),
        None if error.is_remote() && error.is_reset() => format!("the server reset the stream ({reason})"),
        None if error.is_remote() && error.is_go_away() => format!("the server said goodbye ({reason})"),
        None => error.to_string(),
    }
}
