"""`helios simweb`: serves the synthetic web; `helios simweb audit` asks its auditor."""

import os
import signal
import tempfile
from pathlib import Path

import click
import msgspec

from helios._core import SimWeb
from helios.cli.group import CONVICTED, INTERRUPTED
from helios.cli.web import web_options, web_settings
from helios.cli.words import helios
from helios.errors import HeliosError
from helios.settings import load
from helios.simweb import Served, audit, promises

HOST = "127.0.0.1"
WAIT_MS = 1_000  # between two looks for Ctrl-C and for whoever started us
ONE_ADDRESS = "only 127.0.0.1 is served: this system cannot tie a socket to the loopback device"


@click.group("simweb", invoke_without_command=True)
@web_options
@click.option("--http-port", type=click.IntRange(0, 65535), default=0, help="0: any that is free.", show_default=True)
@click.option("--https-port", type=click.IntRange(0, 65535), default=0, help="0: any that is free.", show_default=True)
@click.option("--dns-port", type=click.IntRange(0, 65535), default=0, help="0: any that is free.", show_default=True)
@click.option(
    "--json", "as_json", is_flag=True, help="Print where it answers as one line of JSON; end with whoever started it."
)
@click.pass_context
def command(ctx: click.Context, /, preset: str, as_json: bool, **words: object) -> None:
    """Serve a synthetic web on this machine until Ctrl-C: thousands of hosts with every kind of trouble.

    \b
    helios simweb --preset calm --seed 7
    helios simweb --set mean_pages=200 --set robots_deny_all=0.5 --set 'stall_ms=[100, 900]'
    helios simweb --corpus pages/
    helios simweb audit --at 127.0.0.1:8080
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    if ctx.invoked_subcommand is not None:
        return
    parent = os.getppid()
    web = _made(
        preset, web_settings(preset, words), [int(str(words[f"{name}_port"])) for name in ("http", "https", "dns")]
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="helios-simweb-") as folder:
        try:
            _announce(_served(web, Path(folder)), as_json=as_json)
            # With --json a program started us; killed, it cannot stop us, and we get another parent.
            while not as_json or os.getppid() == parent:
                web.wait(WAIT_MS)
        except KeyboardInterrupt:
            ctx.exit(0 if as_json else INTERRUPTED)
        finally:
            web.stop()


@command.command("audit", short_help="Ask the auditor whether a crawler kept its promises.")
@click.option("--at", required=True, metavar="HOST:PORT", help="The HTTP port of a synthetic web.")
@click.option("--config", type=click.Path(path_type=Path), help="The crawl's helios.toml: what it promised.")
@click.option("--complete", is_flag=True, help="The crawl says that it is finished: nothing may be missing.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_context
def audit_command(ctx: click.Context, at: str, config: Path | None, complete: bool, as_json: bool) -> None:
    """Ask the auditor whether the crawler kept its promises, by the web's own log.

    \b
    helios simweb audit --at 127.0.0.1:8080 --config example/helios.toml --complete
    """  # noqa: D301  # \b is click's mark for text that is not to be wrapped
    verdict = audit(at, promises(load(config), complete=complete))
    click.echo(msgspec.json.encode(verdict.report) if as_json else verdict.text)
    ctx.exit(0 if verdict.innocent else CONVICTED)


def _made(preset: str, settings: dict[str, object], ports: list[int]) -> SimWeb:
    """The web, answering."""
    http, https, dns = ports
    return SimWeb(preset, msgspec.json.encode(settings).decode(), http, https, dns)


def _served(web: SimWeb, folder: Path) -> Served:
    authority = folder / "ca.pem"
    try:
        authority.write_text(web.ca_pem(), encoding="ascii")
    except OSError as error:
        raise HeliosError(f"{authority} cannot be written: {error.strerror}") from error
    ports = (web.http_port, web.https_port, web.dns_port)
    http, https, dns = (f"{HOST}:{port}" for port in ports)
    return Served(
        http=http,
        https=https,
        dns=dns,
        pid=os.getpid(),
        seeds=web.seeds(),
        ca=str(authority),
        all_addresses=web.all_addresses,
    )


def _announce(served: Served, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(served))
        return
    click.echo(f"the synthetic web answers at http {served.http}, https {served.https}, dns {served.dns}")
    click.echo(f"its pages about itself: http://{served.http}/__audit  http://{served.http}/__expected")
    click.echo("crawl it with:")
    click.echo(
        f"  {helios()} crawl {served.seeds[0]} --scope any --contact me@localhost --allow-loopback "
        f"--dns {served.dns} --extra-ca {served.ca} --out simcrawl"
    )
    click.echo("and have the crawl judged with:")
    click.echo(f"  {helios()} simweb audit --at {served.http} --config simcrawl/helios.toml")
    if not served.all_addresses:
        click.echo(ONE_ADDRESS)
    click.echo("Ctrl-C ends it")
