"""A run of LLVM's pipeline that stops at each call which its inliner has to decide on.

LLVM's ``InteractiveModelRunner`` asks over two files. ``native/dialogue.c`` stands in for them, so that
neither a second process nor a thread is needed: a confined session may start none. Three functions that
libLLVM imports from the C library, one virtual function of its inliner, and some options are replaced for the
whole process.
"""

from __future__ import annotations

import ctypes
import mmap
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import PlatformNotSupported, ServiceError
from optarena.llvm.inliner.columns import CALL_FEATURES, GROWTH
from optarena.llvm.module import helper_address, printable_name, value_name
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from optarena.llvm.module import Module

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
