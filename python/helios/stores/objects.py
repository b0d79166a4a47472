"""A page table in an object store: anything that speaks S3 and honours `If-None-Match: *`.

A store that ignores it overwrites what another writer has committed, and nobody is told; so it is asked first, and
refused. Credentials come from where the AWS tools look for them; they are in no setting, message or file of ours.
"""

import datetime
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from helios.errors import StoreError
from helios.settings.keeping import Store as StoreSettings
from helios.stores.credentials import Credentials
from helios.stores.place import said

if TYPE_CHECKING:
    from obstore.store import S3Store

OWNER = "owner"  # the object that says whose prefix this is
REFUSAL = re.compile(r"<Code>([^<]+)</Code>\s*<Message>([^<]+)</Message>")
RETRIED = "retries, max_retries"  # in what the clients say when they have asked again
RETRIES = 1_000  # the time decides, not the count
LANCE_TRIES = 7  # Lance asks again as often as this when the time is over (seen, pylance 14)


class Bucket:
    """A prefix of a bucket: the table in `pages.lance`, small objects in `staged`."""

    def __init__(self, settings: StoreSettings, environ: Mapping[str, str]) -> None:
        bucket, prefix = _parts(settings.url or "")
        self.name = settings.url or ""
        self.uri = f"s3://{'/'.join(part for part in (bucket, prefix, 'pages.lance') if part)}"
        self._wait = settings.wait_seconds
        who = Credentials.found(environ)
        region = settings.region or who.region or "us-east-1"
        keys = who.keys()
        self.options: dict[str, str] | None = {
            **keys,
            "aws_region": region,
            "allow_http": str(settings.allow_http).lower(),
            "client_max_retries": str(RETRIES),
            "client_retry_timeout": str(max(self._wait // LANCE_TRIES, 1)),
            **({"aws_endpoint": settings.endpoint} if settings.endpoint else {}),
        }
        endpoint = {"endpoint": settings.endpoint} if settings.endpoint else {}
        self._objects = _opened(bucket, prefix, {**keys, **endpoint, "region": region}, settings)

    def claim(self, owner: str) -> None:
        """Refuses a store that overwrites, and a prefix that is another crawl's."""
        self.probe()
        if not self._create(OWNER, owner.encode()):
            raise StoreError(f"{self.name} belongs to another crawl; give this one a prefix of its own")

    def probe(self) -> None:
        """The same object twice: the second must be refused."""
        key = f"probe-{uuid.uuid4()}"
        try:
            first, second = self._create(key, b"first"), self._create(key, b"second")
        finally:
            with suppress(StoreError):
                self._delete([key])
        if not first or second:
            raise StoreError(
                f"{self.name} overwrites what was to be created only if absent (it ignores If-None-Match): two writers "
                "would lose each other's pages without a word; use a store with conditional writes, such as S3, "
                "SeaweedFS, R2 or Ceph, or a folder on a disk"
            )

    def exists(self) -> bool:
        """Is there a manifest?"""
        return any(path.endswith(".manifest") for path in self._list("pages.lance/_versions/"))

    def names(self) -> list[str]:
        """Of the small objects."""
        return sorted(path.rpartition("/")[2] for path in self._list("staged/"))

    def get(self, name: str) -> bytes | None:
        """The whole object."""
        return self._get(f"staged/{name}")

    def put(self, name: str, content: bytes) -> None:
        """A list is made once; anything else is replaced."""
        if not name.endswith(".json"):
            with self._plainly("writing"):
                self._objects.put(f"staged/{name}", content)
        elif not self._create(f"staged/{name}", content):
            raise StoreError(f"{self.name}: {name} was staged by someone else; one crawl per prefix")

    def remove(self, names: Iterable[str]) -> None:
        """A store's answer is durable."""
        self._delete([f"staged/{name}" for name in names])

    def keep(self, files: Iterable[str]) -> None:
        """What a store has answered for is durable already."""

    def delete(self, files: Iterable[str]) -> None:
        """Objects of the table."""
        self._delete([f"pages.lance/{file}" for file in files])

    def _create(self, key: str, content: bytes) -> bool:
        """False when another object is there. The answer to our own may be lost and asked for again: that is ours."""
        from obstore.exceptions import AlreadyExistsError  # noqa: PLC0415  # an extra

        with self._plainly("writing"):
            try:
                self._objects.put(key, content, mode="create")
            except AlreadyExistsError:
                return self._get(key) == content
        return True

    def _get(self, key: str) -> bytes | None:
        with self._plainly("reading"):
            try:
                return bytes(self._objects.get(key).bytes())
            except FileNotFoundError:
                return None

    def _list(self, prefix: str) -> list[str]:
        with self._plainly("listing"):
            return [str(one["path"]) for batch in self._objects.list(prefix) for one in batch]

    def _delete(self, keys: list[str]) -> None:
        if keys:
            with self._plainly("removing"):
                self._objects.delete(keys)

    @contextmanager
    def _plainly(self, doing: str) -> Iterator[None]:
        """What the client says; requests carry no secret in their address."""
        from obstore.exceptions import BaseError  # noqa: PLC0415  # an extra

        try:
            yield
        except (BaseError, OSError) as error:
            raise StoreError(self.explained(doing, error)) from error

    def explained(self, doing: str, error: Exception) -> str:
        """The store's own words, when it has said no; else how long it was asked."""
        if refusal := REFUSAL.search(str(error)):
            return f"{doing} in {self.name} was refused: {refusal[1]}: {refusal[2]}"
        asked = f"{self.name} did not answer as it should for {self._wait} s" if RETRIED in str(error) else self.name
        return (
            f"{doing}: {asked}: {said(error).partition(' Debug source:')[0]}; nothing is lost: try helios resume later"
        )


def _opened(bucket: str, prefix: str, config: dict[str, str], settings: StoreSettings) -> "S3Store":
    try:
        from obstore.store import S3Store  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise StoreError(
            f"{settings.url} needs the client for object stores: pip install 'helios-crawler[s3]'"
        ) from error
    patience = datetime.timedelta(seconds=settings.wait_seconds)
    short, long = datetime.timedelta(milliseconds=100), datetime.timedelta(seconds=5)
    retry: Any = {
        "max_retries": RETRIES,
        "retry_timeout": patience,
        "backoff": {"init_backoff": short, "max_backoff": long, "base": 2},
    }
    client: Any = {"allow_http": settings.allow_http}
    known: Any = config
    return S3Store(bucket, prefix=prefix or None, config=known, client_options=client, retry_config=retry)


def _parts(url: str) -> tuple[str, str]:
    """Bucket and prefix."""
    parts = urlsplit(url)
    if parts.scheme != "s3" or not parts.netloc or "@" in parts.netloc or parts.query or parts.fragment:
        raise StoreError(
            '[store] url does not do: give "s3://bucket/prefix" (credentials come from the environment or from '
            "~/.aws/credentials, never from here)"
        )
    return parts.netloc, parts.path.strip("/")
