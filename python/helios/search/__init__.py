"""SEARCH: a crawl's pages by word, by meaning, or both. In: words. Out: the best pages, with the words in their place.

Always: every published row is found, indexed or not: what the index does not hold yet is looked through. Nothing but
an index is ever written, and searching may run beside the crawl.

* `words.py`: what was typed -> what is asked of Lance
* `index.py`: made and brought up to date, by one process at a time
* `find.py`: candidates by word (BM25), by vector, or both; only the newest row of a URL counts
* `fuse.py`: two rankings -> one
* `snippet.py`: the place in a text where the words are
* `embedding.py`: the words as a vector
* `run.py`: one search, from beginning to end
"""
