"""Crawls from which the compiler learns what happens often: `make wheel` runs this between its two builds.

A synthetic web, once for an archive alone, once for texts, once for all that can be read from a page. No real page is
read here, so that a wheel that is measured with real ones did not learn them by heart.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from helios.simweb import started

WEB = ("--preset=fast", "--set=mean_pages=10", "--set=names=ip")
ALL = (
    'crawl.scope="any"',
    "frontier.delay_ms=0",
    "frontier.fetch_time_factor=0",
    "frontier.site_connections=8",
    "frontier.address_connections=0",
    'fetch.contact="train@localhost"',
    'fetch.allow=["loopback"]',
)
FEW = ("extract.markdown=false", "extract.facts=false")
CRAWLS = {
    "archive": (*FEW, 'extract.text="none"', 'extract.duplicates="ignore"', 'store.kinds=["warc"]'),
    "texts": (*FEW, 'store.kinds=["lance", "warc"]'),
    "everything": ('store.kinds=["lance", "warc"]',),
}


def main() -> None:
    """Each crawl to its end; the first that fails ends all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=200)
    given = parser.parse_args()
    web = [*WEB, f"--hosts={given.hosts}", f"--set=seeds={given.hosts}"]
    with tempfile.TemporaryDirectory() as folder, started(web) as served:
        seeds = Path(folder, "seeds.txt")
        seeds.write_text("\n".join(served.seeds))
        for name, settings in CRAWLS.items():
            words = ["--seeds", str(seeds), "--out", str(Path(folder, name)), "--json"]
            words += [f"--set={setting}" for setting in (*ALL, *settings)]
            subprocess.run([sys.executable, "-m", "helios", "crawl", *words], check=True)


if __name__ == "__main__":
    main()
