"""Passes with a choice for each of their parameters: the table ``llvm-parameters-v0``.

Pure data from ``parameters.toml``, which explains each field.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, Final

from optarena.actions import components
from optarena.llvm.actions import CURATED
from optarena.llvm.tables.words import WordTable, shown, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

PROGRAM: Final = "llvm-parameters"

SEMANTICS: Final = 1
"""Raise this when the effect of an action changes but its pipeline and attributes do not."""

_WORD: Final = re.compile(r"(?P<name>[^<>]*)(?:<(?P<chosen>[^<>]*)>)?")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a pass.

    Attributes:
        name: The parameter's name, one word.
        choices: The texts that set it; choice 0, which is not among them, leaves it out.
        description: What the parameter does, in a sentence.
        attribute: Empty, or the function attribute that sets it instead of a text in the pipeline.
    """

    name: str
    choices: tuple[str, ...]
    description: str
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """The pipeline and attributes for an action.

    Attributes:
        pipeline: The exact text for ``opt -passes=``.
        attributes: Names and values of the attributes that every function has while the pass runs.
    """

    pipeline: str
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ParameterisedPass:
    """A pass and its parameters.

    Attributes:
        index: Its number, the first component of an action.
        name: Its name, unique in the table.
        pipeline: The text for ``opt -passes=``, with ``{}`` where its parameters go.
        level: The unit that LLVM runs it on.
        description: What it does, in a sentence.
        always: Texts that always go before the chosen ones.
        parameters: The parameters, in the order of an action's components after the first.
    """

    index: int
    name: str
    pipeline: str
    level: str
    description: str
    always: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def chosen(self, choices: Sequence[int]) -> Iterator[tuple[Parameter, str]]:
        """The parameters that are set and the texts that set them."""
        for parameter, choice in zip(self.parameters, choices, strict=False):
            if 0 < choice <= len(parameter.choices):
                yield parameter, parameter.choices[choice - 1]

    def text(self, choices: Sequence[int]) -> str:
        """The pass as a word of a command line: ``loop-unroll<full-unroll-max=4;no-runtime>``."""
        return self.name + _bracketed(text for _, text in self.chosen(choices))

    def run(self, choices: Sequence[int]) -> Run:
        """The pipeline and attributes for these choices."""
        chosen = list(self.chosen(choices))
        texts = [*self.always, *(text for parameter, text in chosen if not parameter.attribute)]
        attributes = {
            parameter.attribute: text.partition("=")[2] for parameter, text in chosen if parameter.attribute
        }
        return Run(self.pipeline.replace("{}", _bracketed(texts)), attributes)

    def choice(self, text: str) -> tuple[int, int] | None:
        """The number of the parameter that a text sets, counted from 0, and the number of the choice."""
        for position, parameter in enumerate(self.parameters):
            if text in parameter.choices:
                return position, parameter.choices.index(text) + 1
        return None


@dataclass(frozen=True, slots=True)
class ParameterTable(WordTable):
    """Passes by name, with the choices of their parameters.

    An action is a tuple: the number of a pass, then for each parameter the number of a choice, 0 for LLVM's
    default. A choice beyond a parameter's last one, or for a parameter that the pass does not have, also
    means the default, so that every member of the space is an action; :meth:`check` sets such choices to 0.
    """

    program: ClassVar[str] = PROGRAM
    example: ClassVar[str] = "mem2reg 'loop-unroll<full-unroll-max=4;no-runtime>' ..., without the quotes"

    name: str
    passes: tuple[ParameterisedPass, ...]
    sizes: tuple[int, ...] = field(init=False)
    _by_name: Mapping[str, ParameterisedPass] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        columns = zip_longest(*([len(one.choices) + 1 for one in each.parameters] for each in self.passes))
        sizes = (len(self.passes), *(max(filter(None, column)) for column in columns))
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "_by_name", {one.name: one for one in self.passes})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the passes, by index: the first component of an action."""
        return tuple(one.name for one in self.passes)

    @property
    def descriptions(self) -> tuple[str, ...]:
        """What each pass does, in a sentence."""
        return tuple(one.description for one in self.passes)

    def version_spec(self) -> dict[str, Any]:
        """Everything that results depend on, as plain data, without what all tables share."""
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
        """An action in its canonical form: choices without a meaning are 0.

        Args:
            action: A tuple of ``len(sizes)`` integers.
            position: The action's position in a list, for the message.

        Raises:
            InvalidAction: ``action`` is not in the table; the error names the component, its value and what
                is allowed.
        """
        index, *choices = components(action, self.sizes, position)
        allowed = [len(parameter.choices) for parameter in self.passes[index].parameters]
        pairs = zip_longest(choices, allowed, fillvalue=0)
        return (index, *(choice if choice <= most else 0 for choice, most in pairs))

    def text(self, action: Sequence[int]) -> str:
        """The word that stands for an action."""
        return self.passes[action[0]].text(action[1:])

    def run(self, action: Sequence[int]) -> Run:
        """The pipeline and attributes for an action."""
        return self.passes[action[0]].run(action[1:])

    def parse_word(self, position: int, word: str) -> tuple[int, ...]:
        """The action that a word stands for."""
        match = _WORD.fullmatch(word)
        one = self._by_name.get(match["name"]) if match else None
        if match is None or one is None:
            name = word.partition("<")[0]
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


def _parameter(entry: Mapping[str, Any]) -> Parameter:
    return Parameter(**{**entry, "choices": tuple(entry["choices"])})


def _pass(index: int, entry: Mapping[str, Any]) -> ParameterisedPass:
    curated = CURATED.action(CURATED.index(entry["name"]))
    return ParameterisedPass(
        index=index,
        name=curated.name,
        pipeline=entry.get("pipeline", curated.pipeline),
        level=curated.level,
        description=curated.description,
        always=tuple(entry.get("always", ())),
        parameters=tuple(map(_parameter, entry.get("parameter", ()))),
    )


def _load() -> tuple[ParameterTable, tuple[dict[str, str], ...]]:
    text = resources.files(__package__).joinpath("parameters.toml").read_text("utf-8")
    document = tomllib.loads(text)
    passes = tuple(_pass(index, entry) for index, entry in enumerate(document["pass"]))
    return ParameterTable(document["name"], passes), tuple(document["excluded"])


PARAMETERS, EXCLUDED = _load()
