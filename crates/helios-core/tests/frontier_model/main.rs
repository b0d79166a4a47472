//! A naive model (maps, sorted lists, no queue, no heap) beside the real frontier: random crawls of a tiny web, with
//! failures, crashes and lost visits, and every step compared.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on must stop"
)]

mod compare;
mod disk;
mod model;
mod robots;
mod settle;
mod steps;
mod turn;
mod web;
mod world;

use proptest::prelude::*;

const CASES: u32 = 300;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_frontier_does_what_the_model_does(
        tables in steps::tables(),
        steps in proptest::collection::vec(steps::step(), 1..80),
    ) {
        let mut world = world::World::new(tables);
        for step in &steps {
            world.run(step);
        }
        world.finish_well();
    }
}
