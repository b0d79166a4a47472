"""MEASURE: what the parts of a crawl do, in numbers. It looks on: nothing here decides anything.

In: the parts, each call of which is timed on its way through. Out: `Measures`. Always: bounded memory, some
microseconds a batch, and the loop does not know.

* `measures.py`: what is counted: seconds of each stage, latency; `latency.py`: quantiles of the last minute
* `timed.py`: the parts, with every batch measured
* `machine.py`: memory, open files and processors of this machine
"""
