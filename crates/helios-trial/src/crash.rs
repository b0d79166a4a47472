//! Crashes: what is lost, what survives, and what the server's log must not be read as any more.

use crate::clock::{MINUTE, SECOND};
use crate::fetcher::Mail;
use crate::process::Commit;
use crate::server::Receipt;
use crate::world::{Event, World};

impl World {
    /// The process dies; what it had not made durable may die with it.
    pub(crate) fn crash(&mut self) {
        let faults = &self.scenario.faults;
        let keep = if self.chance.happens(faults.power_loss) {
            self.chance.between(0, self.disk.pending() as u64) as usize
        } else {
            usize::MAX
        };
        let kept = self.disk.crash(keep);
        self.ledger.roll_back(kept, &mut self.server);
        let down = self.chance.scaled(10, 5 * MINUTE / 1_000) * 1_000;
        let back = self.now + down;
        self.fetcher.die(&mut self.server, &mut self.chance, (self.now, back));
        self.lose_mail();
        self.tally.crashes += 1;
        self.life += 1;
        self.process = None;
        self.idle = 0;
        self.set_clock();
        self.at(back, Event::Start);
    }

    /// Results that had not arrived: what was in flight is gone, the rest may still come, to the next process.
    fn lose_mail(&mut self) {
        let mut undelivered: Vec<Mail> =
            self.process.as_mut().map(|process| std::mem::take(&mut process.mailbox)).unwrap_or_default();
        let (mut gone, mut coming) = (Vec::new(), Vec::new());
        for (key, (life, event)) in std::mem::take(&mut self.events) {
            match event {
                Event::Deliver(mail) => {
                    let ended = mail.receipt.is_none_or(|receipt| receipt.end <= self.now);
                    if ended { undelivered.push(*mail) } else { gone.push(mail.receipt) }
                }
                Event::Start | Event::Crash | Event::Calm => drop(self.events.insert(key, (life, event))),
                Event::Ask(_)
                | Event::Turn
                | Event::Settle
                | Event::Durable(_)
                | Event::Publish
                | Event::Published => {}
            }
        }
        let commits = self.process.as_mut().map(|process| std::mem::take(&mut process.commits));
        for receipt in commits.into_iter().flatten().flat_map(Commit::into_receipts) {
            self.server.forgive(&receipt);
        }
        drop(gone); // the fetcher died with them and told the server
        for mail in undelivered {
            if self.chance.happens(0.3) {
                coming.push(mail);
            } else {
                mail.receipt.iter().for_each(|receipt| self.server.forgive(receipt));
            }
        }
        for mail in coming {
            let later = self.now + self.chance.scaled(SECOND, 20 * MINUTE);
            self.at(later, Event::Deliver(Box::new(mail)));
        }
    }

    fn set_clock(&mut self) {
        if !self.chance.happens(self.scenario.faults.clock_jump) {
            return;
        }
        let before = self.wall.ahead_ms;
        self.wall.ahead_ms = self.chance.between(0, 7_200_000).cast_signed() - 3_600_000;
        if self.wall.ahead_ms <= before {
            return;
        }
        let impatient = self.ledger.facts().filter_map(|fact| fact.receipt);
        let receipts: Vec<Receipt> = impatient.filter(|receipt| receipt.patience_ends() > self.now).collect();
        for receipt in &receipts {
            self.server.forgive_patience(receipt);
        }
    }
}
