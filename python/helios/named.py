"""Functions that settings name: `module:function`. Modules of the folder we are in are found, too."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from helios.errors import SettingsError


def named(name: str, key: str, more: str = "") -> Callable[..., Any]:
    """The function of that name; `key` is the setting that names it, `more` what else would do."""
    try:
        found = find(name)
    except (Exception, SystemExit) as error:  # a module may do anything while it is imported
        raise SettingsError(
            f'{key} = "{name}" cannot be used ({type(error).__name__}: {error}): it is module:function, such as '
            f'"shop:price"{more}'
        ) from error
    if not callable(found):
        raise SettingsError(f'{key} = "{name}" is no function')
    return cast("Callable[..., Any]", found)


def name_of(function: Callable[..., Any]) -> str:
    """How settings call a function that was handed over; `given:` if no module has it."""
    inside = getattr(function, "__qualname__", type(function).__qualname__)
    name = f"{getattr(function, '__module__', None)}:{inside}"
    try:
        return name if find(name) is function else f"given:{inside}"
    except (ImportError, AttributeError):
        return f"given:{inside}"


def find(name: str) -> object:
    """Whatever has that name."""
    module, _, inside = name.partition(":")
    here = str(Path.cwd())
    sys.path.append(here)  # last: nothing that is installed is hidden
    try:
        found: object = importlib.import_module(module)
    finally:
        sys.path.remove(here)
    for part in inside.split("."):
        found = getattr(found, part)
    return found
