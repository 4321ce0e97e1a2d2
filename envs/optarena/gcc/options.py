"""The tables of GCC's options: for each option the finite list of its choices. Pure data.

``python -m optarena.gcc.build_options`` makes ``options-VERSION.json`` from what GCC says about itself.
People review it, since GCC's help does not tell which options are safe.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from typing import Any, Final, overload

from optarena import limits
from optarena.actions import NamedActions, components
from optarena.errors import InvalidCommandline, InvalidInput
from optarena.gcc import pinned
from optarena.suggestions import did_you_mean

UNSET: Final = -1  # the choice of an option that is not on the command line
LARGEST_NUMBER: Final = 2**31 - 1  # of a parameter without a range
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class NumberWords(Sequence[str]):
    """The words of all numbers of a range, made when they are asked for."""

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
    name: str  # up to its value: -O, -fgcse, -fira-region=, --param=max-hoist-depth=
    kind: str  # level (-O); flag, which can be negated; enum; number; or text, of unknown values
    choices: Sequence[str]  # the words that choose its values, as they stand on a command line
    default: str = ""  # its value if it is not set, at -O0; empty where GCC does not say
    # the levels at which it has another value, and that value
    defaults: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""  # why no board takes it; empty if boards do
    left_out: tuple[str, ...] = ()  # words that no board takes, of an option that boards take
    whole: tuple[int, int] | None = None  # the first and the last of all numbers that it takes


class OptionTable:
    """The options of one GCC, in the order of a command line. Messages name the reasons of ``others``."""

    def __init__(self, name: str, options: Sequence[GccOption], others: Sequence[GccOption] = ()) -> None:
        self.name = name
        self.options = tuple(options)
        self.others = tuple(others)

    def __repr__(self) -> str:
        return f"<OptionTable {self.name!r}: {len(self.options)} options>"

    @cached_property
    def by_word(self) -> Mapping[str, tuple[int, int]]:  # the numbers of the option and of the choice
        return {
            word: (index, choice)
            for index, option in enumerate(self.options)
            for choice, word in enumerate(option.choices)
        }

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        return {option.name: index for index, option in enumerate(self.options)}

    def words(self, choices: Sequence[int]) -> list[str]:
        return [
            option.choices[choice]
            for option, choice in zip(self.options, choices, strict=True)
            if choice != UNSET
        ]

    def read_choices(self, text: str) -> tuple[int, ...]:  # a text such as 1,-1,0
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
        if number is None or not UNSET <= number < len(option.choices):
            raise InvalidInput(
                f"choices: the number for {option.name} is {given!r:.100}.",
                field="choices",
                value=given,
                remedy=f"Give an integer from {UNSET} to {len(option.choices) - 1}.",
            )
        return number

    def version_spec(self) -> dict[str, Any]:
        return {
            "table": self.name,
            "options": [[option.name, list(option.choices)] for option in self.options],
        }


def _number(text: str) -> int | None:  # None, too, for a number far beyond any choice
    digits = text.strip().removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_NUMBER))
    return int(text) if is_number else None


def safe_table(version: str, options: Sequence[GccOption]) -> OptionTable:
    safe = [one for one in options if not one.reason]
    return OptionTable(f"gcc-{version}-choices-v0", safe, [one for one in options if one.reason])


def unsafe_table(version: str, options: Sequence[GccOption]) -> OptionTable:
    # With those values that boards never take.
    every = [replace(one, choices=(*one.choices, *one.left_out), left_out=(), reason="") for one in options]
    return OptionTable(f"gcc-{version}-unsafe-v0", [one for one in every if one.choices])


def whole_table(table: OptionTable, name: str) -> OptionTable:
    # Options that are numbers get all numbers of their range.
    def whole(option: GccOption) -> GccOption:
        if option.whole is None:
            return option
        first, last = option.whole
        return replace(option, choices=NumberWords(option.name, range(first, last + 1)))

    return OptionTable(name, [whole(one) for one in table.options], table.others)


def read(text: str) -> list[GccOption]:
    return [
        GccOption(
            name=entry["name"],
            kind=entry["kind"],
            choices=option_words(entry["name"], entry["kind"], entry["values"]),
            default=entry.get("default", ""),
            defaults=entry.get("defaults", {}),
            reason=entry.get("reason", ""),
            left_out=tuple(entry["name"] + value for value in entry.get("left_out", ())),
            whole=tuple(entry["range"]) if "range" in entry else None,
        )
        for entry in json.loads(text)["options"]
    ]


def option_words(name: str, kind: str, values: Sequence[str]) -> tuple[str, ...]:
    if kind == "flag":
        return name, f"-fno-{name.removeprefix('-f')}"
    return tuple(name + value for value in values)


_VERSION: Final = pinned.VERSION.rpartition(".")[0]
_ALL: Final = read(resources.files("optarena.gcc").joinpath(f"options-{_VERSION}.json").read_text("utf-8"))
SAFE: Final = safe_table(_VERSION, _ALL)
UNSAFE: Final = unsafe_table(_VERSION, _ALL)


PROGRAM: Final = "gcc"
# The end of every command line: what is compiled, and into what.
FILES: Final = ("-c", "program.c", "-o", "program.o")
SEMANTICS: Final = 1  # raise this when an action means something else
_SHOWN_COMMANDLINE: Final = 200


def command(options: OptionTable, choices: Sequence[int]) -> str:
    return " ".join((PROGRAM, *options.words(choices), *FILES))


@dataclass(frozen=True)
class ChoiceTable:
    """Actions that each choose a value for one option.

    An action is a pair: the number of an option, and the number of its value, counted from 1; 0 takes the
    option from the command line. Numbers beyond an option's last value begin again from 0, so that every
    member of the space is an action, and each of an option's values is as likely as the others;
    :meth:`check` gives the plain number. Choosing for an option again replaces what was chosen.

    A command line says what was chosen in the end: :meth:`parse` of :meth:`commandline` gives one action for
    each option that it has, in the table's order, and these lead to the same state.
    """

    options: OptionTable

    @cached_property
    def sizes(self) -> tuple[int, int]:
        most = max(len(option.choices) for option in self.options.options)
        return len(self.options.options), most + 1

    @property
    def name(self) -> str:
        return self.options.name

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(option.name for option in self.options.options)

    def version_spec(self) -> dict[str, Any]:
        return {**self.options.version_spec(), "semantics": SEMANTICS}

    def check(self, action: object, position: int | None = None) -> tuple[int, ...]:
        option, value = components(action, self.sizes, position)
        return option, value % (len(self.options.options[option].choices) + 1)

    def text(self, action: Sequence[int]) -> str:  # as -fno-gcse or unset:-fgcse
        option, value = self.options.options[action[0]], action[1]
        return option.choices[value - 1] if value else f"unset:{option.name}"

    def applied(self, actions: Iterable[Any]) -> tuple[int, ...]:
        choices = [UNSET] * len(self.options.options)
        for position, action in enumerate(actions):
            option, value = self.check(action, position)
            choices[option] = value - 1
        return tuple(choices)

    def after(self, choices: Sequence[int], action: Sequence[int]) -> tuple[int, ...]:
        option, value = action
        return (*choices[:option], value - 1, *choices[option + 1 :])

    def matching(self, text: str, actions: Iterable[Any] = ()) -> Iterator[tuple[int, int]]:
        """The actions whose text has all words of ``text``, in any case, and that change the choices."""
        words, chosen = text.lower().split(), self.applied(actions)
        for option, one in enumerate(self.options.options):
            for value in range(len(one.choices) + 1):
                told = self.text((option, value)).lower()
                if value - 1 != chosen[option] and all(word in told for word in words):
                    yield option, value

    def leading(self, before: Sequence[int], after: Sequence[int]) -> list[tuple[int, int]]:
        pairs = enumerate(zip(before, after, strict=True))
        return [(option, new + 1) for option, (old, new) in pairs if old != new]

    def commandline(self, actions: Sequence[Any]) -> str:
        return command(self.options, self.applied(actions))

    def parse(self, commandline: str) -> tuple[tuple[int, int], ...]:
        words = commandline.split()
        if words[:1] != [PROGRAM] or tuple(words[-len(FILES) :]) != FILES or len(words) <= len(FILES):
            raise InvalidCommandline(
                "The command line has the wrong form.",
                field="commandline",
                value=commandline[:_SHOWN_COMMANDLINE],
                remedy=f"Write it as: {PROGRAM} -Os -fno-tree-vrp … {' '.join(FILES)}",
            )
        chosen: dict[int, int] = {}
        for word in words[1 : -len(FILES)]:
            option, choice = self._find_word(word)
            if option in chosen:
                before = self.options.options[option].choices[chosen[option]]
                raise _refusal(word, f"is given after {before}", "Give each option once.")
            chosen[option] = choice
        return tuple((option, choice + 1) for option, choice in sorted(chosen.items()))

    def _find_word(self, word: str) -> tuple[int, int]:
        found = self.options.by_word.get(word)
        if found is not None:
            return found
        stem = f"{word.rpartition('=')[0]}=" if "=" in word else ""
        index = self.options.by_name.get(stem)
        if index is not None:
            choices = self.options.options[index].choices
            values = ", ".join(choice.removeprefix(stem) for choice in choices)
            raise _refusal(word, "has a value that is not in the table", f"Give one of: {values}.")
        for other in (*self.options.others, *self.options.options):
            if word in (*other.choices, *other.left_out) or other.name == (stem or None):
                why = other.reason or "it changes what floating-point arithmetic computes"
                raise _refusal(word, f"is not allowed: {why}", "Leave it out.")
        remedy = did_you_mean(word, self.options.by_word, otherwise="See the environment's action table.")
        raise _refusal(word, f"is not an option of {self.name}", remedy)


def _refusal(word: str, problem: str, remedy: str) -> InvalidCommandline:
    return InvalidCommandline(
        f"{word[:_SHOWN_COMMANDLINE]!r} {problem}.",
        field="commandline",
        value=word[:_SHOWN_COMMANDLINE],
        remedy=remedy,
    )


CHOICES: Final = ChoiceTable(SAFE)
UNSAFE_CHOICES: Final = ChoiceTable(UNSAFE)


NAME: Final = "default"  # the name of the action space, as CompilerGym has it
RELATIVE_PROGRAM: Final = "gcc-default"  # the first word of its command lines, which GCC itself does not read
_FEW: Final = 10
# How many values an option must have for a step of this size.
_STEPS: Final = {1: _FEW, 10: 50, 100: 500, 1000: 5000}


@dataclass(frozen=True, slots=True)
class OptionChange:
    option: int
    name: str  # as -fno-gcse or --param=max-hoist-depth[+10]
    value: int  # the choice that it sets, or by how much it moves the choice
    is_step: bool


@dataclass(frozen=True)
class RelativeTable:
    """Actions that set an option or move its choice, by their index.

    Moving stops at the first and the last choice; -1, no choice, is the one before the first.
    """

    options: OptionTable

    @cached_property
    def changes(self) -> tuple[OptionChange, ...]:
        return tuple(
            change for index, option in enumerate(self.options.options) for change in _changes(index, option)
        )

    @cached_property
    def _named_actions(self) -> NamedActions:
        return NamedActions(self.name, tuple(one.name for one in self.changes), RELATIVE_PROGRAM)

    @property
    def name(self) -> str:
        return self.options.name

    @property
    def names(self) -> tuple[str, ...]:
        return self._named_actions.names

    def parse(self, commandline: str) -> tuple[int, ...]:
        return self._named_actions.parse(commandline)

    def commandline(self, actions: Sequence[int]) -> str:
        return self._named_actions.commandline(actions)

    def after(self, choices: Sequence[int], action: int) -> tuple[int, ...]:
        change = self.changes[action]
        made = list(choices)
        last = len(self.options.options[change.option].choices) - 1
        moved = made[change.option] + change.value
        made[change.option] = max(UNSET, min(moved, last)) if change.is_step else change.value
        return tuple(made)

    def leading(self, before: Sequence[int], after: Sequence[int]) -> list[int]:
        by_option: dict[int, list[int]] = {}
        for action, change in enumerate(self.changes):
            by_option.setdefault(change.option, []).append(action)
        found: list[int] = []
        for index, option in enumerate(self.options.options):
            if before[index] != after[index]:
                found += self._path(option, by_option[index], before[index], after[index])
                if len(found) > limits.MAX_ACTIONS_PER_ITEM:
                    raise _unreachable(option)
        return found

    def _path(self, option: GccOption, actions: Sequence[int], before: int, after: int) -> list[int]:
        set_ = [one for one in actions if self.changes[one].value == after and not self.changes[one].is_step]
        if set_:
            return set_
        if not self.changes[actions[0]].is_step:
            raise _unreachable(option, "no action takes it away again", "Call reset() first.")
        found: list[int] = []
        for one in sorted(actions, key=lambda one: -abs(self.changes[one].value)):
            change, left = self.changes[one].value, after - before
            count = max(0, left // change)
            if len(found) + count > limits.MAX_ACTIONS_PER_ITEM:
                raise _unreachable(option)
            found += [one] * count
            before += change * count
        return found


def _changes(index: int, option: GccOption) -> Iterator[OptionChange]:
    size = len(option.choices)
    if size < _FEW:
        for value, word in enumerate(option.choices):
            yield OptionChange(option=index, name=word, value=value, is_step=False)
        return
    for step, needed in _STEPS.items():
        for change in (step, -step) if size >= needed else ():
            yield OptionChange(
                option=index, name=f"{option.name.rstrip('=')}[{change:+}]", value=change, is_step=True
            )


def _unreachable(
    option: GccOption,
    why: str = f"the choices take more than {limits.MAX_ACTIONS_PER_ITEM} actions",
    remedy: str = "Give a value that is nearer, or use another action space.",
) -> InvalidInput:
    message = f"choices: {option.name} cannot be set so in the action space {NAME}: {why}."
    return InvalidInput(message, field="choices", value=option.name, remedy=remedy)


DEFAULT: Final = RelativeTable(whole_table(SAFE, NAME))
UNSAFE_DEFAULT: Final = RelativeTable(whole_table(UNSAFE, NAME))
