"""A page table in an object store, over servers that nobody here wrote."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from helios.doctor import there
from helios.doctor.finding import Finding
from helios.errors import StoreError
from helios.settings import load
from helios.stores.lance import LanceStore
from helios.stores.objects import Bucket
from object_store.proxy import Proxy, proxied
from object_store.servers import KEYS, Weed, rclone, weed

pytestmark = pytest.mark.timeout(90)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Weed]:
    with weed(tmp_path_factory.mktemp("weed")) as running:
        yield running


def bucket(port: int, prefix: str, **more: object) -> Bucket:
    options = {"url": f"s3://bucket/{prefix}", "endpoint": f"http://127.0.0.1:{port}", "allow_http": True, **more}
    return Bucket(load(store=options).store, KEYS)


@pytest.fixture
def place(server: Weed, request: pytest.FixtureRequest) -> Bucket:
    made = bucket(server.port, request.node.name)
    made.claim("this test")
    return made


def opened(place: Bucket) -> LanceStore:
    return LanceStore(place, load(compact_files=5).store)


def staged(store: LanceStore, *urls: str) -> str:
    name = f"{int(store.last() or 0) + 1:08}"
    assert store.stage(name, pa.table({"url": urls}))
    return name


def urls(store: LanceStore) -> list[str]:
    return sorted(store.scan().read_all()["url"].to_pylist())


def test_what_is_published_is_there_once_and_what_is_not_goes(place: Bucket) -> None:
    store = opened(place)
    names = [staged(store, str(number)) for number in range(8)]
    assert store.publish(names) == 8
    assert opened(place).publish(names) == 0
    kept, lost = staged(store, "kept"), staged(store, "lost")
    again = opened(place)
    assert again.last() == lost
    assert again.collect([kept]) == 1
    assert again.publish([kept]) == 1
    assert urls(again) == [*"01234567", "kept"]
    assert again._upkeep.orphans(again._opened(), set()) == []  # type: ignore[arg-type]  # it has rows
    assert place.names() == ["published"]


def test_a_second_writer_is_refused(place: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(place)
    store.publish([staged(store, "a")])
    mine, theirs = staged(store, "mine"), staged(store, "theirs")
    read = LanceStore._list

    def interrupted(self: LanceStore, name: str) -> object:
        monkeypatch.setattr(LanceStore, "_list", read)
        opened(place).publish([theirs])
        return read(self, name)

    monkeypatch.setattr(LanceStore, "_list", interrupted)
    with pytest.raises(StoreError, match="someone else"):
        store.publish([mine])
    assert urls(store) == ["a", "theirs"]
    with pytest.raises(StoreError, match="staged by someone else"):
        opened(place).stage(mine, pa.table({"url": ["another page"]}))


def test_a_prefix_belongs_to_one_crawl(server: Weed) -> None:
    place = bucket(server.port, "owned")
    place.claim("crawl 1")
    place.claim("crawl 1")
    with pytest.raises(StoreError, match="belongs to another crawl; give this one a prefix of its own"):
        bucket(server.port, "owned").claim("crawl 2")
    assert place._list("") == ["owner"]


def test_a_store_that_overwrites_is_refused(tmp_path: Path) -> None:
    with rclone(tmp_path / "data") as port:
        place = bucket(port, "p", wait_seconds=5)
        with pytest.raises(StoreError, match=r"ignores If-None-Match.*use a store with conditional writes"):
            place.claim("crawl 1")
        assert place._list("") == []


def test_a_store_that_is_away_is_waited_for_so_long_and_no_secret_is_said() -> None:
    place = bucket(1, "p", wait_seconds=1)
    with pytest.raises(
        StoreError, match=r"s3://bucket/p did not answer as it should for 1 s: .*helios resume"
    ) as raised:
        place.claim("crawl 1")
    with pytest.raises(StoreError, match="s3://bucket/p") as other:
        opened(place).scan()
    for error in (raised, other):
        assert KEYS["AWS_SECRET_ACCESS_KEY"] not in f"{error.value!r} {error.value.__cause__}"
        assert "\n" not in str(error.value)


def test_wrong_keys_are_said(server: Weed) -> None:
    options = {"url": "s3://bucket/p", "endpoint": f"http://127.0.0.1:{server.port}", "allow_http": True}
    place = Bucket(load(store=options).store, {**KEYS, "AWS_SECRET_ACCESS_KEY": "wrong-secret"})
    with pytest.raises(StoreError, match="was refused: SignatureDoesNotMatch: ") as raised:
        place.claim("crawl 1")
    assert "wrong-secret" not in f"{raised.value} {raised.value.__cause__}"


def test_lost_answers_and_503s_lose_and_double_nothing(server: Weed) -> None:
    with proxied(Proxy(server.port, seed=3, share=0.25)) as proxy:
        store = opened(bucket(proxy.port, "faults", wait_seconds=60))
        published = []
        for number in range(20):
            name = staged(store, f"{number:02}")
            assert store.publish([name]) == 1
            published.append(name)
        assert store.publish(published) == 0
        proxy.share = 0
        assert urls(store) == [f"{number:02}" for number in range(20)]
        assert min(proxy.fates.values()) > 5, proxy.fates


def examined(port: int, monkeypatch: pytest.MonkeyPatch) -> Finding:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    url, endpoint = "s3://bucket/examined", f"http://127.0.0.1:{port}"
    found = there.store(load(store={"url": url, "endpoint": endpoint, "allow_http": True}))
    assert found is not None
    return found


def test_the_doctor_tells_a_store_that_keeps_its_word_from_one_that_does_not(
    server: Weed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert examined(server.port, monkeypatch).state == "ok"
    assert list(bucket(server.port, "examined")._list("")) == [], "nothing is left behind"
    with rclone(tmp_path) as port:
        found = examined(port, monkeypatch)
    assert found.state == "fail"
    assert "ignores If-None-Match" in found.says
