"""Tries passes in child processes of a session's process that run nothing of Python: see ``native/trials.c``.

A child gives exactly what the session would: it is a copy of its process, and calls the same functions. What
it cannot tell, such as the words for an error or how a process ended, it leaves to the usual way.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import features, helpers, module
from optarena.llvm.observations.basic import COUNT
from optarena.llvm.warming import heap_end
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_OBSERVATIONS: Final = 4
_POINTER: Final = ctypes.c_void_p
_NUMBER_BYTES: Final = 8
_HEAD: Final = ("whole", "no effect", "instructions")
_MICROS: Final = 1_000_000
_PAGE: Final = 4096
"""Bytes for one answer, the helper's ``PAGE``; memory is protected by pages of this size."""


class _Trials(ctypes.Structure):
    """``Trials`` of the helper."""

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
    """The state on which passes are tried.

    Attributes:
        program: The program.
        fingerprint: Its fingerprint.
        parts: The addresses of what takes fingerprints.
        largest: How many instructions the program may have.
        heap: Where the memory begins that holds mostly the program.
    """

    program: module.Module
    fingerprint: int
    parts: tuple[int, int]
    largest: int
    heap: int


def can_observe(names: Sequence[str]) -> bool:
    """Whether all of these observations are numbers that helpers give, and an answer has room for them."""
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
    """What each pipeline gives: see :meth:`~optarena.service.session.CompilationSession.try_actions`."""
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
    """What helpers write for these observations, in the order of an answer."""
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
    """Whether the pass had no effect, and the observations."""
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
