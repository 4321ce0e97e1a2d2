"""The sessions of ``optarena/llvm-inliner-v0`` and ``llvm-inliner-o2-v0``: one decision for each call.

An episode is one run of a level's pipeline. Until it has ended, the program is the one that was given.
"""

from __future__ import annotations

import json
import struct
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from optarena.errors import InvalidInput
from optarena.llvm import remarks, stepping
from optarena.llvm.features import Fingerprints
from optarena.llvm.inliner import dialogue
from optarena.llvm.inliner.columns import CALL_FEATURES, DEFAULT, DEFAULTS, INLINER, MANY, NO
from optarena.llvm.module import Module
from optarena.llvm.observations import OBSERVED
from optarena.llvm.session import LlvmSession
from optarena.service.observed import INT64_MAX, box, count, named_actions, text
from optarena.service.proto.compiler_gym_service_pb2 import Event

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from optarena.actions import Decisions
    from optarena.llvm.observations import Observations
    from optarena.llvm.remarks import Remark
    from optarena.llvm.stepping import Steps
    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Benchmark
    from optarena.service.session import PlainCalls

_FEATURES: Final = len(CALL_FEATURES)


class InlinerActions:
    def __init__(self, table: Decisions) -> None:
        self._table = table

    @property
    def message(self) -> ActionSpace:
        return named_actions(self._table.name, self._table.names)

    def check(self, action: Event) -> None:
        """The space has checked it."""

    def apply(self, session: LlvmSession, action: Event) -> str:
        _own(session).decide(action.int64_value)
        return self._table.names[action.int64_value]


class LlvmInlinerSession(LlvmSession):
    """A session whose actions decide on the calls that LLVM's inliner comes to, one after the other."""

    # A dialogue that is left in the middle leaves LLVM's memory behind.
    starts_alike: ClassVar[bool] = False
    level: ClassVar[str] = "Oz"

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        self._asked_about: Module | None = None
        self._dialogue: dialogue.Dialogue | None = None
        self._is_over = self._is_twin = False
        self._decided = self._to_come = 0

    @classmethod
    def finish_preloading(cls) -> None:
        super().finish_preloading()
        dialogue.prepare()

    @property
    def dialogue(self) -> dialogue.Dialogue:
        """The run of the pipeline, which waits for a decision or has ended."""
        if self._dialogue is None:
            self._dialogue = dialogue.Dialogue(self._run_module, f"default<{self.level}>")
        return self._dialogue

    @property
    def _run_module(self) -> Module:
        if self._asked_about is None:
            self._asked_about = Module.parse(self.program)
        return self._asked_about

    def collect_remarks(self, found: list[Remark]) -> None:
        """Append the remarks of the run to a list."""
        remarks.collect(self._run_module, found)
        self._is_twin = True

    def close(self) -> None:
        """Free the module. What only LLVM could free of a run in the middle ends with the process."""
        if self._is_twin and not self._is_over:  # the process goes on
            while not self.dialogue.has_ended:
                self.dialogue.answer(NO)
            self._run_module.close()
        super().close()

    def check_actions(self, actions: Sequence[Event]) -> None:
        """Refuse actions after the end."""
        self._to_come = len(actions)
        if self._is_over and actions:
            raise self._too_many()

    def _too_many(self) -> InvalidInput:
        return InvalidInput(
            f"The run of -{self.level} has ended after {self._decided} calls, and an action is left.",
            field="action",
            remedy="End the list with the action that decides on the last call.",
        )

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Decide on the call in question. After the last decision, the program is what the pipeline made."""
        if self._is_over:
            raise self._too_many()
        self._to_come -= 1
        self._applied.append(action)
        self._actions.apply(self, action)
        if self.dialogue.has_ended:
            self._end()
        # The end would drop the actions that follow in this step: each is to be refused instead.
        return self._is_over and not self._to_come, None, False

    def answer_steps(self, calls: PlainCalls) -> None:
        """Answer steps without Python while LLVM asks; the first question and the end are Python's."""
        if self._dialogue is None or self._dialogue.has_ended or self._is_over:
            return
        steps = self._decisions
        self._has_run = stepping.answer(steps, calls, 0, self.instruction_count())
        self._decided += steps.answered
        self._applied += [Event(int64_value=one) for one in steps.log[: steps.answered]]

    @cached_property
    def _decisions(self) -> Steps:
        asked = self.dialogue
        kept = {
            "InlinerFeatures": (asked.numbers["features"], _FEATURES),
            "InlinerAdvice": (asked.numbers["advice"], 1),
            "InlinerCallee": (asked.numbers["callee"], 1),
        }
        return stepping.prepare_decisions(asked.address, DEFAULTS, tuple(self.observed), kept)

    def decide(self, decision: int) -> None:
        """Answer one question, or many, without regard to the end."""
        asked = self.dialogue
        if self._has_run:  # without Python, which finishes it
            self._has_run = False
            asked.check()
            self._decided += 1
            return
        for _ in range(MANY if decision == DEFAULTS else 1):
            if asked.has_ended:  # as for a program without calls, from the beginning
                break
            asked.answer(asked.advice if decision >= DEFAULT else decision)
            self._decided += 1

    def _end(self) -> None:
        self._is_over = True
        self._fingerprints.close()
        self._module.close()
        self._module, self._fingerprints = self._run_module, Fingerprints()
        self._content = self._bitcode = self._instructions = None
        self._find_state("the last decision")

    def _optimise(self, level: str) -> None:
        if self._decided:
            raise InvalidInput(
                f"-{level} cannot be applied after decisions on calls.",
                field="parameter",
                value=level,
                remedy="Begin an episode, and apply it first.",
            )
        super()._optimise(level)
        self._is_over = True

    def call(self) -> str:
        """The call in question, as JSON; null at the end."""
        asked = self.dialogue
        if asked.has_ended:
            return "null"
        caller, callee = asked.names
        return json.dumps({"number": self._decided, "caller": caller, "callee": callee})

    def summary(self) -> str:
        """The call in question in a sentence."""
        asked = self.dialogue
        if asked.has_ended:
            return f"The run has ended after {self._decided} call{'' if self._decided == 1 else 's'}."
        caller, callee = asked.names
        advice = "inline it" if asked.advice else "not inline it"
        return f"Call {self._decided + 1}: {caller} calls {callee}. LLVM would {advice}."


class LlvmInlinerO2Session(LlvmInlinerSession):
    """The same with the pipeline of -O2."""

    level: ClassVar[str] = "O2"


def _own(session: LlvmSession) -> LlvmInlinerSession:
    if not isinstance(session, LlvmInlinerSession):
        raise TypeError(f"{type(session).__name__} does not ask about calls")
    return session


# Found by deciding otherwise on each call of heatshrink, blurhash and xxhash.
_LAST_BUT_ONE: Final = 40


def _margin(session: LlvmSession) -> int:
    # LLVM inlines a call if its cost is below the threshold. There are exceptions: the sign is the advice's.
    asked = _own(session).dialogue
    if asked.has_ended:
        return 0
    of = dict(zip(CALL_FEATURES, asked.features, strict=True))
    distance = 100 * abs(of["cost_estimate"] - of["threshold"])
    if asked.advice:  # what is inlined here is copied with the caller
        return -1 - distance // max(1, of["caller_users"])
    # The other of two calls is then inlined for nothing, and the function goes.
    return 1 + distance // (_LAST_BUT_ONE if of["callee_users"] == 2 else 1)  # noqa: PLR2004 # as said


_LOW: Final = -(2**63)


CALL: Final[Observations] = (
    text("InlinerCall", lambda session: _own(session).call()),
    text("InlinerSummary", lambda session: _own(session).summary()),
    count("InlinerCallee", lambda session: _own(session).dialogue.callee, high=INT64_MAX),
    box(
        "InlinerFeatures",
        lambda session: _own(session).dialogue.features,
        low=[_LOW] * _FEATURES,
        high=[INT64_MAX] * _FEATURES,
        default=[0] * _FEATURES,
        numbers=lambda session: struct.pack(f"<{_FEATURES}q", *_own(session).dialogue.features),
    ),
    count("InlinerAdvice", lambda session: _own(session).dialogue.advice, high=1),
    count("InlinerMargin", _margin, low=_LOW, high=INT64_MAX),
)

LlvmInlinerSession.set_spaces((InlinerActions(INLINER["Oz"]),), (*OBSERVED, *CALL))
LlvmInlinerO2Session.set_spaces((InlinerActions(INLINER["O2"]),), (*OBSERVED, *CALL))
