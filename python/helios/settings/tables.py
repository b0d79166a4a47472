"""All settings, one table per stage, in journey order.

Names and units are the same in the Rust core, which gets them as JSON.
"""

from msgspec import Struct

from helios.settings.choosing import Crawl, Frontier, Recrawl, Robots, Seen, Traps, Urls
from helios.settings.fetching import Dns, Fetch, Proxy
from helios.settings.keeping import Embed, Extract, Store
from helios.settings.seeing import Log, Metrics


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a crawl, one table per stage, in journey order."""

    crawl: Crawl = Crawl()
    urls: Urls = Urls()
    frontier: Frontier = Frontier()
    seen: Seen = Seen()
    traps: Traps = Traps()
    recrawl: Recrawl = Recrawl()
    robots: Robots = Robots()
    dns: Dns = Dns()
    fetch: Fetch = Fetch()
    proxy: Proxy = Proxy()
    extract: Extract = Extract()
    embed: Embed = Embed()
    store: Store = Store()
    metrics: Metrics = Metrics()
    log: Log = Log()
