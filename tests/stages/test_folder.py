"""The crawl's folder: made once, never overwritten."""

import fcntl
import os
import threading
from pathlib import Path

import pytest

import helios
from helios.errors import FolderError, SettingsError
from helios.folder import beginning, create, existing
from helios.settings import load


def test_a_new_folder_keeps_its_settings(tmp_path: Path) -> None:
    settings = load(max_pages=9)
    create(tmp_path / "deep" / "one", settings)
    assert existing(tmp_path / "deep" / "one").settings() == settings


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    assert create(tmp_path, load()).settings_file.is_file()


def test_a_folder_with_a_crawl_is_refused(tmp_path: Path) -> None:
    create(tmp_path, load())
    with pytest.raises(FolderError, match="already holds a crawl"):
        create(tmp_path, load())


def test_a_folder_with_anything_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").touch()
    with pytest.raises(FolderError, match="is not empty"):
        create(tmp_path, load())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.doc"]


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderError, match="cannot be written: Not a directory; give another with --out"):
        create(tmp_path / "file" / "crawl", load())


def test_a_folder_that_is_no_crawl_is_explained(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"holds no crawl \(there is no helios.toml"):
        existing(tmp_path)
    with pytest.raises(FolderError, match="there is no folder"):
        existing(tmp_path / "none")


def test_a_crawl_that_was_killed_before_its_settings_were_written_can_begin_again(tmp_path: Path) -> None:
    (tmp_path / "staged").mkdir()
    (tmp_path / "helios.new").write_text("[craw")
    assert create(tmp_path, load(max_pages=9)).settings().crawl.max_pages == 9


def test_staged_files_without_settings_are_somebodys(tmp_path: Path) -> None:
    (tmp_path / "staged").mkdir()
    (tmp_path / "staged" / "7").touch()
    with pytest.raises(FolderError, match="is not empty"):
        create(tmp_path, load())


def test_a_folder_says_how_it_was_made_and_goes_on_saying_so(tmp_path: Path) -> None:
    folder = create(tmp_path, load())
    made = folder.made()
    assert set(made) == {"helios", "at", "id"}
    assert made["helios"] == helios.__version__
    folder.write(load(max_pages=9))
    assert existing(tmp_path).made() == made
    assert existing(tmp_path).settings() == load(max_pages=9)


def test_the_settings_of_one_crawl_make_another_crawl(tmp_path: Path) -> None:
    one = create(tmp_path / "one", load(max_pages=9))
    other = create(tmp_path / "other", load(one.settings_file))
    assert other.settings() == one.settings()
    assert other.id() != one.id()


def test_a_folder_of_another_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    folder = create(tmp_path, load())
    text = folder.settings_file.read_text()
    folder.settings_file.write_text(text.replace("format = 2", "format = 1"))
    with pytest.raises(FolderError, match=r"was made by Helios .* in format 1, and this version reads format 2"):
        existing(tmp_path)
    folder.settings_file.write_text(text.replace("format = 2", "format = 9"))
    with pytest.raises(SettingsError, match="has format = 9"):
        existing(tmp_path)


def test_settings_that_a_person_wrote_are_no_crawl(tmp_path: Path) -> None:
    mine = "# mine\n[crawl]\nmax_pages = 3\n"
    (tmp_path / "helios.toml").write_text(mine)
    with pytest.raises(FolderError, match=r"holds no crawl \(its helios.toml was not written by one"):
        existing(tmp_path)
    with pytest.raises(FolderError, match="is not empty"):
        create(tmp_path, load())
    assert (tmp_path / "helios.toml").read_text() == mine


def test_whoever_begins_in_a_folder_waits_for_whoever_came_first(tmp_path: Path) -> None:
    came: list[str] = []

    def second() -> None:
        with beginning(tmp_path):
            came.append("second")

    thread = threading.Thread(target=second)
    with beginning(tmp_path):
        thread.start()
        with pytest.raises(BlockingIOError):
            is_free(tmp_path)
        came.append("first")
    thread.join()
    assert came == ["first", "second"]
    assert is_free(tmp_path)


def is_free(folder: Path) -> bool:
    """Whether nobody begins there; raises if somebody does."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(handle)
    return True


def test_a_folder_that_was_given_up_meanwhile_is_made_again(tmp_path: Path) -> None:
    found: list[bool] = []

    def second() -> None:
        with beginning(tmp_path / "crawl"):
            found.append((tmp_path / "crawl").is_dir())

    thread = threading.Thread(target=second)
    with beginning(tmp_path / "crawl"):
        thread.start()
        thread.join(0.1)
        (tmp_path / "crawl").rmdir()
    thread.join()
    assert found == [True]
