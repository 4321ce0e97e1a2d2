"""The action tables of the LLVM environments and their text form, an ``opt`` command line.

Pure data from ``actions.toml``: it works where libLLVM does not.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import InvalidAction, InvalidCommandline, UnknownName
from optarena.llvm import pinned
from optarena.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Without this separator, analyses survive from one pass to the next, so results differ from single steps.
SEPARATOR: Final = ",invalidate<all>,"

_FORM: Final = "opt -passes='<pipeline>' input.bc -o output.bc"
_COMMANDLINE: Final = re.compile(
    r"""\s*opt
    (?:\s+(?:-passes=(?P<quote>['"]?)(?P<inner>[^'"\s]*)(?P=quote)
            |(?P<outer_quote>['"])-passes=(?P<outer>[^'"\s]*)(?P=outer_quote)))?
    \s+input\.bc\s+-o\s+output\.bc\s*""",
    re.VERBOSE,
)
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that an agent can do to a program.

    Attributes:
        index: Its number in the action space.
        name: Its short name, unique in the table.
        pipeline: The exact text for ``opt -passes=``, unique in the table.
        level: The unit that LLVM runs it on: module, cgscc, function, loopnest or loop.
        description: What it does, in a sentence; in the unsafe table, why it is excluded.
        danger: Empty, or what an excluded action may do: crash, hang, growth, miscompile, ...
    """

    index: int
    name: str
    pipeline: str
    level: str
    description: str
    danger: str = ""


@dataclass(frozen=True, slots=True)
class PassTable:
    """A named, ordered list of actions."""

    name: str
    actions: tuple[Action, ...]
    _by_name: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _by_pipeline: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {action.name: action.index for action in self.actions})
        object.__setattr__(self, "_by_pipeline", {action.pipeline: action.index for action in self.actions})

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, by index."""
        return tuple(action.name for action in self.actions)

    @property
    def descriptions(self) -> tuple[str, ...]:
        """What each action does, in a sentence."""
        return tuple(action.description for action in self.actions)

    def version_spec(self) -> dict[str, Any]:
        """Everything that results depend on, as plain data: the content of the environment version digest."""
        return {
            "action_table": self.name,
            "actions": [[action.name, action.pipeline] for action in self.actions],
            "separator": SEPARATOR,
            **pinned.version_spec(),
        }

    def index(self, name: str) -> int:
        """The index of the action with this name.

        Raises:
            UnknownName: The table has no such action; the message names the nearest ones.
        """
        if name not in self._by_name:
            raise UnknownName(
                f"{self.name} has no action {name[:_SHOWN]!r}.",
                field="action",
                value=name[:_SHOWN],
                remedy=did_you_mean(name, self._by_name, otherwise="See the environment's action table."),
            )
        return self._by_name[name]

    def action(self, index: int) -> Action:
        """The action with this index.

        Raises:
            InvalidAction: The table has no such action.
        """
        if not 0 <= index < len(self.actions):
            raise InvalidAction(
                f"{self.name} has no action {index}.",
                field="action",
                value=index,
                remedy=f"Actions are numbers from 0 to {len(self.actions) - 1}.",
            )
        return self.actions[index]

    def commandline(self, actions: Iterable[int]) -> str:
        """The command line of LLVM 22's ``opt`` that does the same; without actions, a plain copy.

        Raises:
            InvalidAction: An index is not in the table.
        """
        texts = {action.index: action.pipeline for action in self.actions}
        try:
            pipeline = SEPARATOR.join([texts[index] for index in actions])
        except KeyError as error:
            self.action(error.args[0])
            raise  # pragma: no cover - the line before raises
        return f"opt -passes='{pipeline}' input.bc -o output.bc" if pipeline else "opt input.bc -o output.bc"

    def parse(self, commandline: str) -> tuple[int, ...]:
        """The actions of a command line as ``commandline`` writes it; the quotes may be left out.

        Raises:
            InvalidCommandline: The text has another form, or a pass is not in the table: the error names the
                first such pass, its position and the nearest ones that exist.
        """
        match = _COMMANDLINE.fullmatch(commandline)
        if match is None:
            raise InvalidCommandline(
                "The command line has the wrong form.",
                field="commandline",
                value=commandline[:_SHOWN],
                remedy=f"Write it as: {_FORM}",
            )
        pipeline: str | None = match["inner"] if match["inner"] is not None else match["outer"]
        if not pipeline:
            return ()
        texts = pipeline.split(SEPARATOR)
        return tuple(self._parse_one(position, text) for position, text in enumerate(texts))

    def _parse_one(self, position: int, text: str) -> int:
        index = self._by_pipeline.get(text)
        if index is not None:
            return index
        shown = text[:_SHOWN]
        if text in self._by_name:
            remedy = f"Write {self.actions[self._by_name[text]].pipeline!r}."
        elif "," in text:
            remedy = f"Write {SEPARATOR!r} between two passes, without which analyses survive."
        else:
            remedy = did_you_mean(text, self._by_pipeline, otherwise="See the environment's action table.")
        raise InvalidCommandline(
            f"Pass {position + 1} of the command line, {shown!r}, is not in {self.name}.",
            field="commandline",
            value=shown,
            remedy=remedy,
        )


def _load() -> tuple[PassTable, PassTable]:
    document = tomllib.loads(resources.files("optarena.llvm").joinpath("actions.toml").read_text("utf-8"))
    curated, unsafe = (
        PassTable(name, tuple(Action(index=index, **entry) for index, entry in enumerate(document[key])))
        for name, key in ((document["curated"], "action"), (document["unsafe"], "excluded"))
    )
    return curated, unsafe


CURATED, UNSAFE = _load()
