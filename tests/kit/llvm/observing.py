"""Observations of a program as a client gets them, from a session in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from optarena.env.spaces import decoder_of
from optarena.llvm.session import LlvmSession
from optarena.service.converters import event_to_member
from optarena.service.proto.compiler_gym_service_pb2 import Benchmark, Event, File, ObservationSpace


def space_of(name: str) -> ObservationSpace:
    return next(space for space in LlvmSession.observation_spaces if space.name == name)


def view(name: str, program: bytes) -> Any:
    return decoder_of(space_of(name).space)(_event(name, program))


def member(name: str, program: bytes) -> Any:
    """The value as an element of its gymnasium space."""
    return event_to_member(_event(name, program), space_of(name).space)


def _event(name: str, program: bytes) -> Event:
    benchmark = Benchmark(uri="benchmark://tests-v0/program", program=File(contents=program))
    session = LlvmSession(Path("/nowhere"), LlvmSession.action_spaces[0], benchmark)
    try:
        return session.get_observation(space_of(name))
    finally:
        session.close()
