"""Every example of docs/reading.md runs."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.steps import Program, helios_commands, steps
from helios.cli import main
from helios.reading.filters import Choice
from reading.rows import page, store


@pytest.fixture
def text(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    words = "The river runs under the silver bridge and through the forest. " * 5
    store(tmp_path / "example", [page("", site="example.org", text=words), page("b", text="A house by the bridge.")])
    monkeypatch.chdir(tmp_path)
    return (root / "docs" / "reading.md").read_text(encoding="utf-8")


def test_the_commands_run(text: str) -> None:
    commands = list(helios_commands(text))
    assert len(commands) >= 12
    for command in commands:
        words = command.words[1:]
        if words[0] == "sql":
            pytest.importorskip("duckdb", reason="duckdb is not installed")
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{command}\n{result.output}"
        assert result.output, command


def test_the_python_examples_run(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    names: dict[str, object] = {}
    for step in steps(text):
        if isinstance(step, Program):
            exec(step.text, names)  # noqa: S102  # our own docs
    shown = capsys.readouterr().out
    assert "2 pages" in shown
    assert "**silver bridge**" in shown or "**silver** **bridge**" in shown


def test_every_filter_is_described(text: str) -> None:
    for name in (*Choice.__annotations__, "latest"):
        assert f"`{name}=" in text
