"""One clock: what the core stamps and what Python reads agree."""

from helios import _core
from helios.clock import SystemClock


def test_the_core_and_python_tell_the_same_time() -> None:
    clocks = (_core.now, SystemClock().now, _core.now, SystemClock().now)
    times = [clock() for _ in range(1_000) for clock in clocks]
    assert times == sorted(times)
    assert times[-1] - times[0] < 5_000
    assert times[0] > 1_700_000_000_000  # milliseconds since 1970
