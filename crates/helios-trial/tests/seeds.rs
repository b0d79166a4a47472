//! Seeds of the trial that run with every test; `trial --seeds A..B` runs more.

use helios_trial::run;

/// As many as take half a minute of one core.
const SEEDS: std::ops::Range<u64> = 0..200;

#[test]
fn no_law_is_broken_whatever_goes_wrong() {
    let broken: Vec<String> = SEEDS
        .map(run)
        .filter(|verdict| !verdict.offences.is_empty())
        .map(|verdict| {
            let offences: Vec<String> = verdict.offences.iter().map(ToString::to_string).collect();
            let again = format!("cargo run --release -p helios-trial -- --seeds {} --verbose", verdict.seed);
            format!("seed {}: {}\n  again: {again}", verdict.seed, offences.join("\n  "))
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_seed_gives_the_same_trial_again() {
    for seed in [1, 17, 49, 119] {
        let (one, other) = (run(seed), run(seed));
        assert_eq!((one.digest, one.tally), (other.digest, other.tally), "seed {seed}");
    }
}

#[test]
fn the_seeds_go_through_every_kind_of_trouble() {
    let mut all = helios_trial::Tally::default();
    SEEDS.map(run).for_each(|verdict| all.add(&verdict.tally));
    let told =
        [all.pages, all.crashes, all.lost_visits, all.late_results, all.dead, all.replayed, all.complete];
    assert!(told.iter().all(|count| *count > 20), "{all:?}");
}
