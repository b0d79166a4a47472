"""Credentials of an object store, from the usual places; never shown."""

from pathlib import Path

import pytest

from helios.errors import StoreError
from helios.settings import load
from helios.stores.credentials import Credentials
from helios.stores.objects import Bucket

KEYS = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hush", "AWS_SESSION_TOKEN": "token"}
FILES = "[default]\naws_access_key_id = of-default\naws_secret_access_key = hush\n[work]\naws_access_key_id = of-work\n"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "credentials").write_text(FILES)
    (tmp_path / ".aws" / "config").write_text("[default]\nregion = eu-west-3\n[profile work]\nregion = us-west-2\n")
    return {"HOME": str(tmp_path)}


def test_the_environment_comes_first(home: dict[str, str]) -> None:
    found = Credentials.found({**home, **KEYS, "AWS_DEFAULT_REGION": "eu-central-1"})
    assert found == Credentials("id", "hush", "token", "eu-central-1")


def test_then_the_profile(home: dict[str, str]) -> None:
    assert Credentials.found(home) == Credentials("of-default", "hush", None, "eu-west-3")
    assert Credentials.found({**home, "AWS_PROFILE": "work"}) == Credentials("of-work", None, None, "us-west-2")


def test_files_may_be_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(FILES)
    environ = {"HOME": "/nowhere", "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "keys")}
    assert Credentials.found(environ).access_key == "of-default"


def test_without_any_the_client_asks_the_machine() -> None:
    assert Credentials.found({"HOME": "/nowhere"}).keys() == {}


def test_a_profile_that_signs_in_elsewhere_is_explained(home: dict[str, str]) -> None:
    with pytest.raises(StoreError, match=r"AWS_PROFILE=sso names a profile without keys; .*export-credentials"):
        Credentials.found({**home, "AWS_PROFILE": "sso"})


def test_a_damaged_file_is_said_without_repeating_it(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("aws_secret_access_key = hush\n")
    with pytest.raises(StoreError, match="cannot be read: MissingSectionHeaderError") as raised:
        Credentials.found({"HOME": "/nowhere", "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "keys")})
    assert "hush" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_they_are_in_no_repr() -> None:
    shown = repr(Credentials.found({**KEYS, "AWS_REGION": "eu-west-3"}))
    assert shown == "Credentials(region='eu-west-3')"


@pytest.mark.parametrize(
    "url", ["https://bucket/prefix", "s3://", "s3://key:secret@bucket/p", "s3://bucket/p?x=1", "x"]
)
def test_an_address_that_does_not_do_is_explained_without_repeating_it(url: str) -> None:
    with pytest.raises(StoreError, match=r'give "s3://bucket/prefix"') as raised:
        Bucket(load(store={"url": url}).store, KEYS)
    assert "secret@" not in str(raised.value)
