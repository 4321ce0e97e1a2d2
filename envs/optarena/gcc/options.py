"""The tables of GCC's options: for each option the finite list of its choices. Pure data.

A table is a document ``options-VERSION.toml`` that ``python -m optarena.gcc.build_options`` makes from what
GCC says about itself. People review it, since GCC's help does not tell which options are safe.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping  # noqa: TC003 # read by the dataclass
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from optarena.gcc import pinned

if TYPE_CHECKING:
    from collections.abc import Sequence

UNSET: Final = -1
"""The choice of an option that is not on the command line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GccOption:
    """One option of GCC.

    Attributes:
        name: Its name up to its value: ``-O``, ``-fgcse``, ``-fira-region=``, ``--param=max-hoist-depth=``.
        kind: ``level``, ``flag``, ``enum``, ``number`` or ``text``.
        choices: The words that choose its values, as they stand on a command line; at least one.
        default: Its value if it is not set, at ``-O0``; empty where GCC does not say.
        defaults: The levels at which it has another value, and that value.
        reason: Why no board takes it; empty if boards do.
        left_out: Words that no board takes, of an option that boards take.
    """

    name: str
    kind: str
    choices: tuple[str, ...]
    default: str = ""
    defaults: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def is_safe(self) -> bool:
        """Whether boards take it."""
        return not self.reason


class OptionTable:
    """The options of one GCC, in the order in which they stand on a command line.

    Args:
        name: The name of the table.
        options: Its options.
        others: Options of the same GCC that are not in this table, for messages.
    """

    def __init__(self, name: str, options: Sequence[GccOption], others: Sequence[GccOption] = ()) -> None:
        self.name = name
        self.options = tuple(options)
        self.others = tuple(others)

    @cached_property
    def by_word(self) -> Mapping[str, tuple[int, int]]:
        """The option and the choice of each word of a command line, by their numbers."""
        return {
            word: (index, choice)
            for index, option in enumerate(self.options)
            for choice, word in enumerate(option.choices)
        }

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """The number of each option."""
        return {option.name: index for index, option in enumerate(self.options)}

    def words(self, choices: Sequence[int]) -> list[str]:
        """The words of a command line that stand for choices, one for each option; ``UNSET`` for none."""
        return [
            option.choices[choice]
            for option, choice in zip(self.options, choices, strict=True)
            if choice != UNSET
        ]

    def version_spec(self) -> dict[str, Any]:
        """Everything that results depend on, as plain data."""
        return {
            "table": self.name,
            "options": [[option.name, list(option.choices)] for option in self.options],
        }


def _load(version: str) -> tuple[GccOption, ...]:
    text = resources.files("optarena.gcc").joinpath(f"options-{version}.toml").read_text("utf-8")
    return tuple(read(text))


def read(text: str) -> list[GccOption]:
    """The options of a document."""
    return [
        GccOption(
            name=entry["name"],
            kind=entry["kind"],
            choices=tuple(_words(entry["name"], entry["kind"], entry["values"])),
            default=entry.get("default", ""),
            defaults=entry.get("defaults", {}),
            reason=entry.get("reason", ""),
            left_out=tuple(entry["name"] + value for value in entry.get("left_out", ())),
        )
        for entry in tomllib.loads(text)["options"]
    ]


def _words(name: str, kind: str, values: Sequence[str]) -> list[str]:
    if kind == "flag":
        return [name, f"-fno-{name.removeprefix('-f')}"]
    return [name + value for value in values]


_ALL: Final = _load(f"{pinned.VERSION.rpartition('.')[0]}")
SAFE: Final = OptionTable(
    f"gcc-{pinned.VERSION.rpartition('.')[0]}-choices-v0",
    [one for one in _ALL if one.is_safe],
    [one for one in _ALL if not one.is_safe],
)
"""The options of the pinned GCC that boards take."""
