"""OBSERVE: what a crawl does, for people and their tools.

In: the parts of a crawl and their measures. Out: a `Snapshot` now and then, metrics, a log. Always: bounded memory and
disk, whatever the web does, and no secret in anything that is written.

* `snapshot.py`: everything that is known at one moment; progress, metrics and status show the same
* `metrics.py`: a snapshot for Prometheus; `server.py`: answers those who ask for it
* `observed.py`: all of that around a run
* `journal.py`: what is written down of a run; `log.py`: where and how
"""
