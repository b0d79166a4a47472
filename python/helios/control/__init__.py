"""CONTROL: a running crawl can be asked and told things by another process of the same person.

In: one line of JSON on a Unix socket. Out: one line of JSON, and the connection ends. Always: a client that sends
nonsense, too much or nothing, or does not read, costs the crawl one of a few connections for some seconds, no more.

* `verbs.py`: everything that can be asked, in one table; `status.py`: the longest answer
* `running.py`: `running.json` in the crawl's folder: who crawls, and where its socket is
* `server.py`: in the crawl's event loop; `client.py`: blocking, for commands and `helios.open`

What the verbs do to a crawl is in `crawl/steer.py`. A dashboard comes in by the same door.
"""
