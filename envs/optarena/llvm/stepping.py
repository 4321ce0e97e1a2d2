"""Answers usual steps of a session on its channel without Python: see ``native/steps.c``.

A step gives exactly what the usual way gives, since the same functions are called in the same order. What is
not usual is left to the usual way.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import features, helpers, module
from optarena.llvm.observations.basic import COUNT
from optarena.machine_code.libllvm import library
from optarena.service.protocol import wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.llvm.actions import PassTable
    from optarena.service.session import PlainCalls

_POINTER: Final = ctypes.c_void_p
_NUMBER: Final = ctypes.c_uint64
_MICROS: Final = 1_000_000
_NANOS: Final = 1_000_000_000
_MOST_NUMBERS: Final = 256
"""How many numbers an observation may have, the helper's ``MOST_NUMBERS``."""


class _Observation(ctypes.Structure):
    """``Observation`` of the helper."""

    _fields_ = (("compute", _POINTER), ("places", ctypes.POINTER(ctypes.c_uint32)), ("numbers", _NUMBER))


class _Steps(ctypes.Structure):
    """``Steps`` of the helper."""

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
    """What the steps left.

    Attributes:
        fingerprint: The fingerprint of the present state; after a pass that is not answered, of that before.
        instructions: How many instructions it has.
        answered: How many passes were run and answered.
        has_run: Whether the pass of the next step has run, which Python has to finish.
        error: The ``LLVMErrorRef`` that this pass returned, if it did.
    """

    fingerprint: int
    instructions: int
    answered: int
    has_run: bool
    error: int | None


class Stepper:
    """Answers the steps of one session.

    Args:
        program: The program.
        parts: The addresses of what takes its fingerprints.
        largest: How many instructions it may have.
        table: The passes.
        names: The names of the observation spaces, by index.
    """

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
            wakeful=int(wire.WAKEFUL_SECONDS * _NANOS),
            busy=int(wire.BUSY_SECONDS * _NANOS),
            most_long=wire.MAX_LONG_WAITS,
            **{"yield": int(wire.YIELD_SECONDS * _NANOS)},
        )

    def answer(self, calls: PlainCalls, fingerprint: int, instructions: int) -> Left:
        """Answer steps, beginning in this state, until something is not usual."""
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
