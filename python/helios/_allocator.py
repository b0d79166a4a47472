"""How the core's allocator behaves; it reads that from the environment, once, when the core is loaded.

Memory that was freed is kept for a moment before it goes back to the system: bodies and trees come and go by the
megabyte, and memory that comes fresh from the system is zeroed first, which took a seventh of a fast crawl's time.
"""

import os

OPTIONS = {"MIMALLOC_PURGE_DELAY": "100", "MIMALLOC_ALLOW_THP": "0"}

for name, value in OPTIONS.items():
    os.environ.setdefault(name, value)
