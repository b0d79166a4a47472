"""The size budget: files of at most 450 lines, Python functions of at most 70 (clippy counts the Rust ones)."""

import ast
import subprocess
from pathlib import Path

FILE, FUNCTION = 450, 70


def files(root: Path, suffix: str) -> list[Path]:
    """Tracked files, and new ones that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", f"*{suffix}"]
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive
        skipped = {"target", ".venv", ".make", "dist"}
        listed = [
            str(path.relative_to(root))
            for path in root.rglob(f"*{suffix}")
            if not skipped.intersection(path.relative_to(root).parts)
        ]
    return [root / name for name in listed if (root / name).is_file()]


def test_no_file_is_too_long(root: Path) -> None:
    lengths = {path: len(path.read_text().splitlines()) for suffix in (".py", ".rs") for path in files(root, suffix)}
    assert {str(path.relative_to(root)): length for path, length in lengths.items() if length > FILE} == {}


def test_no_python_function_is_too_long(root: Path) -> None:
    long = {}
    for path in files(root, ".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > FUNCTION:
                    long[f"{path.relative_to(root)}:{node.name}"] = length
    assert long == {}
