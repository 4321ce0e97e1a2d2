"""The sessions of ``optarena/llvm-inliner-v0`` and ``llvm-inliner-o2-v0``: one decision for each call.

An episode is one run of a level's pipeline. Until it has ended, the program is the one that was given.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import struct
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from optarena.errors import InvalidInput, PlatformNotSupported, ServiceError
from optarena.llvm import remarks, stepping
from optarena.llvm.features import Fingerprints
from optarena.llvm.inliner.columns import CALL_FEATURES, DEFAULT, DEFAULTS, GROWTH, INLINER, MANY, NO
from optarena.llvm.module import Module, helper_address, printable_name, value_name
from optarena.llvm.observations import OBSERVED, Observations
from optarena.llvm.session import LlvmSession
from optarena.machine_code.libllvm import library
from optarena.service.observed import INT64_MAX, box, count, named_actions, text
from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Benchmark, Event

if TYPE_CHECKING:
    from optarena.actions import Decisions
    from optarena.llvm.remarks import Remark
    from optarena.llvm.stepping import Steps
    from optarena.service.session import PlainCalls

_POINTER: Final = ctypes.c_void_p
_MOST_NUMBERS: Final = 64  # FEATURES of the helper
# As large as the stack of a process's first thread is by default, on which passes run otherwise.
_STACK_BYTES: Final = 8 * 1024**2
_OPTIONS: Final = (
    "-inliner-interactive-channel-base=optarena-inliner",
    "-inliner-interactive-include-default",
    f"-ml-advisor-size-increase-threshold={GROWTH}",
)
_ASKING: Final = "-enable-ml-inliner=release"


class _Dialogue(ctypes.Structure):
    # `Dialogue` of native/dialogue.c.
    _fields_ = (
        ("module", _POINTER),
        ("machine", _POINTER),
        ("options", _POINTER),
        ("pipeline", ctypes.c_char_p),
        ("stack", _POINTER),
        ("count", ctypes.c_uint64),
        ("fiber", _POINTER),
        ("caller", _POINTER),
        ("error", _POINTER),
        ("has_ended", ctypes.c_uint64),
        ("is_wrong", ctypes.c_uint64),
        ("answer", ctypes.c_int64),
        ("call", _POINTER),
        ("questions", ctypes.c_uint64),
        ("answers", ctypes.c_uint64),
        ("numbers", ctypes.c_int64 * _MOST_NUMBERS),
        ("callee", ctypes.c_uint64),
    )


class Dialogue:
    # The module belongs to the caller, who must not change it until the end. A dialogue that is left before
    # its end leaves memory of LLVM behind: it should be the last one of its process.

    def __init__(self, module: Module, pipeline: str) -> None:
        self._module = module
        self._pipeline = pipeline
        self._stack = mmap.mmap(-1, _STACK_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        lowest = ctypes.addressof(ctypes.c_char.from_buffer(self._stack))
        _protect(lowest, mmap.PAGESIZE, 0)  # an overflow ends the process, as it does elsewhere
        self._shared = _Dialogue(
            module=module.handle,
            machine=module.machine,
            options=library().pass_options,
            pipeline=pipeline.encode(),
            stack=lowest + _STACK_BYTES,
            count=len(CALL_FEATURES) + 1,
        )
        _set_options(_ASKING, *_OPTIONS)
        try:
            self._go_on()
        finally:
            _set_options(*_OPTIONS)  # baselines are LLVM's own

    @property
    def has_ended(self) -> bool:
        return bool(self._shared.has_ended)

    @property
    def features(self) -> list[int]:
        """Of the call in question, in the order of ``CALL_FEATURES``; all 0 at the end."""
        return [0] * len(CALL_FEATURES) if self.has_ended else self._shared.numbers[: len(CALL_FEATURES)]

    @property
    def advice(self) -> int:
        """LLVM's own decision on the call in question: 1 to inline it; 0 at the end."""
        return 0 if self.has_ended else self._shared.numbers[len(CALL_FEATURES)]

    @property
    def callee(self) -> int:
        """A number that stands for the callee's name; 0 at the end."""
        return 0 if self.has_ended else int(self._shared.callee)

    @property
    def names(self) -> tuple[str, str]:
        """Caller and callee of the call in question."""
        llvm = library()
        call = self._shared.call
        caller = llvm.GetBasicBlockParent(llvm.GetInstructionParent(call))
        return printable_name(value_name(caller)), printable_name(value_name(llvm.GetCalledValue(call)))

    @property
    def address(self) -> int:
        """Of what ``native/dialogue.c`` knows of it."""
        return ctypes.addressof(self._shared)

    @property
    def numbers(self) -> dict[str, int]:
        """Where features, advice and callee of the call in question are until it is decided on."""
        first = self.address + _Dialogue.numbers.offset
        advice = first + 8 * len(CALL_FEATURES)
        return {"features": first, "advice": advice, "callee": self.address + _Dialogue.callee.offset}

    def answer(self, is_inlined: int) -> None:
        """Decide on the call in question, and run the pipeline until the next one, or its end.

        Raises:
            ServiceError: A pass reported an error, or LLVM did not ask as expected.
        """
        self._shared.answer = is_inlined
        self._go_on()

    def _go_on(self) -> None:
        _go_on()(ctypes.byref(self._shared))
        self.check()

    def check(self) -> None:
        """Refuse what the last answer led to, as ``answer`` does."""
        if self._shared.is_wrong:
            raise ServiceError("LLVM's inliner did not ask in the form that OptArena expects.")
        if self.has_ended:
            self._module.check_passes(self._shared.error, self._pipeline)


@lru_cache(maxsize=1)
def _go_on() -> Any:  # noqa: ANN401 # a function of ctypes
    return ctypes.CFUNCTYPE(None, _POINTER)(helper_address("optarena_dialogue_go_on"))


def _set_options(*words: str) -> None:
    # For the whole process, and instead of those that were set before.
    llvm = library()
    llvm.ResetAllOptionOccurrences()
    texts = (ctypes.c_char_p * (len(words) + 1))(b"optarena", *(word.encode() for word in words))
    llvm.ParseCommandLineOptions(len(texts), texts, b"")


_REPLACED: Final = ("open", "read", "write")
_TABLE: Final = "_ZTVN4llvm15MLInlineAdvisorE"
_ADVISE: Final = "_ZN4llvm15MLInlineAdvisor13getAdviceImplERNS_8CallBaseE"
_MOST_SLOTS: Final = 16


@lru_cache(maxsize=1)
def prepare() -> None:
    # Once for each process, before its sessions are confined.
    llvm = library()
    advise = llvm.symbol(_ADVISE)
    ctypes.CFUNCTYPE(None, _POINTER)(helper_address("optarena_dialogue_prepare"))(advise)
    slots = llvm.import_slots(_REPLACED)
    table = (ctypes.c_uint64 * _MOST_SLOTS).from_address(llvm.symbol(_TABLE))
    if advise not in table:
        raise PlatformNotSupported(f"{llvm.path} is built otherwise than OptArena's: its inliner cannot ask.")
    slots["advise"] = ctypes.addressof(table) + 8 * list(table).index(advise)
    for name, slot in slots.items():
        replace_function(slot, helper_address(f"optarena_dialogue_{name}"))


def replace_function(slot: int, function: int) -> None:
    # The loader leaves tables read-only that it has filled in, and so does this.
    page = slot & -mmap.PAGESIZE
    access = _access(page)
    _protect(page, mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE)
    ctypes.c_uint64.from_address(slot).value = function
    _protect(page, mmap.PAGESIZE, access)


def _access(page: int) -> int:
    for line in Path("/proc/self/maps").read_text().splitlines():
        begin, end = (int(one, 16) for one in line.partition(" ")[0].split("-"))
        if begin <= page < end:
            return mmap.PROT_READ | (mmap.PROT_WRITE if line.split()[1][1] == "w" else 0)
    raise PlatformNotSupported(f"The memory at {page:#x} is not mapped.")


_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = [_POINTER, ctypes.c_size_t, ctypes.c_int]


def _protect(start: int, size: int, access: int) -> None:
    if _libc.mprotect(start, size, access):
        raise OSError(ctypes.get_errno(), "mprotect")


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
        self._dialogue: Dialogue | None = None
        self._is_over = self._is_twin = False
        self._decided = self._to_come = 0

    @classmethod
    def finish_preloading(cls) -> None:
        super().finish_preloading()
        prepare()

    @property
    def dialogue(self) -> Dialogue:
        """The run of the pipeline, which waits for a decision or has ended."""
        if self._dialogue is None:
            self._dialogue = Dialogue(self._run_module, f"default<{self.level}>")
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
