"""The session parameters of clients written for CompilerGym."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, cast

import gymnasium
import pytest
from gymnasium.error import ResetNeeded

from optarena.datasets import Benchmark
from optarena.errors import InvalidInput
from optarena.llvm.module import Module, baseline, optimised
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.every_service import DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.llvm.env import LlvmEnv

BASELINE = "llvm.apply_baseline_optimizations"
RUNS = "llvm.{}_runtimes_per_observation_count"
WARMUPS = "llvm.{}_warmup_runs_count_per_runtime_observation"


@pytest.fixture
def llvm() -> Iterator[ManagedConnection]:
    with ManagedConnection.open("optarena.llvm.session:LlvmSession") as connection:
        yield connection


@pytest.fixture
def session(llvm: ManagedConnection) -> int:
    benchmark = pb.Benchmark(uri="benchmark://user-v0/digits", program=pb.File(contents=DIGITS.read_bytes()))
    return llvm.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id


def send(llvm: ManagedConnection, session: int, key: str, value: str = "") -> str:
    request = pb.SendSessionParameterRequest(
        session_id=session, parameter=[pb.SessionParameter(key=key, value=value)]
    )
    return str(llvm.send_session_parameter(request).reply[0])


def count(llvm: ManagedConnection, session: int) -> int:
    spaces = llvm.get_spaces(pb.GetSpacesRequest()).observation_space_list
    index = [space.name for space in spaces].index("IrInstructionCount")
    request = pb.StepRequest(session_id=session, observation_space=[index])
    return llvm.step(request).observation[0].int64_value


@pytest.mark.parametrize("level", ["O0", "O3", "Oz"])
def test_a_level_is_applied_to_the_program(llvm: ManagedConnection, session: int, level: str) -> None:
    assert send(llvm, session, BASELINE, f"-{level}") == "succeeded"
    assert count(llvm, session) == baseline(DIGITS.read_bytes(), level).ir_instructions


def test_a_level_is_applied_to_the_present_state(llvm: ManagedConnection, session: int) -> None:
    send(llvm, session, BASELINE, "-Oz")
    send(llvm, session, BASELINE, "-O3")
    with optimised(DIGITS.read_bytes(), "Oz") as module:
        module.optimise("O3")
        assert isinstance(module, Module)
        assert count(llvm, session) == module.instruction_count()


def test_numbers_of_runs_are_kept_also_by_a_copy(llvm: ManagedConnection, session: int) -> None:
    assert [send(llvm, session, key.format("get")) for key in (RUNS, WARMUPS)] == ["1", "0"]
    assert send(llvm, session, RUNS.format("set"), "30") == "30"
    connection, copy = llvm.fork(session)
    assert send(llvm, session, RUNS.format("set"), "2") == "2"
    with connection:
        request = pb.SendSessionParameterRequest(
            session_id=copy, parameter=[pb.SessionParameter(key=RUNS.format("get"))]
        )
        assert connection.send_session_parameter(request).reply == ["30"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (BASELINE, "-O9"),
        (BASELINE, "O3"),
        (RUNS.format("set"), "0"),
        (RUNS.format("set"), "many"),
        (WARMUPS.format("set"), "-1"),
        ("llvm.set_buildtimes_per_observation_count", "2"),
        ("llvm.put_runtimes_per_observation_count", "2"),
        ("set_runtimes_per_observation_count", "2"),
    ],
)
def test_a_wrong_parameter_is_named_and_changes_nothing(
    llvm: ManagedConnection, session: int, key: str, value: str
) -> None:
    before = count(llvm, session)
    with pytest.raises(InvalidInput, match=key):
        send(llvm, session, key, value)
    assert count(llvm, session) == before


def test_an_environment_keeps_parameters_for_every_episode() -> None:
    digits = Benchmark.from_bytes("benchmark://user-v0/digits", DIGITS.read_bytes())
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=digits) as made:
        env = cast("LlvmEnv", made.unwrapped)
        with pytest.raises(ResetNeeded):
            env.parameter(RUNS.format("set"), "3")
        assert not env.parameter(RUNS.format("set"), "3", keep=True)
        for _ in range(2):
            env.reset()
            assert env.parameter(RUNS.format("get")) == "3"
        assert env.parameter(WARMUPS.format("set"), "2", keep=True) == "2"
        assert env.parameter(RUNS.format("set"), "9") == "9"
        with pytest.raises(InvalidInput, match="many"):
            env.parameter(RUNS.format("set"), "many", keep=True)
        assert (env.runtime_observation_count, env.runtime_warmup_count) == (9, 2)
        env.reset()
        assert (env.runtime_observation_count, env.runtime_warmup_count) == (3, 2)
        kept = [env.parameter(key.format("get")) for key in (RUNS, WARMUPS)]
        assert kept == ["3", "2"]
        with env.fork() as twin, pickle.loads(pickle.dumps(env)) as loaded:  # noqa: S301 # made here
            for other in (twin, loaded):
                other.reset()
                assert [other.parameter(key.format("get")) for key in (RUNS, WARMUPS)] == kept
        env.runtime_warmup_count = 5  # the latest word decides
        env.reset()
        assert (env.runtime_observation_count, env.runtime_warmup_count) == (3, 5)
        assert env.parameter(WARMUPS.format("get")) == "0"


def test_baselines_are_of_the_program_before_a_kept_parameter_changes_it() -> None:
    digits = Benchmark.from_bytes("benchmark://user-v0/digits", DIGITS.read_bytes())
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=digits, render_mode="ansi") as made:
        env = cast("LlvmEnv", made.unwrapped)
        env.parameter(BASELINE, "-Oz", keep=True)
        env.reset()
        for claim in (lambda: env.state, env.validate):
            with pytest.raises(InvalidInput, match="no command line leads to its state") as told:
                claim()
            assert (told.value.field, told.value.value) == (BASELINE, "-Oz")
        assert str(env.render()).startswith(f"; The parameter {BASELINE} has changed the program")
        assert env.observation["IrInstructionCount"] == env.observation["IrInstructionCountOz"]
        assert float(env.step(0)[1]) == pytest.approx(1.0, abs=0.2)
