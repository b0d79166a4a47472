"""CRAWL: the loop that joins the stages, and what a person sees of it.

In: seeds and settings. Out: a folder with a page table, and a `Summary`. Always: stage, then settle, then publish.

* `loop.py`: lease, fetch, extract, stage, settle, publish. READ THIS FIRST
* `stop.py`: why and how soon a crawl ends before it is finished, or pauses
* `tally.py`: what was done so far, counted
* `progress.py`: the live view; `pace.py`: how fast it goes; `summary.py`: the last word
* `audience.py`: who is told of what was stored: hooks; `stream.py`: `helios.stream`
* `begin.py`: everything above, from settings to the summary; `run.py`: `helios.crawl`, `helios.resume`
* `steer.py`: what another process may ask of a running crawl, done; `state.py`: its status
* `opened.py`: `helios.open`: a crawl's folder, read; `steered.py`: and steered, whether the crawl runs or not
"""
