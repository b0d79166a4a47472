"""The folder of one crawl: helios.toml (its settings), pages.lance (the table), staged/ (written, not yet visible)."""

from dataclasses import dataclass
from pathlib import Path

from helios.errors import FolderError
from helios.settings import Settings, load, to_toml


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the parts of one crawl are."""

    path: Path

    @property
    def settings_file(self) -> Path:
        """The settings in use, and the mark of a crawl folder."""
        return self.path / "helios.toml"

    @property
    def pages(self) -> Path:
        """The page table, a Lance dataset."""
        return self.path / "pages.lance"

    @property
    def staged(self) -> Path:
        """Lists of data files that are written and not yet visible."""
        return self.path / "staged"

    def settings(self) -> Settings:
        """The settings that the crawl ran with."""
        return load(self.settings_file)


def create(path: Path, settings: Settings) -> Folder:
    """A new folder for a crawl. One that holds anything already is refused: nothing is ever overwritten."""
    folder = Folder(path)
    try:
        if folder.settings_file.exists():
            raise FolderError(f"{path} already holds a crawl; give another folder with --out, or remove that one")
        if path.is_dir() and any(path.iterdir()):
            raise FolderError(f"{path} is not empty and holds no crawl; give a new folder with --out")
        folder.staged.mkdir(parents=True)
        folder.settings_file.write_text(to_toml(settings), encoding="utf-8")
    except OSError as error:
        raise FolderError(f"the folder {path} cannot be written: {error.strerror}; give another with --out") from error
    return folder


def existing(path: Path) -> Folder:
    """The folder of a crawl that was made before."""
    folder = Folder(path)
    try:
        if folder.settings_file.is_file():
            return folder
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror}") from error
    if not path.exists():
        raise FolderError(f"there is no folder {path}")
    raise FolderError(f"{path} holds no crawl (there is no helios.toml in it)")
