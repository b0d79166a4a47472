//! Three key-value engines behind the few calls a frontier needs. Each has one key space, a cache of 64 MiB, and a commit
//! that returns only when the batch is on disk.

use std::path::Path;

#[allow(dead_code)] // unused when built without an engine
const CACHE: usize = 64 << 20;

pub type Pair = (Vec<u8>, Vec<u8>);

/// One settle: everything in it becomes durable together or not at all.
#[derive(Default)]
pub struct Batch {
    pub puts: Vec<Pair>,
    pub deletes: Vec<Vec<u8>>,
}

pub trait Engine {
    fn commit(&self, batch: Batch);
    fn get(&self, key: &[u8]) -> Option<Vec<u8>>;
    /// All pairs under a prefix, in order of their keys.
    fn scan(&self, prefix: &[u8], each: &mut dyn FnMut(&[u8], &[u8]));
}

pub const NAMES: &[&str] = &[
    #[cfg(feature = "fjall")]
    "fjall",
    #[cfg(feature = "fjall")]
    "fjall-16m", // a write buffer of 16 MiB instead of 64
    #[cfg(feature = "redb")]
    "redb",
    #[cfg(feature = "rocksdb")]
    "rocksdb",
];

/// Opens or makes the database `name` in a folder.
pub fn open(name: &str, folder: &Path) -> Box<dyn Engine> {
    std::fs::create_dir_all(folder).expect("a folder");
    match name {
        #[cfg(feature = "fjall")]
        "fjall" => Box::new(fjall_engine::Fjall::open(folder, 64 << 20)),
        #[cfg(feature = "fjall")]
        "fjall-16m" => Box::new(fjall_engine::Fjall::open(folder, 16 << 20)),
        #[cfg(feature = "redb")]
        "redb" => Box::new(redb_engine::Redb::open(folder)),
        #[cfg(feature = "rocksdb")]
        "rocksdb" => Box::new(rocksdb_engine::Rocks::open(folder)),
        other => panic!("no engine {other} in this build"),
    }
}

#[cfg(feature = "fjall")]
mod fjall_engine {
    use super::*;
    use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

    pub struct Fjall(Database, Keyspace);

    impl Fjall {
        pub fn open(folder: &Path, buffer: u64) -> Self {
            let db = Database::builder(folder.join("db")).cache_size(CACHE as u64).open().expect("open");
            let all = db
                .keyspace("all", || KeyspaceCreateOptions::default().max_memtable_size(buffer))
                .expect("keyspace");
            Self(db, all)
        }
    }

    impl Engine for Fjall {
        fn commit(&self, batch: Batch) {
            let mut write = self.0.batch().durability(Some(PersistMode::SyncAll));
            batch.puts.into_iter().for_each(|(key, value)| write.insert(&self.1, key, value));
            batch.deletes.into_iter().for_each(|key| write.remove(&self.1, key));
            write.commit().expect("commit");
        }

        fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
            self.1.get(key).expect("get").map(|value| value.to_vec())
        }

        fn scan(&self, prefix: &[u8], each: &mut dyn FnMut(&[u8], &[u8])) {
            for pair in self.1.prefix(prefix) {
                let (key, value) = pair.into_inner().expect("a pair");
                each(&key, &value);
            }
        }
    }
}

#[cfg(feature = "redb")]
mod redb_engine {
    use super::*;
    use redb::{Database, ReadableDatabase, TableDefinition};

    const ALL: TableDefinition<&[u8], &[u8]> = TableDefinition::new("all");

    pub struct Redb(Database);

    impl Redb {
        pub fn open(folder: &Path) -> Self {
            let db = Database::builder().set_cache_size(CACHE).create(folder.join("db.redb")).expect("open");
            let write = db.begin_write().expect("write");
            write.open_table(ALL).expect("table");
            write.commit().expect("commit");
            Self(db)
        }
    }

    impl Engine for Redb {
        fn commit(&self, batch: Batch) {
            let write = self.0.begin_write().expect("write"); // Durability::Immediate is the default
            {
                let mut all = write.open_table(ALL).expect("table");
                for (key, value) in &batch.puts {
                    all.insert(key.as_slice(), value.as_slice()).expect("insert");
                }
                for key in &batch.deletes {
                    all.remove(key.as_slice()).expect("remove");
                }
            }
            write.commit().expect("commit");
        }

        fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
            let all = self.0.begin_read().expect("read").open_table(ALL).expect("table");
            all.get(key).expect("get").map(|value| value.value().to_vec())
        }

        fn scan(&self, prefix: &[u8], each: &mut dyn FnMut(&[u8], &[u8])) {
            let all = self.0.begin_read().expect("read").open_table(ALL).expect("table");
            for pair in all.range(prefix..).expect("range") {
                let (key, value) = pair.expect("a pair");
                if !key.value().starts_with(prefix) {
                    break;
                }
                each(key.value(), value.value());
            }
        }
    }
}

#[cfg(feature = "rocksdb")]
mod rocksdb_engine {
    use super::*;
    use rocksdb::{BlockBasedOptions, Cache, DB, DBCompressionType, Direction, IteratorMode, Options};

    pub struct Rocks(DB);

    impl Rocks {
        pub fn open(folder: &Path) -> Self {
            let mut table = BlockBasedOptions::default();
            table.set_block_cache(&Cache::new_lru_cache(CACHE).expect("cache"));
            table.set_bloom_filter(10.0, false);
            let mut options = Options::default();
            options.create_if_missing(true);
            options.set_compression_type(DBCompressionType::Lz4);
            options.set_block_based_table_factory(&table);
            options.increase_parallelism(2);
            Self(DB::open(&options, folder.join("db")).expect("open"))
        }
    }

    impl Engine for Rocks {
        fn commit(&self, batch: Batch) {
            let mut write = rocksdb::WriteBatch::default();
            batch.puts.iter().for_each(|(key, value)| write.put(key, value));
            batch.deletes.iter().for_each(|key| write.delete(key));
            let mut options = rocksdb::WriteOptions::default();
            options.set_sync(true);
            self.0.write_opt(write, &options).expect("commit");
        }

        fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
            self.0.get(key).expect("get")
        }

        fn scan(&self, prefix: &[u8], each: &mut dyn FnMut(&[u8], &[u8])) {
            for pair in self.0.iterator(IteratorMode::From(prefix, Direction::Forward)) {
                let (key, value) = pair.expect("a pair");
                if !key.starts_with(prefix) {
                    break;
                }
                each(&key, &value);
            }
        }
    }
}
