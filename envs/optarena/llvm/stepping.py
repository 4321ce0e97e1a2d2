"""Answers usual steps of a session on its channel without Python: see ``native/steps.c``.

A step gives exactly what the usual way gives, since the same functions are called in the same order. What is
not usual is left to the usual way. Below it are the trials of ``native/trials.c``, and how a process that was
forked from a warm one gets memory of its own.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import features, helpers, module
from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module
from optarena.llvm.observations import COUNT
from optarena.machine_code.libllvm import library
from optarena.service.protocol import frames

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.llvm.actions import PassTable
    from optarena.service.session import PlainCalls

_POINTER: Final = ctypes.c_void_p
_NUMBER: Final = ctypes.c_uint64
_MICROS: Final = 1_000_000
_NANOS: Final = 1_000_000_000
# The helper's MOST_NUMBERS.
_MOST_NUMBERS: Final = 256


class _Observation(ctypes.Structure):
    _fields_ = (("compute", _POINTER), ("places", ctypes.POINTER(ctypes.c_uint32)), ("numbers", _NUMBER))


class _Steps(ctypes.Structure):
    _fields_ = (
        ("channel", ctypes.c_int64),
        ("session", _NUMBER),
        ("cpu_ms", _NUMBER),
        ("cpu", ctypes.c_int64 * 4),
        ("progress", _POINTER),
        ("module", _POINTER),
        ("machine", _POINTER),
        ("options", _POINTER),
        ("fingerprint", _POINTER),
        ("memory", _POINTER),
        ("reported", _POINTER),
        ("largest", _NUMBER),
        ("passes", _NUMBER),
        ("pipelines", ctypes.POINTER(ctypes.c_char_p)),
        ("spaces", _NUMBER),
        ("observations", ctypes.POINTER(_Observation)),
        ("wakeful", _NUMBER),
        ("yield", _NUMBER),
        ("busy", _NUMBER),
        ("most_long", _NUMBER),
        ("long_waits", _NUMBER),
        ("busy_until", _NUMBER),
        ("content", _NUMBER),
        ("instructions", _NUMBER),
        ("answered", _NUMBER),
        ("error", _POINTER),
    )


@dataclass(frozen=True, slots=True)
class Left:
    # After a pass that is not answered, `fingerprint` is that of the state before. If `has_run`, Python has
    # to finish the pass of the next step; `error` is the LLVMErrorRef that it returned.
    fingerprint: int
    instructions: int
    answered: int
    has_run: bool
    error: int | None


class Stepper:
    # `parts` are the addresses of what takes fingerprints, `largest` the most instructions.

    def __init__(
        self,
        program: module.Module,
        parts: tuple[int, int],
        largest: int,
        table: PassTable,
        names: tuple[str, ...],
    ) -> None:
        self._pipelines, self._observations = _pipelines(table), _observations(names)
        function, memory = parts
        self._steps = _Steps(
            module=program.handle,
            machine=program.machine,
            options=library().pass_options,
            fingerprint=function,
            memory=memory,
            largest=largest,
            passes=len(self._pipelines),
            pipelines=self._pipelines,
            spaces=len(self._observations),
            observations=self._observations,
            wakeful=int(frames.WAKEFUL_SECONDS * _NANOS),
            busy=int(frames.BUSY_SECONDS * _NANOS),
            most_long=frames.MAX_LONG_WAITS,
            **{"yield": int(frames.YIELD_SECONDS * _NANOS)},
        )

    def answer(self, calls: PlainCalls, fingerprint: int, instructions: int) -> Left:
        steps, micros = self._steps, round((calls.cpu_seconds or 0) * _MICROS)
        steps.channel, steps.session, steps.progress = calls.channel, calls.session_id, calls.progress
        steps.cpu_ms, steps.cpu[2:] = micros // 1000, divmod(micros, _MICROS)
        steps.content, steps.instructions, steps.answered = fingerprint, instructions, 0
        steps.reported = ctypes.addressof(module.watch_reports())
        has_run = bool(_answer()(ctypes.byref(steps)))
        error = steps.error if has_run else None
        return Left(steps.content, steps.instructions, steps.answered, has_run, error)


@lru_cache(maxsize=8)
def _pipelines(table: PassTable) -> Any:  # noqa: ANN401 # an array of ctypes
    texts = [table.action(index).pipeline.encode() for index in range(len(table))]
    return (ctypes.c_char_p * len(texts))(*texts)


@lru_cache(maxsize=8)
def _observations(names: tuple[str, ...]) -> Any:  # noqa: ANN401 # an array of ctypes
    return (_Observation * len(names))(*map(_observation, names))


def _observation(name: str) -> _Observation:
    raw = features.RAW.get(name)
    if raw is None:
        return _Observation(numbers=int(name == COUNT))
    if raw.length > _MOST_NUMBERS:
        return _Observation()
    places: Sequence[int] | None = raw.places
    chosen = None if places is None else (ctypes.c_uint32 * len(places))(*places)
    numbers = raw.length if places is None else len(places)
    return _Observation(compute=helpers.address(raw.helper), places=chosen, numbers=numbers)


@lru_cache(maxsize=1)
def _answer() -> Callable[[Any], int]:
    return ctypes.CFUNCTYPE(ctypes.c_int, _POINTER)(helpers.address("optarena_steps"))


_libc: Final = ctypes.CDLL(None)
_libc.sbrk.restype = ctypes.c_void_p
_libc.malloc.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]
# MADV_POPULATE_WRITE, since Linux 5.14; before, pages are copied at the first write.
_POPULATE_WRITE: Final = 23
# Changes nothing, but has the target machine make a subtarget for each kind of function.
MAKE_SUBTARGETS: Final = "function(require<target-ir>)"
FIRST_ACTION: Final = "mem2reg"
# The level of most baselines.
_LEVEL: Final = "default<Oz>"
# Sizes in bytes of the blocks that fill the holes of the heap: those above may be outside the heap. Below 1
# KiB it is all sizes that the C library distinguishes: passes allocate thousands of small blocks.
_HOLES: Final = (*(1 << power for power in range(16, 9, -1)), *range(1000, 8, -16))
# The free end of the heap, in bytes: a block in it, or above it, did not come from a hole.
_TOP: Final = 1 << 18


def heap_end() -> int:
    # The heap of the C library grows upwards.
    return int(_libc.sbrk(0) or 0)


def touch(begin: int) -> None:
    # In a process that was forked from a warm one. What is above `begin` is mostly the session's program: its
    # pages are copied now, and not one by one at the first write to each.
    begin, end = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE, heap_end()
    if end > begin:
        _libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _POPULATE_WRITE)
    with Module.parse(warm_up_program()) as module:
        module.run(CURATED.action(CURATED.index(FIRST_ACTION)).pipeline)


@lru_cache(maxsize=1)
def warm_up_program() -> bytes:
    return resources.files("optarena.llvm.native").joinpath("warm_up.ll").read_bytes()


@lru_cache(maxsize=1)
def warm_up() -> None:
    # Two at a time, so that there is a machine for a session's program and one for its baselines.
    with Module.parse(warm_up_program()) as session, Module.parse(warm_up_program()) as baseline:
        for index in range(len(CURATED)):
            session.run(CURATED.action(index).pipeline)
        baseline.run(MAKE_SUBTARGETS)
        baseline.run(_LEVEL)
        session.bitcode()
    _fill_holes()


def _fill_holes() -> None:
    # So that a session's program lies above them, in one piece: in a process that was forked from this one,
    # the first write to each page of a hole would copy the page.
    for size in _HOLES:
        end = heap_end()
        while 0 < (block := _libc.malloc(size) or 0) < end - _TOP:
            pass
        _libc.free(block)


_OBSERVATIONS: Final = 4
_NUMBER_BYTES: Final = 8
_HEAD: Final = ("whole", "no effect", "instructions")
# Bytes for one answer, the helper's PAGE; memory is protected by pages of this size.
_PAGE: Final = 4096


class _Trials(ctypes.Structure):
    _fields_ = (
        ("module", _POINTER),
        ("machine", _POINTER),
        ("options", _POINTER),
        ("fingerprint", _POINTER),
        ("memory", _POINTER),
        ("observations", _POINTER * _OBSERVATIONS),
        ("lengths", ctypes.c_uint64 * _OBSERVATIONS),
        ("before", ctypes.c_uint64),
        ("largest", ctypes.c_uint64),
        ("reported", _POINTER),
        ("cpu", ctypes.c_uint64 * 4),
        ("heap", _POINTER),
        ("heap_bytes", ctypes.c_uint64),
        ("parent", ctypes.c_int64),
        ("channel", ctypes.c_int64),
        ("at_a_time", ctypes.c_int64),
        ("number", ctypes.c_uint64),
        ("pipelines", ctypes.POINTER(ctypes.c_char_p)),
        ("answers", _POINTER),
    )


@dataclass(frozen=True, slots=True)
class TrialState:
    # `parts` are the addresses of what takes fingerprints; at `heap` the memory begins that holds mostly the
    # program.
    program: module.Module
    fingerprint: int
    parts: tuple[int, int]
    largest: int
    heap: int


def can_observe(names: Sequence[str]) -> bool:
    # All must be numbers that helpers give, and an answer must have room for them.
    if mmap.PAGESIZE != _PAGE or not set(names) <= {COUNT, *features.RAW}:
        return False
    raw = _raw(names)
    return len(raw) <= _OBSERVATIONS and _answer_bytes(raw) <= _PAGE


def tried(
    state: TrialState,
    pipelines: Sequence[str],
    names: Sequence[str],
    *,
    channel: int,
    cpu_seconds: float | None,
) -> dict[int, tuple[bool, list[bytes]]]:
    # See CompilationSession.try_actions.
    raw = _raw(names)
    texts = (ctypes.c_char_p * len(pipelines))(*(pipeline.encode() for pipeline in pipelines))
    with mmap.mmap(-1, len(pipelines) * _PAGE) as shared:
        answers = ctypes.c_char.from_buffer(shared)
        trials = _trials(state, raw, channel, cpu_seconds)
        trials.number, trials.pipelines = len(pipelines), texts
        trials.answers = ctypes.addressof(answers)
        _try()(ctypes.byref(trials))
        del answers
        size = _answer_bytes(raw)
        said = [shared[place : place + size] for place in range(0, len(shared), _PAGE)]
    return {index: _read(answer, names) for index, answer in enumerate(said) if any(answer[:_NUMBER_BYTES])}


def _raw(names: Sequence[str]) -> list[features.Raw]:
    return [features.RAW[name] for name in dict.fromkeys(names) if name in features.RAW]


def _answer_bytes(raw: Sequence[features.Raw]) -> int:
    return (len(_HEAD) + sum(one.length for one in raw)) * _NUMBER_BYTES


def _trials(
    state: TrialState, raw: Sequence[features.Raw], channel: int, cpu_seconds: float | None
) -> _Trials:
    begin = -(-state.heap // mmap.PAGESIZE) * mmap.PAGESIZE
    function, memory = state.parts
    trials = _Trials(
        module=state.program.handle,
        machine=state.program.machine,
        options=library().pass_options,
        fingerprint=function,
        memory=memory,
        before=state.fingerprint,
        largest=state.largest,
        reported=ctypes.addressof(module.watch_reports()),
        cpu=(0, 0, *divmod(int((cpu_seconds or 0) * _MICROS), _MICROS)),
        heap=begin,
        heap_bytes=max(0, heap_end() - begin),
        parent=os.getpid(),
        channel=channel,
        at_a_time=len(os.sched_getaffinity(0)),
    )
    for place, one in enumerate(raw):
        trials.observations[place] = helpers.address(one.helper)
        trials.lengths[place] = one.length
    return trials


def _read(answer: bytes, names: Sequence[str]) -> tuple[bool, list[bytes]]:
    head = features.listed(answer[: len(_HEAD) * _NUMBER_BYTES])
    found, place = {COUNT: answer[2 * _NUMBER_BYTES : 3 * _NUMBER_BYTES]}, len(_HEAD) * _NUMBER_BYTES
    for name in dict.fromkeys(name for name in names if name in features.RAW):
        end = place + features.RAW[name].length * _NUMBER_BYTES
        found[name] = features.RAW[name].chosen(answer[place:end])
        place = end
    return bool(head[1]), [found[name] for name in names]


@lru_cache(maxsize=1)
def _try() -> Callable[[Any], None]:
    return ctypes.CFUNCTYPE(None, _POINTER)(helpers.address("optarena_trials"))
