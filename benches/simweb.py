"""CPU per page that the synthetic web serves, beside a minimal server that sends answers of the same size from memory.

Both are measured in one run, in turns; the target is under 25 microseconds a page, so that the web is never what a crawl waits for.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ["cargo", "run", "--release", "--quiet", "-p", "helios-sim", "--example"]

for example in ("answer_cost", "serve_cost"):
    print(f"{example}:", flush=True)
    code = subprocess.run([*COMMAND, example], cwd=ROOT, check=False).returncode
    if code:
        sys.exit(code)
