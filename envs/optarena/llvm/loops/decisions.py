"""The decisions on a loop or a call, and their text form. Pure data.

A command line is ``llvm-loops`` and a word for each action: ``llvm-loops pass:mem2reg loop3:unroll=4
site2:inline``. The numbers are rows of the observations ``Loops`` and ``CallSites`` in the state to which the
action is applied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final

from optarena.actions import components
from optarena.llvm import pinned
from optarena.llvm.actions import CURATED
from optarena.llvm.loops.columns import MAX_CALL_SITES, MAX_LOOPS
from optarena.llvm.tables import WordTable, shown, unknown

PROGRAM: Final = "llvm-loops"
ROWS: Final = max(MAX_LOOPS, MAX_CALL_SITES)

_WORD: Final = re.compile(r"(?P<kind>loop|site)(?P<row>0|[1-9][0-9]{0,8}):(?P<name>.*)", re.ASCII)


class DecisionKind(Enum):
    # The value is the prefix of its words.
    LOOP = "loop"
    SITE = "site"
    PROGRAM = "pass"


_NAMES: Final = {DecisionKind.LOOP: "LoopNames", DecisionKind.SITE: "CallSiteNames"}


@dataclass(frozen=True, slots=True)
class Hint:
    # One property of a loop's metadata, such as llvm.loop.unroll.count; without a value the name suffices.
    name: str
    value: int | None = None
    bits: int = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    # The loop gets `hints`, which replace properties whose names begin with `replaces`; all other loops of
    # the function get `others` in the meantime. Without a pipeline the hints are all. `ends`: the loop must
    # no longer exist afterwards.
    name: str
    kind: DecisionKind
    description: str
    hints: tuple[Hint, ...] = ()
    replaces: tuple[str, ...] = ()
    others: tuple[Hint, ...] = ()
    pipeline: str = ""
    ends: bool = False


_UNROLL: Final = ("llvm.loop.unroll.",)
_VECTORIZE: Final = ("llvm.loop.vectorize.", "llvm.loop.interleave.")
_UNROLL_OFF: Final = Hint("llvm.loop.unroll.disable")
_VECTORIZE_OFF: Final = Hint("llvm.loop.vectorize.enable", 0, 1)


def _unroll(name: str, description: str, hint: Hint, pipeline: str = "loop-unroll") -> Decision:
    return Decision(
        name=f"unroll={name}",
        kind=DecisionKind.LOOP,
        description=description,
        hints=(hint,),
        replaces=_UNROLL,
        others=(_UNROLL_OFF,),
        pipeline=pipeline,
        ends=name == "full",
    )


def _vectorize(name: str, description: str, width: int, interleave: int) -> Decision:
    return Decision(
        name=name,
        kind=DecisionKind.LOOP,
        description=description,
        hints=(
            Hint("llvm.loop.vectorize.width", width),
            Hint("llvm.loop.vectorize.enable", 1, 1),
            Hint("llvm.loop.interleave.count", interleave),
        ),
        replaces=_VECTORIZE,
        others=(_VECTORIZE_OFF,),
        pipeline="loop-vectorize<vectorize-forced-only;interleave-forced-only>",
    )


_LOOP_DECISIONS: Final = (
    *(
        _unroll(str(k), f"Makes {k} copies of the loop's body.", Hint("llvm.loop.unroll.count", k))
        for k in (2, 4, 8, 16)
    ),
    _unroll("full", "Puts copies of its body in the place of the loop.", Hint("llvm.loop.unroll.full")),
    _unroll("off", "Forbids the pass loop-unroll to unroll the loop.", _UNROLL_OFF, ""),
    *(
        _vectorize(f"vectorize={k}", f"Does {k} iterations at a time in vectors of {k} elements.", k, 1)
        for k in (2, 4, 8, 16)
    ),
    *(
        _vectorize(f"interleave={k}", f"Does {k} iterations at a time, without vectors.", 1, k)
        for k in (2, 4)
    ),
    Decision(
        name="vectorize=off",
        kind=DecisionKind.LOOP,
        description="Forbids the pass loop-vectorize to vectorize or interleave the loop.",
        hints=(_VECTORIZE_OFF,),
        replaces=_VECTORIZE,
    ),
)
_SITE_DECISIONS: Final = (
    Decision(
        name="inline",
        kind=DecisionKind.SITE,
        description="Puts the body of the callee in the place of the call.",
        pipeline="always-inline",
    ),
    Decision(
        name="noinline", kind=DecisionKind.SITE, description="Forbids the pass inline to inline the call."
    ),
)
_PASSES: Final = (
    *("mem2reg", "sroa", "early-cse", "instcombine", "simplifycfg", "loop-simplify", "lcssa", "loop-rotate"),
    *("indvars", "licm", "gvn", "adce", "dse", "loop-deletion", "globaldce", "deadargelim"),
    *("inline", "loop-unroll", "loop-vectorize", "slp-vectorizer"),
)


def _pass(name: str) -> Decision:
    action = CURATED.action(CURATED.index(name))
    return Decision(
        name=name, kind=DecisionKind.PROGRAM, description=action.description, pipeline=action.pipeline
    )


@dataclass(frozen=True, slots=True)
class DecisionTable(WordTable):
    # An action is a pair: a decision, and a row of the loop table or of the call table, 0 for a pass. If the
    # table has no such row, or LLVM does not carry the decision out, the action has no effect.
    program: ClassVar[str] = PROGRAM
    example: ClassVar[str] = "pass:mem2reg loop3:unroll=4 site2:inline ..."

    name: str
    decisions: tuple[Decision, ...] = field(repr=False)
    _by_word: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        words = {f"{one.kind.value}:{one.name}": index for index, one in enumerate(self.decisions)}
        object.__setattr__(self, "_by_word", words)

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.decisions), ROWS

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._by_word)

    @property
    def descriptions(self) -> tuple[str, ...]:
        return tuple(one.description for one in self.decisions)

    def check(self, action: object, position: int | None = None) -> tuple[int, ...]:
        decision, row = components(action, self.sizes, position)
        return decision, 0 if self.decisions[decision].kind is DecisionKind.PROGRAM else row

    def text(self, action: Sequence[int]) -> str:
        decision, row = self.decisions[action[0]], action[1]
        return f"{decision.kind.value}{'' if decision.kind is DecisionKind.PROGRAM else row}:{decision.name}"

    def subject(self, action: Sequence[int]) -> tuple[str, int] | None:
        names = _NAMES.get(self.decisions[action[0]].kind)
        return None if names is None else (names, action[1])

    def version_spec(self) -> dict[str, Any]:
        # All that results depend on: the content of the environment version digest.
        decisions = [
            [
                one.kind.value,
                one.name,
                [[hint.name, hint.value, hint.bits] for hint in one.hints],
                one.pipeline,
            ]
            for one in self.decisions
        ]
        table = {"table": self.name, "rows": ROWS, "semantics": SEMANTICS, "decisions": decisions}
        return {"decisions": table, **pinned.version_spec()}

    def parse_word(self, position: int, word: str) -> tuple[int, ...]:
        match = _WORD.fullmatch(word)
        row = int(match["row"]) if match else 0
        key = f"{match['kind']}:{match['name']}" if match else word
        index = self._by_word.get(key)
        if index is None or (match is None) != (self.decisions[index].kind is DecisionKind.PROGRAM):
            problem = f"is {shown(word)}, which is not in {self.name} (such as {self.example})"
            raise unknown(position, key, problem, self._by_word)
        if row >= ROWS:
            problem = f"is {shown(word)}, but rows have numbers from 0 to {ROWS - 1}"
            raise unknown(position, word, problem, ())
        return index, row


# Raise this when the effect of a decision changes but its name and hints do not.
SEMANTICS: Final = 1

LOOPS: Final = DecisionTable(
    "llvm-loops-v0", (*_LOOP_DECISIONS, *_SITE_DECISIONS, *(_pass(name) for name in _PASSES))
)
