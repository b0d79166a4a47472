"""READING: what a crawl has stored, read. In: the folder of a crawl. Out: rows, counts, answers, in bounded memory.

Always: nothing here changes what is stored; a read sees one version of the table from its first row to its last, and
may run beside the crawl that writes it.

* `table.py`, `lean.py`: the page table, opened at one version, in little memory
* `filters.py`: which rows: site, language, time, status, a condition of one's own
* `latest.py`: the newest row of each URL
* `query.py`: `Crawl.pages`: rows as Arrow, Polars or dicts
* `stats.py`, `counts.py`: the whole table, counted in one pass; `staged.py`: what is stored and not in it yet
* `sql.py`, `scanned.py`: DuckDB over the table; `plain.py`: its answers, as people and other programs read them
"""
