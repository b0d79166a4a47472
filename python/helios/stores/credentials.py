"""Credentials of an object store, from the usual places: the environment, then the profile in ~/.aws.

Found in neither, the client asks the machine for its role, as the AWS tools do, and renews what it is given.
"""

import configparser
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from helios.errors import StoreError


@dataclass(frozen=True, slots=True)
class Credentials:
    """Never shown: none of it is in its repr."""

    access_key: str | None = field(default=None, repr=False)
    secret_key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    region: str | None = None

    @classmethod
    def found(cls, environ: Mapping[str, str]) -> "Credentials":
        """The first place that has them decides."""
        region = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION")
        if environ.get("AWS_ACCESS_KEY_ID"):
            return cls(
                environ["AWS_ACCESS_KEY_ID"],
                environ.get("AWS_SECRET_ACCESS_KEY"),
                environ.get("AWS_SESSION_TOKEN"),
                region,
            )
        return cls._of_profile(environ, region)

    @classmethod
    def _of_profile(cls, environ: Mapping[str, str], region: str | None) -> "Credentials":
        home = Path(environ.get("HOME", "~")).expanduser() / ".aws"
        asked = environ.get("AWS_PROFILE")
        profile = asked or "default"
        keys = _section(Path(environ.get("AWS_SHARED_CREDENTIALS_FILE", home / "credentials")), profile)
        named = profile if profile == "default" else f"profile {profile}"
        config = _section(Path(environ.get("AWS_CONFIG_FILE", home / "config")), named)
        both = {**config, **keys}
        if asked and "aws_access_key_id" not in both:
            raise StoreError(
                f"AWS_PROFILE={asked} names a profile without keys; for one that signs in elsewhere, run "
                "aws configure export-credentials --format env first"
            )
        return cls(
            both.get("aws_access_key_id"),
            both.get("aws_secret_access_key"),
            both.get("aws_session_token"),
            region or both.get("region"),
        )

    def keys(self) -> dict[str, str]:
        """As Lance and the client of small objects take them; empty: the machine's role."""
        named = {
            "aws_access_key_id": self.access_key,
            "aws_secret_access_key": self.secret_key,
            "aws_session_token": self.token,
        }
        return {name: value for name, value in named.items() if value}


def _section(file: Path, name: str) -> dict[str, str]:
    parser = configparser.RawConfigParser()
    try:
        parser.read(file, encoding="utf-8")
    except (OSError, UnicodeDecodeError, configparser.Error) as error:  # whose message may repeat a line of the file
        raise StoreError(f"the credentials in {file} cannot be read: {type(error).__name__}") from None
    return dict(parser.items(name)) if parser.has_section(name) else {}
