"""The action tables beside the curated one, and their text forms.

Pure data: they work where libLLVM does not. The text forms differ in their first word, which identifies the
table of a command line.
"""

from __future__ import annotations

import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import zip_longest
from typing import Any, ClassVar, Final

from optarena.actions import components
from optarena.errors import InvalidCommandline
from optarena.llvm.actions import CURATED, Action, PassTable, bare_pass
from optarena.suggestions import did_you_mean

COMMANDLINE: Final = PassTable("llvm-commandline-v0", CURATED.actions)
_SHOWN: Final = 200


class WordTable(ABC):
    # Actions of several components, each written as one word after `program`.
    __slots__ = ()

    program: ClassVar[str]
    example: ClassVar[str]
    name: str
    passes: tuple[Any, ...]

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """Number of choices of each component."""

    @property
    def names(self) -> tuple[str, ...]:
        # The first component of an action is an index of these.
        return tuple(one.name for one in self.passes)

    @property
    def descriptions(self) -> tuple[str, ...]:
        return tuple(one.description for one in self.passes)

    def check(self, action: object, position: int | None = None) -> tuple[int, ...]:
        """Return an action in its canonical form.

        Raises:
            InvalidAction: It is not in the table; the error names the component and what is allowed.
        """
        return components(action, self.sizes, position)

    @abstractmethod
    def text(self, action: Sequence[int]) -> str:
        """The word that stands for an action in its canonical form."""

    @abstractmethod
    def parse_word(self, position: int, word: str) -> tuple[int, ...]:
        """The action that a word stands for."""

    def commandline(self, actions: Iterable[Any]) -> str:
        checked = (self.check(action, position) for position, action in enumerate(actions))
        return " ".join([self.program, *map(self.text, checked)])

    def parse(self, commandline: str) -> tuple[tuple[int, ...], ...]:
        words = commandline.split()
        if words[:1] != [self.program]:
            raise InvalidCommandline(
                "The command line has the wrong form.",
                field="commandline",
                value=commandline[:_SHOWN],
                remedy=f"Write it as: {self.program} {self.example}",
            )
        return tuple(self.parse_word(position, word) for position, word in enumerate(words[1:]))


def unknown(position: int, word: str, problem: str, known: Iterable[str]) -> InvalidCommandline:
    remedy = did_you_mean(bare_pass(word[:_SHOWN]), known, otherwise="See the action table.")
    message = f"Action {position + 1} of the command line {problem}."
    return InvalidCommandline(message, field="commandline", value=word[:_SHOWN], remedy=remedy)


def shown(word: str) -> str:
    return repr(word[:_SHOWN])


# An action can name the first functions of the original program.
MAX_FUNCTIONS: Final = 64

# Raise this when the effect of an action changes but its pipeline does not.
SEMANTICS: Final = 1

_FUNCTION_WORD: Final = re.compile(r"(?P<name>[^@]*)@(?P<number>0|[1-9][0-9]{0,8})", re.ASCII)
_OPENING: Final = "function("


@dataclass(frozen=True, slots=True)
class FunctionTable(WordTable):
    # An action is a pair: a pass, and the number of a function among those that the original program defines.
    # If the function does not exist, or not any more, the action has no effect.
    program: ClassVar[str] = "llvm-functions"
    example: ClassVar[str] = "sroa@0 gvn@3 ..., each a pass and the number of a function"

    name: str
    passes: tuple[Action, ...] = field(repr=False)
    _by_name: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {one.name: index for index, one in enumerate(self.passes)})

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.passes), MAX_FUNCTIONS

    def version_spec(self) -> dict[str, Any]:
        # All that results depend on, without what all tables share.
        passes = [[one.name, self.pipeline((index, 0))] for index, one in enumerate(self.passes)]
        return {"table": self.name, "functions": MAX_FUNCTIONS, "semantics": SEMANTICS, "passes": passes}

    def pipeline(self, action: Sequence[int]) -> str:
        return self.passes[action[0]].pipeline.removeprefix(_OPENING).removesuffix(")")

    def subject(self, action: Sequence[int]) -> tuple[str, int]:
        # The observation that names the function of an action, and its number there.
        return "Functions", action[1]

    def text(self, action: Sequence[int]) -> str:
        return f"{self.passes[action[0]].name}@{action[1]}"

    def parse_word(self, position: int, word: str) -> tuple[int, ...]:
        match = _FUNCTION_WORD.fullmatch(word)
        if match is None:
            raise unknown(position, word, f"is {shown(word)}, which is not written pass@number", ())
        index = self._by_name.get(match["name"])
        if index is None:
            name = match["name"]
            raise unknown(position, name, f"is {shown(word)}, a pass that is not in {self.name}", self.names)
        number = int(match["number"])
        if number >= MAX_FUNCTIONS:
            problem = f"is {shown(word)}, but functions have numbers from 0 to {MAX_FUNCTIONS - 1}"
            raise unknown(position, word, problem, ())
        return index, number


FUNCTIONS: Final = FunctionTable(
    "llvm-functions-v0", tuple(one for one in CURATED.actions if one.pipeline.startswith(_OPENING))
)


_PARAMETERS_WORD: Final = re.compile(r"(?P<name>[^<>]*)(?:<(?P<chosen>[^<>]*)>)?")


@dataclass(frozen=True, slots=True)
class Parameter:
    # Choice 0, which is not among `choices`, leaves the parameter out. `attribute` is empty, or the function
    # attribute that sets it instead of a text in the pipeline.
    name: str
    choices: tuple[str, ...]
    description: str
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    # Every function has the attributes while the pass runs.
    pipeline: str
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ParameterisedPass:
    # The parameters go where `pipeline` has {}, behind the texts of `always`.
    index: int
    name: str
    pipeline: str
    level: str
    description: str
    always: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def chosen(self, choices: Sequence[int]) -> Iterator[tuple[Parameter, str]]:
        for parameter, choice in zip(self.parameters, choices, strict=False):
            if 0 < choice <= len(parameter.choices):
                yield parameter, parameter.choices[choice - 1]

    def text(self, choices: Sequence[int]) -> str:
        # loop-unroll<full-unroll-max=4;no-runtime>
        return self.name + _bracketed(text for _, text in self.chosen(choices))

    def run(self, choices: Sequence[int]) -> Run:
        chosen = list(self.chosen(choices))
        texts = [*self.always, *(text for parameter, text in chosen if not parameter.attribute)]
        attributes = {
            parameter.attribute: text.partition("=")[2] for parameter, text in chosen if parameter.attribute
        }
        return Run(self.pipeline.replace("{}", _bracketed(texts)), attributes)

    def choice(self, text: str) -> tuple[int, int] | None:
        # The number of the parameter that a text sets, counted from 0, and the number of the choice.
        for position, parameter in enumerate(self.parameters):
            if text in parameter.choices:
                return position, parameter.choices.index(text) + 1
        return None


@dataclass(frozen=True, slots=True)
class ParameterTable(WordTable):
    # An action is a tuple: a pass, then for each parameter the number of a choice, 0 for LLVM's default. A
    # choice beyond a parameter's last one, or for a parameter that the pass does not have, also means the
    # default, so that every member of the space is an action; `check` sets such choices to 0.
    program: ClassVar[str] = "llvm-parameters"
    example: ClassVar[str] = "mem2reg 'loop-unroll<full-unroll-max=4;no-runtime>' ..., without the quotes"

    name: str
    passes: tuple[ParameterisedPass, ...] = field(repr=False)
    sizes: tuple[int, ...] = field(init=False)
    _by_name: Mapping[str, ParameterisedPass] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        columns = zip_longest(*([len(one.choices) + 1 for one in each.parameters] for each in self.passes))
        sizes = (len(self.passes), *(max(filter(None, column)) for column in columns))
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "_by_name", {one.name: one for one in self.passes})

    def version_spec(self) -> dict[str, Any]:
        # All that results depend on, without what all tables share.
        passes = [
            [
                one.name,
                one.pipeline,
                list(one.always),
                [[parameter.attribute, list(parameter.choices)] for parameter in one.parameters],
            ]
            for one in self.passes
        ]
        return {"table": self.name, "semantics": SEMANTICS, "passes": passes}

    def check(self, action: object, position: int | None = None) -> tuple[int, ...]:
        index, *choices = components(action, self.sizes, position)
        allowed = [len(parameter.choices) for parameter in self.passes[index].parameters]
        pairs = zip_longest(choices, allowed, fillvalue=0)
        return (index, *(choice if choice <= most else 0 for choice, most in pairs))

    def text(self, action: Sequence[int]) -> str:
        return self.passes[action[0]].text(action[1:])

    def run(self, action: Sequence[int]) -> Run:
        return self.passes[action[0]].run(action[1:])

    def parse_word(self, position: int, word: str) -> tuple[int, ...]:
        match = _PARAMETERS_WORD.fullmatch(word)
        one = self._by_name.get(match["name"]) if match else None
        if match is None or one is None:
            name = bare_pass(word[:_SHOWN]).partition("<")[0]
            raise unknown(position, name, f"is {shown(word)}, a pass that is not in {self.name}", self.names)
        choices = [0] * (len(self.sizes) - 1)
        texts = [] if match["chosen"] is None else match["chosen"].split(";")
        for text in texts:
            choice = one.choice(text)
            if choice is None:
                known = [text for parameter in one.parameters for text in parameter.choices]
                problem = f"is {shown(word)}, but {one.name} has no parameter {shown(text)} here"
                raise unknown(position, text, problem, known)
            if choices[choice[0]]:
                problem = f"is {shown(word)}, which sets {one.parameters[choice[0]].name!r} twice"
                raise unknown(position, text, problem, ())
            choices[choice[0]] = choice[1]
        return (one.index, *choices)


def _bracketed(texts: Iterable[str]) -> str:
    joined = ";".join(texts)
    return f"<{joined}>" if joined else ""


def _pass(index: int, entry: Mapping[str, Any]) -> ParameterisedPass:
    curated = CURATED.action(CURATED.index(entry["name"]))
    return ParameterisedPass(
        index=index,
        name=curated.name,
        pipeline=entry.get("pipeline", curated.pipeline),
        level=curated.level,
        description=curated.description,
        always=tuple(entry.get("always", ())),
        parameters=tuple(
            Parameter(**{**one, "choices": tuple(one["choices"])}) for one in entry.get("parameter", ())
        ),
    )


def _load() -> tuple[ParameterTable, tuple[dict[str, str], ...]]:
    document = tomllib.loads(resources.files(__package__).joinpath("parameters.toml").read_text("utf-8"))
    passes = tuple(_pass(index, entry) for index, entry in enumerate(document["pass"]))
    return ParameterTable(document["name"], passes), tuple(document["excluded"])


PARAMETERS, EXCLUDED = _load()
