"""A resume that fails lets go of the folder, whoever still holds the error."""

from pathlib import Path

import pytest

import helios
from helios.clock import SystemClock
from helios.errors import FolderError, SettingsError
from helios.folder import Folder, create
from helios.settings import Settings, load
from helios.stages import build


@pytest.fixture
def settings() -> Settings:
    return load(contact="test@localhost")


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Folder:
    """Of a crawl that ended before it had seeds."""
    made = create(tmp_path / "crawl", settings)
    build(settings, made, SystemClock()).close()
    return made


def test_a_folder_whose_resume_failed_can_be_opened_again_at_once(folder: Folder, settings: Settings) -> None:
    with pytest.raises(FolderError, match="ended before its seeds") as held:
        helios.resume(folder.path)
    build(settings, folder, SystemClock()).close()
    assert held.tb is not None, "a notebook keeps the error, and with it all that its frames hold"


def test_a_crawl_that_has_no_seeds_yet_is_not_finished(folder: Folder) -> None:
    assert helios.open(folder.path).status().state == "stopped"


def test_parts_that_were_opened_are_closed_when_a_later_one_fails(
    folder: Folder, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise SettingsError("there is no such model")

    with monkeypatch.context() as patched:
        patched.setattr("helios.stages.open_stage", broken)
        with pytest.raises(SettingsError) as held:
            build(settings, folder, SystemClock())
    build(settings, folder, SystemClock()).close()
    assert held.tb is not None


def test_an_extractor_that_is_closed_says_so(folder: Folder, settings: Settings) -> None:
    stages = build(settings, folder, SystemClock())
    stages.close()
    with pytest.raises(RuntimeError, match="the extractor is closed"):
        stages.extractor.commit()
