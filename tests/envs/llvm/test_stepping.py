"""Steps that are answered without Python: the same answers byte for byte, and what is left to Python."""

from __future__ import annotations

import contextlib
import random
import signal
import socket
import struct
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from optarena.errors import InvalidInput, SessionLimitExceeded
from optarena.llvm import features, stepping
from optarena.llvm.action_sets import PassActions
from optarena.llvm.actions import CURATED, PassTable
from optarena.llvm.observations import OBSERVED as OBSERVATIONS
from optarena.llvm.session import LlvmSession
from optarena.llvm.tables import FUNCTIONS, PARAMETERS
from optarena.service.processes.supervision import SharedProgress, progress_file, read_unit
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.frames import PlainCall, PlainOutcome, PlainStep
from optarena.service.session import PlainCalls
from tests.kit.every_service import DIGITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optarena.llvm.tables import WordTable

SPACES = [space.name for space in LlvmSession.observation_spaces]
OBSERVED = [SPACES.index(name) for name in ("InstCount", "IrInstructionCount", "Autophase")]
NUMBER = 7


class SessionWithABrokenPass(LlvmSession):
    """A session whose first pass does not exist."""


BROKEN = PassTable("broken", (replace(CURATED.action(0), pipeline="nosuchpass"),))
SessionWithABrokenPass.set_spaces((PassActions(BROKEN),), OBSERVATIONS)


class Stepping:
    def __init__(
        self, program: bytes, kind: type[LlvmSession] = LlvmSession, space: pb.ActionSpace | None = None
    ) -> None:
        given = pb.Benchmark(uri="benchmark://tests-v0/x", program=pb.File(contents=program))
        self.session = kind(Path("/nowhere"), space or kind.action_spaces[0], given)
        self._file = progress_file()
        self.progress = SharedProgress(self._file.fileno())

    def exchange(self, data: bytes) -> tuple[bytes, bytes]:
        """What it answers to some bytes, after which the stream ends; and what it leaves of them."""
        client, here = socket.socketpair()
        with client, here:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            self.session.answer_steps(PlainCalls(here.fileno(), NUMBER, None, self.progress.address))
            left = here.recv(1 << 16)
            here.shutdown(socket.SHUT_WR)
            return client.recv(1 << 16), left

    def by_python(self, *actions: int, observed: Sequence[int] = OBSERVED, call: int = 1) -> bytes:
        """The answer in the usual way."""
        effects = [self.session.apply_action(pb.Event(int64_value=action))[2] for action in actions]
        spaces = [self.session.observation_spaces[index] for index in observed]
        values = [number for space in spaces if (number := self.session.get_numbers(space)) is not None]
        return on_wire(PlainOutcome(False, all(effects), values).packed(call))

    @property
    def unit(self) -> int:
        return read_unit(self._file.fileno())

    def close(self) -> None:
        self._file.close()
        self.session.close()


@pytest.fixture
def start() -> Iterator[Callable[..., Stepping]]:
    with contextlib.ExitStack() as stack:

        def started(program: bytes, kind: type[LlvmSession] = LlvmSession) -> Stepping:
            made = Stepping(program, kind)
            stack.callback(made.close)
            return made

        yield started


def on_wire(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def frame(*actions: int, observed: Sequence[int] = OBSERVED, number: int = NUMBER, cpu_ms: int = 0) -> bytes:
    return on_wire(PlainStep(number, actions, observed).packed(1, 60_000, cpu_ms))


def test_a_walk_through_all_passes_is_answered_byte_for_byte_as_by_python(
    start: Callable[..., Stepping], mixed: bytes
) -> None:
    chance = random.Random(3)  # noqa: S311 # the same each time
    actions = chance.sample(range(len(CURATED)), len(CURATED)) + chance.choices(range(len(CURATED)), k=100)
    without, usual = start(mixed), start(mixed)
    for action in actions:
        assert without.exchange(frame(action)) == (usual.by_python(action), b""), CURATED.names[action]
    assert without.unit == 1 + len(OBSERVED)
    assert without.exchange(frame()) == (usual.by_python(), b"")
    assert without.session.instruction_count() == usual.session.instruction_count()
    assert without.session.bitcode() == usual.session.bitcode()
    for action in actions[:20]:  # the same session goes on in the usual way
        assert without.by_python(action) == usual.by_python(action)


def wrong_frames() -> Iterator[tuple[str, bytes]]:
    """Bytes that are not one usual step, each with what is unusual."""
    usual = frame(0)
    yield "a length alone", usual[:4]
    yield "half a length", usual[:2]
    yield "cut", usual[:-1]
    yield "too long", struct.pack("<I", len(usual) - 3) + usual[4:] + b"\0"
    yield "a length beyond all memory", b"\xff\xff\xff\xff" + usual[4:]
    yield "two frames", usual * 2
    yield "a frame and a part", usual + b"\1"
    yield "another version", usual[:5] + b"\2" + usual[6:]
    yield "a message", on_wire(pb.StepRequest(session_id=NUMBER).SerializeToString())
    yield "another session", frame(0, number=NUMBER + 1)
    yield "another limit", frame(0, cpu_ms=1)
    yield "no such action", frame(len(CURATED))
    yield "a negative action", frame(-1)
    yield "several actions", frame(0, 1)
    yield "no such space", frame(0, observed=[len(SPACES)])
    yield "a space of text", frame(0, observed=[SPACES.index("Ir")])
    yield "many observations", frame(0, observed=OBSERVED * 3)
    yield "more actions than numbers", usual[:30] + b"\xff\xff\xff\xff" + usual[34:]
    yield "more observations than numbers", usual[:34] + b"\xff\xff\xff\xff" + usual[38:]


@pytest.mark.parametrize("data", [pytest.param(data, id=what) for what, data in wrong_frames()])
def test_what_is_not_a_usual_step_stays_in_the_socket_and_changes_nothing(
    start: Callable[..., Stepping], data: bytes
) -> None:
    one = start(DIGITS.read_bytes())
    before = one.session.bitcode()
    assert one.exchange(data) == (b"", data)
    assert one.session.module.bitcode() == before
    assert one.unit == 0


def test_a_damaged_frame_is_answered_as_by_python_or_left_as_it_came(start: Callable[..., Stepping]) -> None:
    chance = random.Random(5)  # noqa: S311 # the same each time
    without, usual = start(DIGITS.read_bytes()), start(DIGITS.read_bytes())
    answered = 0
    for _ in range(3000):
        data = bytearray(frame(CURATED.index("mem2reg")))
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 2, 255, chance.randrange(256)))
        data = data[: chance.choice((len(data), len(data), chance.randrange(1, len(data))))]
        reply, left = without.exchange(bytes(data))
        if left:
            assert (reply, left) == (b"", data)
        else:
            call = PlainCall.unpacked(bytes(data[4:]))
            step = call.step
            expected = usual.by_python(*step.actions, observed=step.observations, call=call.call_id)
            assert reply == expected
            answered += 1
    assert 50 < answered < 2950
    assert without.session.bitcode() == usual.session.bitcode()


def test_a_pass_that_makes_the_program_too_large_is_left_to_python(start: Callable[..., Stepping]) -> None:
    one, action = start(DIGITS.read_bytes()), CURATED.index("mem2reg")
    one.session._pass_state.largest = 1
    assert one.exchange(frame(action)) == (b"", frame(action))
    before = one.session.module.bitcode()
    with pytest.raises(SessionLimitExceeded, match=r"instructions after mem2reg; it may grow to 1\."):
        one.by_python(action)
    assert one.session.module.bitcode() == before  # the pass has run, and does not run again


def test_an_error_of_a_pass_is_told_by_python(start: Callable[..., Stepping]) -> None:
    one = start(DIGITS.read_bytes(), SessionWithABrokenPass)
    before = one.session.bitcode()
    assert one.exchange(frame(0)) == (b"", frame(0))
    with pytest.raises(InvalidInput, match="nosuchpass"):
        one.by_python(0)
    assert one.session.module.bitcode() == before


def test_a_state_without_a_fingerprint_is_left_to_python(start: Callable[..., Stepping]) -> None:
    layout = resources.files("optarena.llvm.native") / "layout_program.ll"
    one = start(layout.read_bytes())
    assert one.exchange(frame(0)) == (b"", frame(0))
    assert one.unit == 0


@pytest.mark.parametrize("table", [PARAMETERS, FUNCTIONS], ids=lambda table: str(table.name))
def test_actions_other_than_passes_are_left_to_python(table: WordTable) -> None:
    (space,) = (space for space in LlvmSession.action_spaces if space.name == table.name)
    one = Stepping(DIGITS.read_bytes(), space=space)
    assert one.exchange(frame()) == (b"", frame())
    one.close()


def test_a_peer_that_is_gone_when_the_reply_is_sent_ends_nothing(start: Callable[..., Stepping]) -> None:
    one, same = start(DIGITS.read_bytes()), start(DIGITS.read_bytes())
    client, here = socket.socketpair()
    with here:
        client.sendall(frame(CURATED.index("mem2reg")))
        client.close()
        one.session.answer_steps(PlainCalls(here.fileno(), NUMBER, None, one.progress.address))
        assert here.recv(100) == b""
    same.by_python(CURATED.index("mem2reg"))
    assert one.session.bitcode() == same.session.bitcode()


def test_no_observation_has_more_numbers_than_the_helper_has_room_for() -> None:
    source = (resources.files("optarena.llvm.native") / "steps.c").read_text("utf-8")
    assert f"MOST_NUMBERS = {stepping._MOST_NUMBERS} }};" in source
    assert all(place < raw.length for raw in features.RAW.values() for place in raw.places or ())


@pytest.mark.parametrize(
    "data",
    [frame(CURATED.index("mem2reg"), cpu_ms=50_500), frame(observed=[], cpu_ms=50_500)],
    ids=["a pass", "nothing to do"],
)
def test_each_unit_of_work_and_each_step_without_one_has_the_limit_of_cpu_time(
    start: Callable[..., Stepping], data: bytes
) -> None:
    one = start(DIGITS.read_bytes())
    client, here = socket.socketpair()
    with client, here:
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        try:
            one.session.answer_steps(PlainCalls(here.fileno(), NUMBER, 50.5, one.progress.address))
            remaining, _ = signal.getitimer(signal.ITIMER_PROF)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        assert 45 < remaining <= 50.6
        assert here.recv(100) == b""
