"""What every test lives under: no socket leaves this machine."""

import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
# The same examples every time: a failure can be run again. `make fuzz` looks for new ones.
settings.register_profile("house", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("house")

LOOPBACK = ("127.", "::1", "localhost")


def pytest_configure() -> None:
    """A shell that runs us in the background has us ignore Ctrl-C and hang-ups, and our children too: hear them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuses any connection that leaves this machine; a test that needs the internet is no test."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:  # noqa: ANN401  # as in socket
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise RuntimeError(f"a test tried to connect to {address[0]}; only loopback is allowed")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def root() -> Path:
    """The work tree."""
    return ROOT
