"""Passes that are tried in child processes without Python: what they answer, and what they leave."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from optarena.errors import InvalidInput
from optarena.llvm import features, stepping
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.llvm.session import LlvmSession, LlvmUnsafeSession
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.every_service import DIGITS
from tests.kit.processes import children

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

OBSERVED = ("InstCount", "IrInstructionCount", "Autophase")
SPACES = {space.name: space for space in LlvmSession.observation_spaces}
NO_CODE = b'\ndefine void @nowhere() {\n  call void asm sideeffect "bogus", ""()\n  ret void\n}\n'


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    before = children(os.getpid())
    yield
    assert children(os.getpid()) == before


def started(program: bytes, kind: type[LlvmSession] = LlvmSession) -> LlvmSession:
    given = pb.Benchmark(uri="benchmark://tests-v0/x", program=pb.File(contents=program))
    return kind(Path("/nowhere"), kind.action_spaces[0], given)


def tried(
    session: LlvmSession,
    actions: Sequence[int],
    names: Sequence[str] = OBSERVED,
    cpu_seconds: float | None = 20.0,
) -> Mapping[int, tuple[bool, list[bytes]]]:
    """What the session answers, whose channel is a file of no use."""
    channel = os.open(os.devnull, os.O_RDONLY)
    try:
        spaces = [SPACES[name] for name in names]
        return session.try_actions(actions, spaces, channel=channel, cpu_seconds=cpu_seconds)
    finally:
        os.close(channel)


def test_every_pass_is_answered_and_gives_what_a_step_gives(mixed: bytes) -> None:
    session = started(mixed)
    answers = tried(session, range(len(CURATED)))
    assert sorted(answers) == list(range(len(CURATED)))
    for action in (CURATED.index(name) for name in ("sroa", "instcombine", "globaldce", "inferattrs")):
        with_one = started(mixed)
        _, _, had_no_effect = with_one.apply_action(pb.Event(int64_value=action))
        numbers = [with_one.get_numbers(SPACES[name]) for name in OBSERVED]
        assert answers[action] == (had_no_effect, numbers)
        with_one.close()
    session.close()


def test_what_is_observed_twice_is_answered_twice(mixed: bytes) -> None:
    session = started(mixed)
    ((_, (first, count, second)),) = tried(
        session, [0], ("Autophase", "IrInstructionCount", "Autophase")
    ).values()
    assert first == second
    assert (len(first), len(count)) == (8 * features.AUTOPHASE_SIZE, 8)
    session.close()


def test_an_error_that_was_raised_long_ago_does_not_count() -> None:
    session = started(DIGITS.read_bytes() + NO_CODE)
    with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
        session.get_observation(SPACES["ObjectTextSizeBytes"])
    assert set(tried(session, [0, 1])) == {0, 1}
    session.close()


def test_crashes_hangs_and_growth_have_no_answer(mixed: bytes, hanging: bytes) -> None:
    unsafe = started(mixed, LlvmUnsafeSession)
    crash, harmless = UNSAFE.index("trigger-crash-module"), UNSAFE.index("strip-nonlinetable-debuginfo")
    assert set(tried(unsafe, [harmless, crash, harmless])) == {0, 2}
    unsafe._pass_state.largest = 1
    assert not tried(unsafe, [harmless])
    unsafe.close()
    endless = started(hanging, LlvmUnsafeSession)
    assert set(tried(endless, [UNSAFE.index("attributor"), harmless], cpu_seconds=0.5)) == {1}
    endless.close()


def test_what_cannot_be_observed_so_is_left_to_the_usual_way(
    mixed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = started(mixed)
    assert not tried(session, [0], ("IrInstructionCount", "Ir"))
    monkeypatch.setattr(stepping, "_PAGE", 1024)
    assert not tried(session, [0])
    monkeypatch.setattr(stepping, "_PAGE", 4096)
    assert tried(session, [0])
    session.close()
