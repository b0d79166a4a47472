//! Any sequence of writes, syncs, closings and crashes, beside a `BTreeMap`.

use std::collections::BTreeMap;

use helios_core::kv::{Batch, Failing, Kv, MemoryDisk, MemoryKv, Op};
use proptest::collection::vec;
use proptest::prelude::*;

use super::place::{Folder, Place};

type Model = BTreeMap<u8, u8>;

#[derive(Debug, Clone)]
enum Step {
    /// A key from 1 to 20, and a value or none (a deletion).
    Write(Vec<(u8, Option<u8>)>),
    Durable,
    Reopen,
    /// Power fails and so many batches that were not durable survive (memory only).
    Crash(usize),
    /// The next write fails, and its batch is applied or not (memory only).
    Fail(bool),
}

fn step() -> impl Strategy<Value = Step> {
    let change = (1..20_u8, proptest::option::weighted(0.7, any::<u8>()));
    prop_oneof![
        8 => vec(change, 0..6).prop_map(Step::Write),
        2 => Just(Step::Durable),
        1 => Just(Step::Reopen),
        1 => (0..4_usize).prop_map(Step::Crash),
        1 => any::<bool>().prop_map(Step::Fail),
    ]
}

fn batch(changes: &[(u8, Option<u8>)]) -> Batch {
    let mut batch = Batch::new();
    for (key, value) in changes {
        match value {
            Some(value) => batch.put([*key], [*value]),
            None => batch.delete([*key]),
        }
    }
    batch
}

fn apply(model: &mut Model, batch: &Batch) {
    for op in batch.ops() {
        match op {
            Op::Put(key, value) => model.insert(key[0], value[0]),
            Op::Delete(key) => model.remove(&key[0]),
        };
    }
}

fn stored(kv: &dyn Kv) -> Model {
    let all = kv.scan(b"", b"\xff", usize::MAX).unwrap();
    all.iter().map(|(key, value)| (key[0], value[0])).collect()
}

/// The model of a database that can crash: what it was after each batch since the last durable one, which comes first.
struct Versions(Vec<Model>);

impl Versions {
    fn last(&self) -> Model {
        self.0.last().unwrap().clone()
    }

    fn write(&mut self, batch: &Batch) {
        let mut model = self.last();
        apply(&mut model, batch);
        self.0.push(model);
    }

    fn forget_all_but(&mut self, version: usize) {
        self.0 = vec![self.0[version.min(self.0.len() - 1)].clone()];
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn memory_is_the_model_whatever_crashes(steps in vec(step(), 0..60)) {
        let disk = MemoryDisk::new();
        let mut kv = MemoryKv::open(&disk).unwrap();
        let mut versions = Versions(vec![Model::new()]);
        let mut failing = None;
        let mut ticket = 0;
        for step in steps {
            match step {
                Step::Write(changes) => match (kv.write(batch(&changes)), failing.take()) {
                    (Ok(written), None) => {
                        ticket = written;
                        versions.write(&batch(&changes));
                    }
                    (Err(_), Some(how)) => {
                        if how == Failing::Applied {
                            versions.write(&batch(&changes));
                        }
                        prop_assert!(kv.get(b"\x01").is_err() && kv.durable(ticket).is_err());
                        kv = MemoryKv::open(&disk).unwrap();
                        versions.forget_all_but(usize::MAX);
                    }
                    (answer, how) => prop_assert!(false, "{answer:?} when {how:?}"),
                },
                Step::Durable => {
                    kv.durable(ticket).unwrap();
                    versions.forget_all_but(usize::MAX);
                    prop_assert_eq!(disk.pending(), 0);
                }
                Step::Reopen => {
                    kv = MemoryKv::open(&disk).unwrap();
                    versions.forget_all_but(usize::MAX);
                }
                Step::Crash(keep) => {
                    disk.crash(keep);
                    prop_assert!(kv.scan(b"", b"\xff", 1).is_err());
                    kv = MemoryKv::open(&disk).unwrap();
                    versions.forget_all_but(keep);
                }
                Step::Fail(applied) => {
                    let how = if applied { Failing::Applied } else { Failing::Lost };
                    failing = Some(how);
                    disk.fail_after(1, how);
                }
            }
            prop_assert_eq!(stored(&kv), versions.last());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn local_is_the_model(steps in vec(step(), 0..60)) {
        let place = Place::Local(Folder::new());
        let mut kv = Some(place.open().unwrap());
        let mut model = Model::new();
        let mut ticket = 0;
        for step in steps {
            match step {
                Step::Write(changes) => {
                    ticket = kv.as_ref().unwrap().write(batch(&changes)).unwrap();
                    apply(&mut model, &batch(&changes));
                }
                Step::Durable => kv.as_ref().unwrap().durable(ticket).unwrap(),
                Step::Reopen => {
                    drop(kv.take());
                    kv = Some(place.open().unwrap());
                    ticket = 0;
                }
                Step::Crash(_) | Step::Fail(_) => {}
            }
            prop_assert_eq!(stored(kv.as_deref().unwrap()), model.clone());
        }
    }
}
