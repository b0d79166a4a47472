"""CRAWL: the loop that joins the stages, and what a person sees of it.

In: seeds and settings. Out: a folder with a page table, and a `Summary`. Always: stage, then settle, then publish.

* `loop.py`: lease, fetch, extract, stage, settle, publish. READ THIS FIRST
* `stop.py`: why and how soon a crawl ends before it is finished
* `tally.py`: what was done so far, counted
* `progress.py`: the live view; `summary.py`: the last word
* `run.py`: `helios.crawl`: everything above in one blocking call
* `opened.py`: `helios.open`: a crawl's folder, read
"""
