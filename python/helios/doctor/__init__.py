"""DOCTOR: is this machine fit for a crawl? In: settings, a folder. Out: findings, each with how to put it right.

Always: nothing is changed but for a file that is written and removed, nothing takes longer than some seconds, and no
other machine is spoken to but those that the settings or the person name.

* `finding.py`: what a check says
* `here.py`: clock, open files, disk, memory, versions, certificates, browser
* `there.py`: name servers, object store
* `run.py`: all of them in order
"""
