"""SETTINGS: frozen values, one table per stage, unknown keys refused, every default explained with its unit.

In: a TOML file, the environment and overrides, each on top of the one before. Out: one `Settings`. Always: what is in
a `Settings` has been checked, and nothing here does anything but read that one file.

* `tables.py`: all of them; `choosing.py`, `fetching.py`, `keeping.py`, `seeing.py`: each table with its defaults
* `parameters.py`: defaults that are long lists
* `load.py`: file + environment + overrides -> layers; `environment.py`: the variables
* `assemble.py`: layers -> Settings, or sentences that say what would do
* `toml.py`: Settings -> TOML with its explanations, as kept in the crawl's folder; a file to begin with
* `secrets.py`: Settings without passwords; `reference.py`: docs/settings.md
"""

from helios.settings.load import load, require_contact
from helios.settings.tables import Settings
from helios.settings.toml import to_toml

__all__ = ["Settings", "load", "require_contact", "to_toml"]
