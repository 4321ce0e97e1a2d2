"""Tries passes in child processes of a session's process that run nothing of Python (see ``native/trial.c``).

A child gives exactly what the session would: it is a copy of its process, and calls the same functions. What
it does not know, such as the words for an error, it leaves to the usual way.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import features, helpers, module
from optarena.llvm.libllvm import library
from optarena.service.session import Trials

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.service.session import TrialFiles

_MOST: Final = 4
_POINTER: Final = ctypes.c_void_p
_NUMBER_BYTES: Final = 8
_HEAD: Final = struct.Struct("<qq")


class _Trial(ctypes.Structure):
    """``Trial`` of the helper."""

    _fields_ = (
        ("module", _POINTER),
        ("pipeline", ctypes.c_char_p),
        ("machine", _POINTER),
        ("options", _POINTER),
        ("fingerprint", _POINTER),
        ("memory", _POINTER),
        ("observations", _POINTER * _MOST),
        ("lengths", ctypes.c_uint64 * _MOST),
        ("before", ctypes.c_uint64),
        ("largest", ctypes.c_uint64),
        ("reported", _POINTER),
        ("cpu", ctypes.c_uint64 * 4),
        ("heap", _POINTER),
        ("heap_bytes", ctypes.c_uint64),
        ("parent", ctypes.c_int64),
        ("channel", ctypes.c_int64),
        ("answer", ctypes.c_int64),
        ("output", ctypes.c_int64),
        ("progress", ctypes.c_int64),
    )


class PassTrials(Trials):
    """Trials of single passes on one state.

    Args:
        program: The program in its state.
        fingerprint: The fingerprint of the state, and the parts of what takes it.
        largest: How many instructions the program may have.
        heap: Where the memory begins that the program mostly lies in, and where it ends.
        names: What to observe after the pass: the number of instructions, or one of ``features.RAW``.
        pipeline_of: The pipeline of an action's number.
        files: The descriptor that children close, and the CPU time that each may use.
    """

    def __init__(  # noqa: PLR0913 # what a trial needs to know
        self,
        program: module.Module,
        *,
        fingerprint: tuple[int, int, int],
        largest: int,
        heap: tuple[int, int],
        names: Sequence[str],
        pipeline_of: Callable[[int], str],
        channel: int,
        cpu_seconds: float | None,
    ) -> None:
        self._names = names
        self._pipeline_of = pipeline_of
        self._raw = list(dict.fromkeys(name for name in names if name in features.RAW))
        begin = -(-heap[0] // mmap.PAGESIZE) * mmap.PAGESIZE
        micros = int((cpu_seconds or 0) * 1_000_000)
        self._trial = _Trial(
            module=program.handle,
            machine=program.machine,
            options=library().pass_options,
            fingerprint=fingerprint[1],
            memory=fingerprint[2],
            before=fingerprint[0],
            largest=largest,
            reported=ctypes.addressof(module.reported),
            cpu=(0, 0, *divmod(micros, 1_000_000)),
            heap=begin,
            heap_bytes=max(0, heap[1] - begin),
            parent=os.getpid(),
            channel=channel,
        )
        for place, name in enumerate(self._raw):
            self._trial.observations[place] = helpers.address(features.RAW[name].helper)
            self._trial.lengths[place] = features.RAW[name].length

    @staticmethod
    def observes(names: Sequence[str], count: str) -> bool:
        """Whether children can observe all of these."""
        return set(names) <= {count, *features.RAW} and len(set(names)) <= _MOST

    def start(self, action: int, files: TrialFiles) -> int:
        """Start a child; 0 if there can be none."""
        trial = self._trial
        trial.pipeline = self._pipeline_of(action).encode()
        trial.answer, trial.output, trial.progress = files.answer, files.output, files.progress
        return max(0, int(_start()(ctypes.byref(trial))))

    def read(self, answer: bytes) -> tuple[bool, list[bytes]] | None:
        """Whether the pass had no effect, and the observations as numbers; None if they are not all there."""
        lengths = [features.RAW[name].length * _NUMBER_BYTES for name in self._raw]
        if len(answer) != _HEAD.size + sum(lengths):
            return None
        same, _ = _HEAD.unpack_from(answer)
        found, place = {}, _HEAD.size
        for name, length in zip(self._raw, lengths, strict=True):
            found[name] = features.RAW[name].chosen(answer[place : place + length])
            place += length
        count = answer[_HEAD.size - _NUMBER_BYTES : _HEAD.size]
        return bool(same), [found.get(name, count) for name in self._names]


@lru_cache(maxsize=1)
def _start() -> Callable[[Any], int]:
    return ctypes.CFUNCTYPE(ctypes.c_int, _POINTER)(helpers.address("optarena_trial"))
