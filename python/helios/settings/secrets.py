"""Settings without what nobody else may know: for screens and logs."""

from typing import Any
from urllib.parse import urlsplit

import msgspec

from helios.settings.tables import Settings
from helios.shown import HIDDEN, without_users

SECRET = ("fetch.auth", "fetch.headers", "proxy.pools")  # settings whose values no message repeats


def hidden(settings: Settings) -> dict[str, dict[str, Any]]:
    """All tables as plain values: passwords, headers and what proxies are called by are not in them."""
    tables: dict[str, dict[str, Any]] = msgspec.to_builtins(settings)
    fetch, proxy = tables["fetch"], tables["proxy"]
    for secret in ("auth", "headers"):
        fetch[secret] = dict.fromkeys(fetch[secret], HIDDEN)
    for pool in proxy["pools"].values():
        pool["proxies"] = [proxy_name(url) for url in pool["proxies"]]
    return {
        name: {key: without_users(value) if isinstance(value, str) else value for key, value in table.items()}
        for name, table in tables.items()
    }


def proxy_name(url: str) -> str:
    """Where a proxy is, without user, password, path and query."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return HIDDEN
    if not parts.scheme or not host:
        return HIDDEN
    user = f"{HIDDEN}@" if "@" in parts.netloc else ""
    named = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{user}{named}" + (f":{port}" if port else "")
