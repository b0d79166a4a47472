"""EXPORT: pages in a form that other programs read. In: a `PageQuery`. Out: one file, a folder of files, or a stream.

Always: a batch at a time, so that memory does not grow with the crawl; written aside and renamed when whole, so that
nobody ever sees a half; nothing that was there is overwritten unless asked for.

* `run.py`: one export from beginning to end
* `output.py`, `target.py`: files and folders written aside; standard output; what may be replaced
* `jsonl.py`, `csv.py`, `parquet.py`: one file
* `markdown.py`, `names.py`: a folder tree with a file for each page, and what those are called
* `warc.py`: web archives
"""
