"""The same small settings table written three ways; shows what a person sees when a value is wrong.

Usage: python settings.py     (times: see start_up.py)
"""

import dataclasses
import time

GOOD = {"delay": 1.0, "max_pages": 1000, "user_agent": "helios"}
BAD = {
    "unknown key": GOOD | {"dleay": 2.0},
    "wrong type": GOOD | {"max_pages": "many"},
    "out of range": GOOD | {"delay": 0.1},
    "nested, wrong type": GOOD | {"robots": {"cache_seconds": "long"}},
}


def with_msgspec():
    from typing import Annotated

    import msgspec

    class Robots(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
        cache_seconds: Annotated[int, msgspec.Meta(ge=0)] = 86_400

    class Crawl(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
        delay: Annotated[float, msgspec.Meta(ge=1.0)] = 1.0
        max_pages: Annotated[int, msgspec.Meta(ge=1)] = 1000
        user_agent: str
        robots: Robots = Robots()

    return lambda values: msgspec.convert(values, Crawl)


def with_pydantic():
    from pydantic import BaseModel, ConfigDict, Field

    class Robots(BaseModel):
        model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
        cache_seconds: int = Field(86_400, ge=0)

    class Crawl(BaseModel):
        model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
        delay: float = Field(1.0, ge=1.0)
        max_pages: int = Field(1000, ge=1)
        user_agent: str
        robots: Robots = Robots()

    return lambda values: Crawl(**values)


def with_dataclasses():
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Robots:
        cache_seconds: int = 86_400

        def __post_init__(self):
            check(isinstance(self.cache_seconds, int), "robots.cache_seconds", "an int", self.cache_seconds)
            check(self.cache_seconds >= 0, "robots.cache_seconds", ">= 0", self.cache_seconds)

    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Crawl:
        delay: float = 1.0
        max_pages: int = 1000
        user_agent: str
        robots: Robots = dataclasses.field(default_factory=Robots)

        def __post_init__(self):
            check(isinstance(self.delay, (int, float)), "delay", "a number", self.delay)
            check(self.delay >= 1.0, "delay", ">= 1.0", self.delay)
            check(isinstance(self.max_pages, int), "max_pages", "an int", self.max_pages)
            check(self.max_pages >= 1, "max_pages", ">= 1", self.max_pages)

    def check(holds, name, want, got):
        if not holds:
            raise ValueError(f"{name}: expected {want}, got {got!r}")

    def read(values):
        values = dict(values)
        if "robots" in values:
            values["robots"] = Robots(**values["robots"])
        return Crawl(**values)

    return read


def main() -> None:
    for make in (with_msgspec, with_pydantic, with_dataclasses):
        read = make()
        start = time.process_time()
        for _ in range(20_000):
            read(GOOD)
        each = (time.process_time() - start) / 20_000 * 1e6
        print(f"\n== {make.__name__}: {each:.2f} us per reading")
        for name, values in BAD.items():
            try:
                print(f"{name}: NOT NOTICED {read(values)}")
            except Exception as wrong:  # noqa: BLE001 - the message is what we look at
                print(f"{name}: {type(wrong).__name__}: {wrong}")
        try:
            read(GOOD).delay = 5.0
            print("NOT FROZEN")
        except Exception as wrong:  # noqa: BLE001
            print(f"assignment: {type(wrong).__name__}: {wrong}")


if __name__ == "__main__":
    main()
