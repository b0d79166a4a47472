"""CLI: words become settings, settings become one call. One file per command, imported when it is used.

Exit codes: 0 done, 1 failed, 2 not begun (wrong words), 3 the auditor convicts, 130 Ctrl-C; docs/commands.md has more.
"""

import os
import sys

# numpy comes along with pyarrow, and would start a thread for each core that turns in circles for a while, for nothing.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from helios.cli.group import Group
from helios.cli.group import main as main
from helios.cli.spelled import require_utf8

__all__ = ["Group", "main"]

main.callback = lambda: require_utf8(sys.argv[1:], os.environ)  # before any command
