//! How long one request may take: each phase by itself, and all together.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::task::unconstrained;
use tokio::time::Sleep;

use super::{FetchSettings, Outcome, Timeout};
use crate::clock;

/// See [`Patience::within`]; enough for the runtime to look at its sockets once.
const ONCE_MORE: Duration = Duration::from_millis(20);

/// The limits of the settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    connect: Duration,
    tls: Duration,
    first_byte: Duration,
    idle: Duration,
    total: Duration,
}

impl Limits {
    pub(super) fn new(settings: &FetchSettings) -> Self {
        Self {
            connect: Duration::from_millis(settings.connect_timeout_ms),
            tls: Duration::from_millis(settings.tls_timeout_ms),
            first_byte: Duration::from_millis(settings.first_byte_timeout_ms),
            idle: Duration::from_millis(settings.idle_timeout_ms),
            total: Duration::from_millis(settings.total_timeout_ms),
        }
    }

    fn of(&self, phase: Timeout) -> Duration {
        match phase {
            Timeout::Connect => self.connect,
            Timeout::Tls => self.tls,
            Timeout::FirstByte => self.first_byte,
            Timeout::Idle => self.idle,
            Timeout::Total => self.total,
        }
    }
}

/// A visit's patience with one request at a time. It begins when it is made, and again with each request.
#[derive(Debug)]
pub(super) struct Patience {
    limits: Limits,
    until: Instant,
    alarm: Alarm,
    /// The alarm has not rung for this request.
    may_listen_on: bool,
    /// When the next wait begins, if that is known.
    now: Option<Instant>,
}

/// One timer for all waits of a visit, made when the first has to be waited for. A new one for each would have to be entered and taken
/// out every time; this one is mostly put off, which takes no lock.
#[derive(Debug, Default)]
struct Alarm(Option<Pin<Box<Sleep>>>);

impl Alarm {
    fn poll(&mut self, at: Instant, context: &mut Context<'_>) -> Poll<()> {
        let at = at.into();
        let sleep = self.0.get_or_insert_with(|| Box::pin(clock::sleep_until(at)));
        if sleep.deadline() != at {
            sleep.as_mut().reset(at);
        }
        // Whoever is always busy must not hear it later for that.
        pin!(unconstrained(sleep.as_mut())).poll(context)
    }
}

impl Patience {
    pub(super) fn new(limits: Limits) -> Self {
        let until = clock::instant() + limits.total;
        Self { limits, until, alarm: Alarm::default(), may_listen_on: true, now: None }
    }

    /// With another request, which begins now.
    pub(super) fn begin(&mut self, now: Instant) {
        self.until = now + self.limits.total;
        self.may_listen_on = true;
    }

    /// It is this late, and the next wait begins at once: the clock need not be read again for it.
    pub(super) fn know(&mut self, now: Instant) {
        self.now = Some(now);
    }

    /// What `what` gives, unless the phase or the whole takes too long.
    ///
    /// A process that was stopped (Ctrl-Z and `fg`) or starved hears its alarm before it has looked at its sockets: `epoll_wait` ends with EINTR, and
    /// timers are due at once. What lies there is not late, and must not be asked for again: it listens on for as long as it was deaf,
    /// once a request, so that a trickle gains nothing.
    pub(super) async fn within<T>(
        &mut self,
        phase: Timeout,
        what: impl Future<Output = T>,
    ) -> Result<T, Outcome> {
        let limit = self.now.take().unwrap_or_else(clock::instant) + self.limits.of(phase);
        let (mut until, phase) =
            if self.until < limit { (self.until, Timeout::Total) } else { (limit, phase) };
        let mut what = pin!(what);
        poll_fn(|context| {
            loop {
                if let Poll::Ready(done) = what.as_mut().poll(context) {
                    return Poll::Ready(Some(done));
                }
                ready!(self.alarm.poll(until, context));
                if !std::mem::take(&mut self.may_listen_on) {
                    return Poll::Ready(None);
                }
                let now = clock::instant();
                until = now + ONCE_MORE.max(now.saturating_duration_since(until));
            }
        })
        .await
        .ok_or(Outcome::TimedOut(phase))
    }

    /// Waits for something of our own, which is nobody else's fault: it does not count.
    pub(super) async fn suspend<T>(&mut self, what: impl Future<Output = T>) -> T {
        let before = clock::instant();
        let done = what.await;
        self.until += before.elapsed();
        done
    }
}

/// As timings tell it.
pub(super) fn micros(took: Duration) -> u32 {
    u32::try_from(took.as_micros()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_in_its_own_time_whatever_was_waited_for_before() {
        let (short, long) = (Duration::from_millis(1), Duration::from_secs(3_600));
        let limits = Limits { connect: long, tls: long, first_byte: long, idle: short, total: long };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut patience = Patience::new(limits);
            for _ in 0..2 {
                tokio::select! {
                    biased;
                    _ = patience.within(Timeout::FirstByte, std::future::pending::<()>()) => unreachable!("an hour"),
                    () = std::future::ready(()) => {}
                }
                let late = patience.within(Timeout::Idle, std::future::pending::<()>()).await;
                assert!(matches!(late, Err(Outcome::TimedOut(Timeout::Idle))));
                patience.begin(clock::instant());
            }
            let mut patience = Patience::new(Limits { total: short, ..limits });
            let late = patience.within(Timeout::FirstByte, std::future::pending::<()>()).await;
            assert!(matches!(late, Err(Outcome::TimedOut(Timeout::Total))));
            assert_eq!(patience.within(Timeout::FirstByte, std::future::ready(1)).await.unwrap(), 1);
        });
    }

    #[test]
    #[allow(
        clippy::disallowed_methods,
        reason = "a thread that sleeps is as deaf as a process that was stopped"
    )]
    fn what_came_while_the_process_could_not_listen_is_heard() {
        let (short, long) = (Duration::from_millis(5), Duration::from_secs(3_600));
        let limits = Limits { connect: long, tls: long, first_byte: short, idle: long, total: long };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (tell, told) = tokio::sync::oneshot::channel();
            tokio::spawn(async move {
                clock::sleep(Duration::from_millis(10)).await;
                tell.send(7).unwrap();
            });
            tokio::task::yield_now().await; // its timer runs now
            let mut patience = Patience::new(limits);
            // Both timers are overdue when the thread wakes up; ours is looked at first.
            let asleep = async { std::thread::sleep(Duration::from_millis(50)) };
            let (heard, ()) = tokio::join!(patience.within(Timeout::FirstByte, told), asleep);
            assert_eq!(heard.unwrap().unwrap(), 7);
        });
    }

    #[test]
    fn a_trickle_is_given_more_time_once_a_request() {
        let (short, long) = (Duration::from_millis(1), Duration::from_secs(3_600));
        let limits = Limits { connect: long, tls: long, first_byte: long, idle: long, total: short };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut patience = Patience::new(limits);
            let mut drops = 0;
            while patience.within(Timeout::Idle, clock::sleep(Duration::from_millis(2))).await.is_ok() {
                drops += 1;
                assert!(drops < 100, "it goes on for ever");
            }
        });
    }
}
