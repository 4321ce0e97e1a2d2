"""Answers usual steps of a session on its channel without Python: see ``native/steps.c``.

A step gives exactly what the usual way gives, since the same functions are called in the same order. What is
not usual is left to the usual way. Below it are the trials of ``native/trials.c``, and what a zygote runs so
that its sessions' first steps find everything made.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import features
from optarena.llvm.module import Module, PassState, helper_address, reset_reported
from optarena.llvm.observations import COUNT
from optarena.service.protocol import frames

if TYPE_CHECKING:
    from optarena.llvm.actions import PassTable
    from optarena.service.session import PlainCalls

_POINTER: Final = ctypes.c_void_p
_NUMBER: Final = ctypes.c_uint64
_MICROS: Final = 1_000_000
_NANOS: Final = 1_000_000_000
# The helper's MOST_NUMBERS and MOST_ANSWERED.
_MOST_NUMBERS: Final = 256
_MOST_ANSWERED: Final = 256


class _Observation(ctypes.Structure):
    _fields_ = (
        ("compute", _POINTER),
        ("places", ctypes.POINTER(ctypes.c_uint32)),
        ("kept", _POINTER),
        ("numbers", _NUMBER),
    )


class Steps(ctypes.Structure):
    _fields_ = (
        ("channel", ctypes.c_int64),
        ("session", _NUMBER),
        ("cpu_ms", _NUMBER),
        ("cpu", ctypes.c_int64 * 4),
        ("progress", _POINTER),
        ("state", ctypes.POINTER(PassState)),
        ("dialogue", _POINTER),
        ("actions", _NUMBER),
        ("pipelines", ctypes.POINTER(ctypes.c_char_p)),
        ("spaces", _NUMBER),
        ("observations", ctypes.POINTER(_Observation)),
        ("wakeful", _NUMBER),
        ("yield", _NUMBER),
        ("busy", _NUMBER),
        ("most_long", _NUMBER),
        ("long_waits", _NUMBER),
        ("busy_until", _NUMBER),
        ("loads", ctypes.c_int64),
        ("processors", ctypes.c_int64),
        ("content", _NUMBER),
        ("instructions", _NUMBER),
        ("answered", _NUMBER),
        ("log", ctypes.c_uint32 * _MOST_ANSWERED),
        ("computed", _POINTER),
        ("computed_of", _NUMBER),
        ("numbers", ctypes.c_int64 * _MOST_NUMBERS),
    )


def prepare_steps(state: PassState, table: PassTable, names: tuple[str, ...]) -> Steps:
    pipelines, observations = _pipelines(table), _observations(names)
    return _prepare(observations, state=ctypes.pointer(state), actions=len(pipelines), pipelines=pipelines)


def prepare_decisions(
    dialogue: int, decisions: int, names: tuple[str, ...], kept: Mapping[str, tuple[int, int]]
) -> Steps:
    # `kept` has where the numbers of an observation are between two decisions, and how many.
    observations = (_Observation * len(names))(
        *(
            _Observation(kept=kept[name][0], numbers=kept[name][1]) if name in kept else _count(name)
            for name in names
        )
    )
    return _prepare(observations, dialogue=dialogue, actions=decisions)


def _prepare(observations: Any, **fields: Any) -> Steps:  # noqa: ANN401 # arrays and pointers of ctypes
    return Steps(
        **fields,
        spaces=len(observations),
        observations=observations,
        wakeful=int(frames.WAKEFUL_SECONDS * _NANOS),
        busy=int(frames.BUSY_SECONDS * _NANOS),
        most_long=frames.MAX_LONG_WAITS,
        loads=frames.loads_file(),
        processors=frames.processors(),
        **{"yield": int(frames.YIELD_SECONDS * _NANOS)},
    )


def answer(steps: Steps, calls: PlainCalls, fingerprint: int, instructions: int) -> bool:
    # Until something is not usual. Returns whether the next step's action was carried out, and Python has to
    # finish it; `steps` has what was answered, and the state after that.
    micros = round((calls.cpu_seconds or 0) * _MICROS)
    steps.channel, steps.session, steps.progress = calls.channel, calls.session_id, calls.progress
    steps.cpu_ms, steps.cpu[2:] = micros // 1000, divmod(micros, _MICROS)
    steps.content, steps.instructions, steps.answered = fingerprint, instructions, 0
    reset_reported()
    return bool(_native("optarena_steps", ctypes.c_int)(ctypes.byref(steps)))


@lru_cache(maxsize=2)
def _native(name: str, result: type[ctypes.c_int] | None) -> Callable[[Any], int]:
    return ctypes.CFUNCTYPE(result, _POINTER)(helper_address(name))


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
        return _count(name)
    if raw.length > _MOST_NUMBERS:
        return _Observation()
    places: Sequence[int] | None = raw.places
    chosen = None if places is None else (ctypes.c_uint32 * len(places))(*places)
    numbers = raw.length if places is None else len(places)
    return _Observation(compute=helper_address(raw.helper), places=chosen, numbers=numbers)


def _count(name: str) -> _Observation:
    return _Observation(numbers=int(name == COUNT))


_libc: Final = ctypes.CDLL(None)
_libc.sbrk.restype = ctypes.c_void_p
_libc.malloc.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]
# Changes nothing, but has the target machine make a subtarget for each kind of function.
MAKE_SUBTARGETS: Final = "function(require<target-ir>)"
# Sizes in bytes of the blocks that fill the holes of the heap: those above may be outside the heap. Below 1
# KiB it is all sizes that the C library distinguishes: passes allocate thousands of small blocks.
_HOLES: Final = (*(1 << power for power in range(16, 9, -1)), *range(1000, 8, -16))
# The free end of the heap, in bytes: a block in it, or above it, did not come from a hole.
_TOP: Final = 1 << 18


def heap_end() -> int:
    # The heap of the C library grows upwards.
    return int(_libc.sbrk(0) or 0)


@lru_cache(maxsize=1)
def heap_begin() -> int:
    # Of a process's first session: its programs, and those of later ones, are mostly above.
    return heap_end()


@lru_cache(maxsize=1)
def warm_up_program() -> bytes:
    return resources.files("optarena.llvm.native").joinpath("warm_up.ll").read_bytes()


@lru_cache(maxsize=1)
def warm_up(table: PassTable, level: str) -> None:
    # Two at a time, so that there is a machine for a session's program and one for its baselines, most of
    # which are of this level.
    with Module.parse(warm_up_program()) as session, Module.parse(warm_up_program()) as baseline:
        for action in table.actions:
            session.run(action.pipeline)
        baseline.run(MAKE_SUBTARGETS)
        baseline.optimise(level)
        session.bitcode()
    # So that a session's program lies above them, in one piece: in a process that was forked from this one,
    # the first write to each page of a hole would copy the page.
    for size in _HOLES:
        end = heap_end()
        while 0 < (block := _libc.malloc(size) or 0) < end - _TOP:
            pass
        _libc.free(block)


_OBSERVATIONS: Final = 4
_NUMBER_BYTES: Final = 8
_OF_EACH: Final = ("no effect", "instructions")  # before the observations
# So long no walk may end, for each of the passes of the longest.
_PATIENCE_MS: Final = 5000
# Bytes for one answer, the helper's PAGE; memory is protected by pages of this size.
_PAGE: Final = 4096


class _Trials(ctypes.Structure):
    _fields_ = (
        ("state", ctypes.POINTER(PassState)),
        ("observations", _POINTER * _OBSERVATIONS),
        ("lengths", ctypes.c_uint64 * _OBSERVATIONS),
        ("before", ctypes.c_uint64),
        ("cpu", ctypes.c_int64 * 4),
        ("heap", _POINTER),
        ("heap_bytes", ctypes.c_uint64),
        ("parent", ctypes.c_int64),
        ("channel", ctypes.c_int64),
        ("at_a_time", ctypes.c_int64),
        ("patience_ms", ctypes.c_int64),
        ("number", ctypes.c_uint64),
        ("ends", ctypes.POINTER(ctypes.c_uint64)),
        ("pipelines", ctypes.POINTER(ctypes.c_char_p)),
        ("answers", _POINTER),
    )


def most_passes(names: Sequence[str]) -> int:
    # Of a walk that can be tried with these observations after each; 0 if one is not numbers of a helper.
    if mmap.PAGESIZE != _PAGE or not set(names) <= {COUNT, *features.RAW}:
        return 0
    raw = _raw(names)
    return 0 if len(raw) > _OBSERVATIONS else (_PAGE - _NUMBER_BYTES) // _step_bytes(raw)


def try_walks(  # noqa: PLR0913 # what is tried, on what, and within which limits
    state: PassState,
    fingerprint: int,
    heap: int,
    walks: Sequence[Sequence[str]],
    names: Sequence[str],
    *,
    channel: int,
    cpu_seconds: float | None,
) -> dict[int, list[tuple[bool, list[bytes]]]]:
    # See CompilationSession.try_walks; at `heap` the memory begins that holds mostly the program.
    if not walks:
        return {}
    raw = _raw(names)
    begin = -(-heap // mmap.PAGESIZE) * mmap.PAGESIZE
    ends = list(itertools.accumulate(map(len, walks)))
    with mmap.mmap(-1, len(walks) * _PAGE) as shared:
        answers = ctypes.c_char.from_buffer(shared)
        trials = _Trials(
            state=ctypes.pointer(state),
            before=fingerprint,
            cpu=(0, 0, *divmod(int((cpu_seconds or 0) * _MICROS), _MICROS)),
            heap=begin,
            heap_bytes=max(0, heap_end() - begin),
            parent=os.getpid(),
            channel=channel,
            at_a_time=len(os.sched_getaffinity(0)),
            patience_ms=_PATIENCE_MS * max(map(len, walks)),
            number=len(walks),
            ends=(ctypes.c_uint64 * len(ends))(*ends),
            pipelines=(ctypes.c_char_p * ends[-1])(*(text.encode() for walk in walks for text in walk)),
            answers=ctypes.addressof(answers),
        )
        for place, one in enumerate(raw):
            trials.observations[place] = helper_address(one.helper)
            trials.lengths[place] = one.length
        reset_reported()
        _native("optarena_trials", None)(ctypes.byref(trials))
        del answers
        size = _step_bytes(raw)
        told = {}
        for index, walk in enumerate(walks):
            place = index * _PAGE + _NUMBER_BYTES
            if any(shared[index * _PAGE : place]):
                steps = [shared[place + at * size : place + (at + 1) * size] for at in range(len(walk))]
                told[index] = [_read(step, names) for step in steps]
        return told


def _raw(names: Sequence[str]) -> list[features.Raw]:
    return [features.RAW[name] for name in dict.fromkeys(names) if name in features.RAW]


def _step_bytes(raw: Sequence[features.Raw]) -> int:
    return (len(_OF_EACH) + sum(one.length for one in raw)) * _NUMBER_BYTES


def _read(step: bytes, names: Sequence[str]) -> tuple[bool, list[bytes]]:
    place = len(_OF_EACH) * _NUMBER_BYTES
    found = {COUNT: step[_NUMBER_BYTES:place]}
    for name in dict.fromkeys(name for name in names if name in features.RAW):
        end = place + features.RAW[name].length * _NUMBER_BYTES
        found[name] = features.RAW[name].chosen(step[place:end])
        place = end
    return any(step[:_NUMBER_BYTES]), [found[name] for name in names]
