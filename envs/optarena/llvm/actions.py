"""The action tables of the LLVM environments and their text form, an ``opt`` command line.

Pure data from ``actions.toml``: it works where libLLVM does not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib import resources
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import InvalidAction, InvalidCommandline, UnknownName
from optarena.llvm import pinned
from optarena.suggestions import did_you_mean, near_names

if TYPE_CHECKING:
    from optarena.llvm.releases import LlvmRelease

# Without this separator, analyses survive from one pass to the next, so results differ from single steps.
SEPARATOR: Final = ",invalidate<all>,"

_FORM: Final = "-passes='<pipeline>' input.bc -o output.bc"
_COMMANDLINE: Final = re.compile(
    r"""\s*(?P<program>opt(?:-[0-9]+)?)
    (?:\s+(?:-passes=(?P<quote>['"]?)(?P<inner>[^'"\s]*)(?P=quote)
            |(?P<outer_quote>['"])-passes=(?P<outer>[^'"\s]*)(?P=outer_quote)))?
    \s+input\.bc\s+-o\s+output\.bc\s*""",
    re.VERBOSE,
)
_SHOWN: Final = 200
_MANAGER: Final = re.compile(r"(?:module|cgscc|function|loop|loop-mssa)(?:<[^<>]*>)?\((.*)\)")


def bare_pass(text: str) -> str:
    """A pass without the managers that a pipeline wraps it in: ``licm`` of ``function(loop-mssa(licm))``."""
    while match := _MANAGER.fullmatch(text.strip()):
        text = match[1]
    return text.strip()


def _commandline(program: str, pipeline: str) -> str:
    passes = f" -passes='{pipeline}'" if pipeline else ""
    return f"{program}{passes} input.bc -o output.bc"


@dataclass(frozen=True, slots=True)
class Action:
    # pipeline is the exact text for `opt -passes=`, level the unit that LLVM runs it on, and danger says what
    # an excluded action may do: crash, hang, growth, miscompile.
    index: int
    name: str
    pipeline: str
    level: str
    description: str
    danger: str = ""


@dataclass(frozen=True)
class PassTable:
    # Of another release, `program` has its number: `opt` of two releases may give different programs.
    name: str
    actions: tuple[Action, ...] = field(repr=False)
    engine_version: str = pinned.ENGINE_VERSION
    program: str = "opt"
    refused: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _by_name(self) -> Mapping[str, int]:
        return {action.name: action.index for action in self.actions}

    @cached_property
    def _by_pipeline(self) -> Mapping[str, int]:
        return {action.pipeline: action.index for action in self.actions}

    def __len__(self) -> int:
        return len(self.actions)

    def __hash__(self) -> int:  # of all actions takes longer than the rest of many look-ups by table
        return hash((self.name, self.engine_version, self.program))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(action.name for action in self.actions)

    @cached_property
    def descriptions(self) -> tuple[str, ...]:
        return tuple(action.description for action in self.actions)

    def version_spec(self) -> dict[str, Any]:
        # All that results depend on: the content of the environment version digest.
        return {
            "action_table": self.name,
            "actions": [[action.name, action.pipeline] for action in self.actions],
            "separator": SEPARATOR,
            **pinned.version_spec(self.engine_version),
        }

    def index(self, name: str) -> int:
        if name not in self._by_name:
            raise UnknownName(
                f"{self.name} has no action {name[:_SHOWN]!r}.",
                field="action",
                value=name[:_SHOWN],
                remedy=did_you_mean(
                    bare_pass(name[:_SHOWN]), self._by_name, otherwise="See the environment's action table."
                ),
            )
        return self._by_name[name]

    def action(self, index: int) -> Action:
        if not 0 <= index < len(self.actions):
            raise InvalidAction(
                f"{self.name} has no action {index}.",
                field="action",
                value=index,
                remedy=f"Actions are numbers from 0 to {len(self.actions) - 1}.",
            )
        return self.actions[index]

    def commandline(self, actions: Iterable[int]) -> str:
        pipeline = SEPARATOR.join([self.action(index).pipeline for index in actions])
        return _commandline(self.program, pipeline)

    def parse(self, commandline: str) -> tuple[int, ...]:
        match = _COMMANDLINE.fullmatch(commandline)
        if match is None:
            raise InvalidCommandline(
                "The command line has the wrong form.",
                field="commandline",
                value=commandline[:_SHOWN],
                remedy=f"Write it as: {self.program} {_FORM}",
            )
        if match["program"] not in (self.program, f"opt-{self.engine_version.partition('.')[0]}"):
            remedy = f"Write it as: {self.program} {_FORM}"
            if match["program"] == "opt":
                remedy = "Translate and replay them by `optarena carry FILE --to ENVIRONMENT`."
            raise InvalidCommandline(
                f"{match['program']} is of another release than {self.name}, which is of LLVM "
                f"{self.engine_version}.",
                field="commandline",
                value=commandline[:_SHOWN],
                remedy=remedy,
            )
        pipeline: str | None = match["inner"] if match["inner"] is not None else match["outer"]
        if not pipeline:
            return ()
        return tuple(map(self._parse_one, count(1), pipeline.split(SEPARATOR)))

    def _parse_one(self, position: int, text: str) -> int:
        index = self._by_pipeline.get(text)
        if index is not None:
            return index
        shown = text[:_SHOWN]
        if text in self.refused:
            raise InvalidCommandline(
                f"Pass {position} of the command line, {shown!r}, is refused by LLVM {self.engine_version}: "
                f"{self.refused[text]}.",
                field="commandline",
                value=shown,
                remedy="Leave it out.",
            )
        raise InvalidCommandline(
            f"Pass {position} of the command line, {shown!r}, is not in {self.name}.",
            field="commandline",
            value=shown,
            remedy=self._remedy(bare_pass(shown)),
        )

    def _remedy(self, name: str) -> str:
        same = [one for one in self.actions if name in (one.name, bare_pass(one.pipeline))]
        if same:
            return f"Write {same[0].pipeline!r}."
        if "," in name:
            return f"Write {SEPARATOR!r} between two passes, without which analyses survive."
        stem = name.partition("<")[0]
        near = [one for one in self.actions if bare_pass(one.pipeline).partition("<")[0] == stem]
        near = near or [self.actions[self._by_name[one]] for one in near_names(name, self._by_name)]
        pipelines = " or ".join(repr(one.pipeline) for one in near)
        return f"Did you mean {pipelines}?" if near else "See the environment's action table."


@lru_cache
def release_table(release: LlvmRelease) -> PassTable:
    """The curated table as another release takes it."""
    kept = (one for one in CURATED.actions if one.pipeline not in release.refused)
    actions = (
        replace(
            one, index=index, name=release.translated(one.name), pipeline=release.translated(one.pipeline)
        )
        for index, one in enumerate(kept)
    )
    return PassTable(
        f"llvm-{release.major}-passes-v0",
        tuple(actions),
        engine_version=release.version,
        program=f"opt-{release.major}",
        refused=release.refused,
    )


def translated_commandline(release: LlvmRelease, commandline: str) -> str:
    """A command line of the pinned release, as another release writes it.

    Raises:
        InvalidCommandline: It is not one, or the release refuses one of its passes, which the error names.
    """
    table = release_table(release)
    pipelines = [release.translated(CURATED.action(index).pipeline) for index in CURATED.parse(commandline)]
    return table.commandline(table.parse(_commandline(table.program, SEPARATOR.join(pipelines))))


def _load() -> tuple[PassTable, PassTable]:
    document = tomllib.loads(resources.files("optarena.llvm").joinpath("actions.toml").read_text("utf-8"))
    curated, unsafe = (
        PassTable(name, tuple(Action(index=index, **entry) for index, entry in enumerate(document[key])))
        for name, key in ((document["curated"], "action"), (document["unsafe"], "excluded"))
    )
    return curated, unsafe


CURATED, UNSAFE = _load()
