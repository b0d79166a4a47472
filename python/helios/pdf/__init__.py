"""PDF: bytes in, text and metadata out, by PDFium in processes of their own. Extra: `pip install helios-crawler[pdf]`.

Always: a file that hangs, crashes or eats memory ends its process and nothing else; time, pages and bytes are bounded.

* `reader.py`: hands files to workers, each under a time limit
* `worker.py`: the process: reads files from its standard input, one after the other
"""
