//! One UDP port that leads to one server: many questions at once, told apart by id and by their own letters.
//!
//! A forged answer must guess the port, the id and the letters of one question. Ports are the kernel's random ones, and a line
//! serves a few thousand questions before another one takes its place.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::UdpSocket;
use tokio::runtime::Handle;
use tokio::sync::oneshot::{Receiver, Sender, channel};
use tokio::task::AbortHandle;

use super::wire::{self, Match, Query};

/// Questions asked through one port.
const MOST_QUESTIONS: u32 = 4_096;
/// More than any answer on UDP that we ask for.
const BUFFER: usize = 4_096;

/// What came back for one question.
#[derive(Debug)]
pub(super) enum Heard {
    Message(Vec<u8>),
    /// Our question in other letters: to be asked where nobody can forge.
    OtherCase,
    /// The machine says that nobody listens there.
    Refused,
}

#[derive(Debug)]
pub(super) struct Line {
    shared: Arc<Shared>,
    asked: AtomicU32,
    reader: AbortHandle,
}

/// What the reading task and those who ask have in common.
#[derive(Debug)]
struct Shared {
    /// Connected, so that the kernel drops what comes from elsewhere.
    socket: UdpSocket,
    /// Filled by those who ask, emptied by the reader and by those who stop waiting.
    waiting: Mutex<HashMap<u16, Waiting>>,
}

#[derive(Debug)]
struct Waiting {
    serial: u32,
    question: Box<[u8]>,
    tell: Sender<Heard>,
}

/// A question that is out. Dropped: nobody waits for its answer any more.
pub(super) struct Asked {
    line: Arc<Line>,
    id: u16,
    /// Ids are used again as soon as they are answered; this tells whose turn it is.
    serial: u32,
    pub(super) answer: Receiver<Heard>,
}

impl Line {
    pub(super) fn open(server: SocketAddr, runtime: &Handle) -> io::Result<Arc<Self>> {
        let from: SocketAddr = match server {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = std::net::UdpSocket::bind(from)?;
        socket.connect(server)?;
        socket.set_nonblocking(true)?;
        let _inside = runtime.enter();
        let socket = UdpSocket::from_std(socket)?;
        let shared = Arc::new(Shared { socket, waiting: Mutex::default() });
        let reader = runtime.spawn(Shared::listen(Arc::clone(&shared))).abort_handle();
        Ok(Arc::new(Self { shared, asked: AtomicU32::new(0), reader }))
    }

    pub(super) fn is_worn_out(&self) -> bool {
        self.asked.load(Ordering::Relaxed) >= MOST_QUESTIONS
    }

    /// Sends the question once.
    pub(super) async fn ask(self: &Arc<Self>, query: &mut Query) -> io::Result<Asked> {
        let asked = self.enter(query.question());
        let bytes = query.with_id(asked.id);
        match self.shared.socket.try_send(bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => self.shared.socket.send(bytes).await?,
            sent => sent?,
        };
        Ok(asked)
    }

    fn enter(self: &Arc<Self>, question: &[u8]) -> Asked {
        let (tell, answer) = channel();
        let serial = self.asked.fetch_add(1, Ordering::Relaxed);
        let mut waiting = self.shared.waiting();
        // A line has a few thousand questions in its whole life, so that a free id is soon found.
        let id = loop {
            let id = rand::random();
            if !waiting.contains_key(&id) {
                break id;
            }
        };
        waiting.insert(id, Waiting { serial, question: question.into(), tell });
        Asked { line: Arc::clone(self), id, serial, answer }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let mut waiting = self.line.shared.waiting();
        if waiting.get(&self.id).is_some_and(|one| one.serial == self.serial) {
            waiting.remove(&self.id);
        }
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, HashMap<u16, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until the line is dropped.
    async fn listen(self: Arc<Self>) {
        let mut buffer = vec![0; BUFFER];
        loop {
            match self.socket.recv(&mut buffer).await {
                Ok(length) => self.deliver(buffer.get(..length).unwrap_or_default()),
                Err(_) => self.refuse(),
            }
        }
    }

    /// What fits no question that is out is passed over, whoever sent it: the true answer may still come.
    fn deliver(&self, message: &[u8]) {
        let Some(id) = wire::id_of(message) else { return };
        let mut waiting = self.waiting();
        let Some(one) = waiting.get(&id) else { return };
        let heard = match wire::answers(message, &one.question) {
            Match::Ours => Heard::Message(message.to_vec()),
            Match::OtherCase => Heard::OtherCase,
            Match::Other => return,
        };
        if let Some(one) = waiting.remove(&id) {
            drop(one.tell.send(heard)); // Nobody may wait any more.
        }
    }

    fn refuse(&self) {
        for (_, one) in self.waiting().drain() {
            drop(one.tell.send(Heard::Refused));
        }
    }
}
