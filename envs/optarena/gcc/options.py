"""The tables of GCC's options: for each option the finite list of its choices. Pure data.

A table is a document ``options-VERSION.toml`` that ``python -m optarena.gcc.build_options`` makes from what
GCC says about itself. People review it, since GCC's help does not tell which options are safe.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from typing import Any, Final, overload

from optarena.errors import InvalidInput
from optarena.gcc import pinned

UNSET: Final = -1
"""The choice of an option that is not on the command line."""
LARGEST_NUMBER: Final = 2**31 - 1
"""The largest value of a parameter without a range."""
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class NumberWords(Sequence[str]):
    """The words of all numbers of a range, made when they are asked for.

    Attributes:
        name: The name of the option.
        numbers: The numbers.
    """

    name: str
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> NumberWords: ...

    def __getitem__(self, index: int | slice) -> str | NumberWords:
        if isinstance(index, slice):
            return NumberWords(self.name, self.numbers[index])
        return f"{self.name}{self.numbers[index]}"


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
        whole: The first and the last of all numbers that it takes; None for other kinds.
    """

    name: str
    kind: str
    choices: Sequence[str]
    default: str = ""
    defaults: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    left_out: tuple[str, ...] = ()
    whole: tuple[int, int] | None = None

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

    def read_choices(self, text: str) -> tuple[int, ...]:
        """The choices in a text that lists them with commas between: ``1,-1,0``.

        Raises:
            InvalidInput: It does not list one number for each option, or one of them is out of range.
        """
        texts = text.split(",")
        if len(texts) != len(self.options):
            raise InvalidInput(
                f"choices has {len(texts)} numbers.",
                field="choices",
                value=text[:_SHOWN],
                remedy=f"Give {len(self.options)} numbers with commas between, one for each option.",
            )
        read = ((one, _number(one)) for one in texts)
        return tuple(self.check_choice(option, *one) for option, one in zip(self.options, read, strict=True))

    @staticmethod
    def check_choice(option: GccOption, given: object, number: int | None) -> int:
        """A choice of an option.

        Args:
            option: The option.
            given: What was given for it.
            number: The same as a number; None if it is none.

        Raises:
            InvalidInput: It is not a number, or out of range.
        """
        if number is None or not UNSET <= number < len(option.choices):
            raise InvalidInput(
                f"choices: the number for {option.name} is {given!r:.100}.",
                field="choices",
                value=given,
                remedy=f"Give an integer from {UNSET} to {len(option.choices) - 1}.",
            )
        return number

    def version_spec(self) -> dict[str, Any]:
        """Everything that results depend on, as plain data."""
        return {
            "table": self.name,
            "options": [[option.name, list(option.choices)] for option in self.options],
        }


def _number(text: str) -> int | None:
    """The number that a text is; None if it is none, or far beyond any choice."""
    digits = text.strip().removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_NUMBER))
    return int(text) if is_number else None


def safe_table(version: str, options: Sequence[GccOption]) -> OptionTable:
    """The options that boards would take, of all options of a GCC."""
    safe = [one for one in options if one.is_safe]
    return OptionTable(f"gcc-{version}-choices-v0", safe, [one for one in options if not one.is_safe])


def unsafe_table(version: str, options: Sequence[GccOption]) -> OptionTable:
    """All options of a GCC that have values, with those values that boards never take."""
    every = [replace(one, choices=(*one.choices, *one.left_out), left_out=(), reason="") for one in options]
    return OptionTable(f"gcc-{version}-unsafe-v0", [one for one in every if one.choices])


def whole_table(table: OptionTable, name: str) -> OptionTable:
    """The same options; those that are numbers have all numbers of their range."""
    return OptionTable(name, [_whole(one) for one in table.options], table.others)


def _whole(option: GccOption) -> GccOption:
    if option.whole is None:
        return option
    first, last = option.whole
    return replace(option, choices=NumberWords(option.name, range(first, last + 1)))


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
            whole=tuple(entry["range"]) if "range" in entry else None,
        )
        for entry in tomllib.loads(text)["options"]
    ]


def _words(name: str, kind: str, values: Sequence[str]) -> list[str]:
    if kind == "flag":
        return [name, f"-fno-{name.removeprefix('-f')}"]
    return [name + value for value in values]


_VERSION: Final = pinned.VERSION.rpartition(".")[0]
_ALL: Final = _load(_VERSION)
SAFE: Final = safe_table(_VERSION, _ALL)
"""The options of the pinned GCC that boards take."""
UNSAFE: Final = unsafe_table(_VERSION, _ALL)
"""All options of the pinned GCC."""
