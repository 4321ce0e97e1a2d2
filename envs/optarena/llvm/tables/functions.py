"""Passes on one function: the table ``llvm-functions-v0``.

Its passes are those of the curated table that LLVM runs on functions or on their loops, in the same order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

from optarena.llvm.actions import CURATED, Action
from optarena.llvm.tables.words import WordTable, shown, unknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAM: Final = "llvm-functions"
MAX_FUNCTIONS: Final = 64
"""How many functions an action can name: the first ones of the original program."""

SEMANTICS: Final = 1
"""Raise this when the effect of an action changes but its pipeline does not."""

_WORD: Final = re.compile(r"(?P<name>[^@]*)@(?P<number>0|[1-9][0-9]{0,8})", re.ASCII)
_OPENING: Final = "function("


@dataclass(frozen=True, slots=True)
class FunctionTable(WordTable):
    """Function passes by name, each for one of the functions of the program.

    An action is a pair: the number of a pass, and the number of a function among those that the original
    program defines. If the function does not exist, or not any more, the action is allowed and has no effect.
    """

    program: ClassVar[str] = PROGRAM
    example: ClassVar[str] = "sroa@0 gvn@3 ..., each a pass and the number of a function"

    name: str
    passes: tuple[Action, ...]
    _by_name: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {one.name: index for index, one in enumerate(self.passes)})

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of passes, and of functions that can be named."""
        return len(self.passes), MAX_FUNCTIONS

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
        passes = [[one.name, self.pipeline((index, 0))] for index, one in enumerate(self.passes)]
        return {"table": self.name, "functions": MAX_FUNCTIONS, "semantics": SEMANTICS, "passes": passes}

    def pipeline(self, action: Sequence[int]) -> str:
        """The action's pass as a function-level pipeline for LLVM."""
        return self.passes[action[0]].pipeline.removeprefix(_OPENING).removesuffix(")")

    def subject(self, action: Sequence[int]) -> tuple[str, int]:
        """The observation that names the function of an action, and its number there."""
        return "Functions", action[1]

    def text(self, action: Sequence[int]) -> str:
        """The word that stands for an action."""
        return f"{self.passes[action[0]].name}@{action[1]}"

    def parse_word(self, position: int, word: str) -> tuple[int, ...]:
        """The action that a word stands for."""
        match = _WORD.fullmatch(word)
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
