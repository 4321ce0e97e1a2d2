"""Wrong input, parameters and passes that end their process: a typed error, and all goes on."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest
from gymnasium.error import ResetNeeded

from optarena.datasets import Benchmark, Workload, datasets
from optarena.env import CompilerEnv
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput, UnknownName
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.llvm.module import Module, baseline, optimised
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.state import EnvState
from optarena.validation import validate_state
from tests.kit.every_service import DIGITS
from tests.kit.processes import session_pid

if TYPE_CHECKING:
    from optarena.llvm.env import LlvmEnv

MEM2REG = CURATED.index("mem2reg")
TRIPLE = 'target triple = "x86_64-unknown-linux-gnu"\n'
NO_MAIN = f"{TRIPLE}define i32 @helper(i32 %x) {{\n  ret i32 %x\n}}\n".encode()
OLD = f"{TRIPLE}define i32 @f(i32* %p) {{\n  %x = load i32* %p\n  ret i32 %x\n}}\n"
"""As LLVM 3.6 wrote it."""
EPOCH_BYTE, EPOCH_BIT = 28, 1 << 3
"""Where bitcode says which versions of LLVM can read it."""


@pytest.fixture(scope="module")
def env(digits: Benchmark) -> Iterator[LlvmEnv]:
    made = cast("LlvmEnv", gymnasium.make("optarena/llvm-ic-v0", benchmark=digits).unwrapped)
    made.reset(options={"reward_space": "IrInstructionCount"})
    made.step(MEM2REG)
    yield made
    made.close()


def check_refused(env: LlvmEnv, use: Callable[[LlvmEnv], Any], kind: type[Exception], *parts: str) -> None:
    """It is refused in words that contain all parts, and the present episode goes on."""
    before, actions = env.observation["IrSha1"], env.actions
    with pytest.raises(kind) as caught:
        use(env)
    assert type(caught.value) is kind
    for part in parts:
        assert part in str(caught.value)
    assert (env.observation["IrSha1"], env.actions) == (before, actions)


def reset(**options: Any) -> Callable[[LlvmEnv], Any]:
    return lambda env: env.reset(options=options)


@pytest.mark.parametrize(
    ("use", "parts"),
    [
        (reset(observation_space="Autophas"), ("'Autophas'", "'Autophase'")),
        (reset(reward_space="IrInstructionCountO"), ("'IrInstructionCountO'", "'IrInstructionCountOz'")),
        (reset(action_space="llvm-passes"), ("'llvm-passes'", "'llvm-passes-v0'")),
        (
            reset(benchmark="benchmark://kernels-v0/quicksor"),
            ("quicksor'", "'benchmark://kernels-v0/quicksort'"),
        ),
        (reset(benchmark="benchmark://kernel-v0/quicksort"), ("'kernel-v0'", "kernels-v0")),
        (reset(bench="x"), ("'bench'", "'benchmark'")),
        (reset(benchmark="benchmark://nothing-v0/x"), ("nothing-v0",)),
        (reset(reward_space="x"), ("The known ones are",)),
        (lambda env: env.observation["InstCounts"], ("'InstCounts'", "'InstCount'")),
        (lambda env: env.reward["ObjectTextSizeO"], ("'ObjectTextSizeO'", "'ObjectTextSizeOz'")),
        (lambda env: env.step(0, observation_spaces=["Irr"]), ("'Irr'", "'Ir'")),
        (lambda env: env.step(0, reward_spaces=["ObjectTextSizeO"]), ("'ObjectTextSizeOz'",)),
        (lambda env: env.step(0, reward_spaces=[None]), ("reward_space",)),
        (lambda env: env.step(0, observation_spaces=["Ir", 3]), ("observation_space '3'",)),
        (lambda _: CURATED.index("mem2regs"), ("'mem2regs'", "'mem2reg'")),
    ],
)
def test_an_unknown_name_is_answered_with_near_ones(env: LlvmEnv, use: Any, parts: tuple[str, ...]) -> None:
    check_refused(env, use, UnknownName, *parts)


@pytest.mark.parametrize(
    ("use", "part"),
    [
        (lambda env: env.multistep(MEM2REG), "Give a list"),
        *((lambda env, one=one: env.step(0, observation_spaces=one), "of names") for one in ("Ir", 1)),
        (lambda env: env.step(0, reward_spaces="IrInstructionCount"), "of names"),
        (reset(benchmark=5), "a URI or a Benchmark"),
        (reset(observation_space=3), "the name of an observation space"),
        (reset(action_space=7), "the name of an action space"),
        (reset(reward_space=1.0), "the name of a reward space"),
        (lambda env: env.reset(options=3), "Give a dict"),
        (reset(benchmark="file:///nowhere.bc"), "path of a program's file"),
        (reset(benchmark="no uri"), "benchmark://"),
        (lambda env: env.parameter("no such parameter"), "no such parameter"),
    ],
)
def test_a_value_of_a_wrong_type_is_refused(env: LlvmEnv, use: Any, part: str) -> None:
    check_refused(env, use, InvalidAction if "list" in part else InvalidInput, part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("opt -O3 input.bc -o output.bc", "opt -passes="),
        ("opt -passes='function(mem2regs)' input.bc -o output.bc", "'function(mem2reg)'"),
        ("mem2reg", "opt -passes="),
    ],
)
def test_a_command_line_of_another_form_is_refused(env: LlvmEnv, text: str, part: str) -> None:
    state = EnvState(benchmark=env.benchmark.uri, commandline=text)
    check_refused(env, lambda env: env.apply(state), InvalidCommandline, part)


def other_version(bitcode: bytes) -> bytes:
    """Bitcode that says that another LLVM has written it, of which this one reads nothing."""
    changed = bytearray(bitcode)
    changed[EPOCH_BYTE] ^= EPOCH_BIT
    return bytes(changed)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda _: b"\x00\xff garbage", "not valid LLVM IR"),
        (lambda bitcode: bitcode[: len(bitcode) // 2], "not valid LLVM IR"),
        (lambda bitcode: bitcode[:800] + bytes(100) + bitcode[900:], "not valid LLVM IR"),
        (other_version, "Incompatible epoch"),
        (lambda _: OLD.encode(), "expected comma after load's type"),
        (lambda _: b'target triple = "aarch64-unknown-linux-gnu"\n', "aarch64"),
    ],
    ids=["garbage", "half", "hole", "newer-bitcode", "older-text", "other-machine"],
)
def test_a_program_that_cannot_be_read_is_refused_and_the_next_reset_works(
    env: LlvmEnv, digits: Benchmark, make: Any, reason: str
) -> None:
    with Module.parse(digits.program()) as module:
        program = make(module.bitcode())
    with pytest.raises(InvalidInput, match=reason) as caught:
        env.reset(options={"benchmark": Benchmark.from_bytes("benchmark://tests-v0/broken", program)})
    assert "LLVM" in str(caught.value) or "x86_64" in str(caught.value)
    env.reset(options={"benchmark": digits})
    assert env.step(MEM2REG)[2] is False


def test_a_module_without_main_is_refused_only_where_it_must_run(env: LlvmEnv, digits: Benchmark) -> None:
    library = Benchmark.from_bytes("benchmark://tests-v0/library", NO_MAIN)
    env.reset(options={"benchmark": library})
    assert env.step(MEM2REG)[2] is False
    assert env.observation["ObjectTextSizeBytes"] > 0
    check_refused(env, lambda env: env.observation["Runtime"], InvalidInput, "no workloads", "IsRunnable")
    env.reset(options={"benchmark": digits})


def test_a_module_without_main_that_has_workloads_fails_them() -> None:
    given = Benchmark.from_bytes("benchmark://tests-v0/library", NO_MAIN)
    workloads = (Workload(name="default"),)
    library = replace(given, workloads=workloads)
    state = EnvState(benchmark=library.uri, commandline=CURATED.commandline([MEM2REG]))
    result = validate_state(state, environment="llvm-ic-v0", benchmark=library)
    assert [problem.reason for problem in result.problems] == ["benchmark:broken"]
    assert "main" in str(result)


def test_the_text_size_of_a_program_without_machine_code_is_an_error_and_the_episode_goes_on() -> None:
    text = f'{TRIPLE}define void @f() {{\n  call void asm sideeffect "bogus", ""()\n  ret void\n}}\n'
    program = Benchmark.from_bytes("benchmark://user-v0/bogus", text.encode())
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=program) as made:
        env = cast("LlvmEnv", made.unwrapped)
        env.reset(options={"reward_space": "IrInstructionCount"})
        for name in ("ObjectTextSizeBytes", "ObjectTextSizeBytesOz", "ObjectTextSizeOz"):
            with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
                env.observation[name]
        with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
            env.reward["ObjectTextSizeOz"]
        with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
            env.reset(options={"reward_space": "ObjectTextSizeOz"})
        assert not env.step(MEM2REG)[2]
        assert (env.observation["IrInstructionCount"], env.observation["IsBuildable"]) == (2, 0)


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
def test_a_wrong_parameter_changes_nothing(
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


COUNT = "IrInstructionCount"
STRIP, SPLIT, ABORT = map(UNSAFE.index, ("strip", "globalsplit", "trigger-crash-module"))
NOTHING = {"observation_space": None, "reward_space": None}


def make(benchmark: Benchmark, **options: Any) -> CompilerEnv:
    return CompilerEnv("llvm-unsafe-v0", benchmark=benchmark, reward_space=COUNT, **options)


@pytest.fixture(scope="module")
def limited(digits: Benchmark) -> Iterator[CompilerEnv]:
    limits = ProcessLimits(cpu_seconds_per_call=0.4, wall_seconds_per_call=5)
    with make(digits, limits=limits) as made:
        yield made


def program(data: bytes) -> Benchmark:
    return Benchmark.from_bytes("benchmark://tests-v0/program", data)


def stop(limited: CompilerEnv, number: signal.Signals) -> None:
    os.kill(session_pid(limited), number)


def check_ended(limited: CompilerEnv, step: Any, kind: str, *parts: str) -> None:  # of step()
    """The episode is over, for a reason told in all its parts; the next one works."""
    _, reward, terminated, truncated, info = step
    assert (terminated, truncated) == (True, False), info
    assert info["error_type"] == kind, info
    for part in parts:
        assert part in info["error_details"], info
    assert reward <= 0
    limited.reset()
    assert limited.step(STRIP)[2] is False


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("trigger-crash-module", "crash", "ended by SIGABRT"),
        ("codegenprepare", "crash", "ended by SIGSEGV"),
        ("licm-without-memory-ssa", "crash", "LLVM ERROR: LICM requires MemorySSA"),
        ("expand-ir-insts", "service", "analysis required"),
    ],
)
def test_a_pass_that_ends_its_process_is_named_with_the_reason(
    limited: CompilerEnv, digits: Benchmark, name: str, kind: str, reason: str
) -> None:
    limited.reset(options={"benchmark": digits})
    limited.step(STRIP)
    check_ended(limited, limited.step(UNSAFE.index(name)), kind, f"In action 1 ({name}): ", reason)


def test_of_several_actions_the_failed_one_is_named_and_last(limited: CompilerEnv, digits: Benchmark) -> None:
    limited.reset(options={"benchmark": digits})
    limited.step(SPLIT)
    result = limited.multistep([STRIP, SPLIT, ABORT, STRIP])
    assert limited.actions == [SPLIT, STRIP, SPLIT, ABORT]
    check_ended(limited, result, "crash", "In action 3 (trigger-crash-module): ")


def test_a_pass_without_end_is_stopped_by_the_limit_on_cpu_time(limited: CompilerEnv, hanging: bytes) -> None:
    limited.reset(options={"benchmark": program(hanging)})
    result = limited.step(UNSAFE.index("attributor"))
    check_ended(limited, result, "timeout", "In action 0 (attributor): ", "more than 0.4 s of CPU time")


def test_a_process_that_does_not_run_is_ended_by_the_limit_on_wall_time(digits: Benchmark) -> None:
    limits = ProcessLimits(wall_seconds_per_call=0.4)
    with make(digits, limits=limits) as limited:
        limited.reset()
        stop(limited, signal.SIGSTOP)
        check_ended(
            limited, limited.step(STRIP), "timeout", "before action 0 (strip)", "no answer within 1.2 s"
        )


def test_an_observation_that_fails_is_named_instead_of_the_action_before_it() -> None:
    matrix = datasets().benchmark("benchmark://kernels-v0/matrix")
    with make(matrix, limits=ProcessLimits(cpu_seconds_per_call=0.04)) as limited:
        limited.reset(options=NOTHING)
        name = "ObjectTextSizeBytesO3"
        result = limited.step(STRIP, observation_spaces=[name])
        check_ended(limited, result, "timeout", f"In {name} after action 0 (strip): ")


@pytest.mark.parametrize("how", ["fork", "sandbox"])
def test_the_pass_is_named_in_copies_and_in_confined_sessions(digits: Benchmark, how: str) -> None:
    with make(digits, sandbox=how == "sandbox") as limited:
        limited.reset()
        limited.step(STRIP)
        with limited.fork() as twin:
            result = twin.multistep([STRIP, ABORT])
            check_ended(twin, result, "crash", "In action 2 (trigger-crash-module)")
        assert limited.step(STRIP)[2] is False


@pytest.mark.parametrize(("key", "value"), [("llvm.set_runtimes", "3"), (BASELINE, "-O9")])
def test_a_kept_parameter_that_is_refused_is_named_and_no_longer_kept(key: str, value: str) -> None:
    with cast("LlvmEnv", gymnasium.make("optarena/llvm-v0").unwrapped) as env:
        env.parameter("llvm.set_warmup_runs_count_per_runtime_observation", "2", keep=True)
        assert env.parameter(key, value, keep=True) == ""
        with pytest.raises(InvalidInput, match=f"kept parameter '{key}'.*no longer kept") as told:
            env.reset()
        assert (told.value.field, told.value.value) == ("key", key)
        env.reset()
        assert env.parameter("llvm.get_warmup_runs_count_per_runtime_observation") == "2"
