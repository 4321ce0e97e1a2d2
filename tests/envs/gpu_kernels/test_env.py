"""The environments of GPU kernels, measurements in two parts, the dataset's build, and the GPU check."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pytest

import optarena
from optarena import limits, paths
from optarena.cuda.variables import STAND_IN
from optarena.errors import (
    CountersUnavailable,
    DeviceUnavailable,
    InvalidInput,
    ToolMissing,
)
from optarena.gpu_kernels import build_dataset, programs, ptxas
from optarena.gpu_kernels.actions import LEVELS, PASSES
from optarena.gpu_kernels.device_jobs import KernelHangs
from optarena.gpu_kernels.features import NAMES as FEATURES
from optarena.gpu_kernels.features import classes
from optarena.limits import SESSION_MEMORY_BYTES
from optarena.measuring import blocks
from optarena.measuring.blocks import ControlRule
from optarena.replay import finish_measurement, first_difference, replay
from optarena.self_test import check_environment
from optarena.service.processes.memory import find_group_folder, present
from optarena.service.protocol.status import error_named, named_by_session, rpc_error
from optarena.specs import PreparedMeasure, board_specs, environment_spec, environment_specs
from optarena.specs.benchmark import Benchmark
from optarena.specs.results import MeasurementPlan, Progress, ReplayResult
from tests.kit.cuda_driver import driver
from tests.kit.examples import slow
from tests.kit.folders import ROOT
from tests.kit.gpu_kernels import NAMES, benchmark, optimised, program

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.validation import ValidationResult

SROA, COMBINE = (PASSES.names.index(name) for name in ("sroa", "instcombine"))
KERNEL = benchmark("vector-add").program().decode()
SLOW = PASSES.names.index("ptxas-O0")


def made(slug: str = "gpu-kernels-v0", name: str = "matrix-product", **arguments: Any) -> CompilerEnv:
    return optarena.make(slug, benchmark=f"gpu-kernels-v1/{name}", **arguments)


@pytest.fixture(scope="module")
def shared() -> Iterator[CompilerEnv]:
    with made() as env:
        yield env


@pytest.fixture
def env(shared: CompilerEnv) -> CompilerEnv:
    shared.reset(options={"benchmark": "gpu-kernels-v1/matrix-product"})
    return shared


def test_the_defaults_need_no_gpu(env: CompilerEnv) -> None:
    observation, _ = env.reset(seed=0)
    assert isinstance(observation, np.ndarray)
    assert observation.shape == (len(FEATURES),)
    features = dict(zip(FEATURES, observation.tolist(), strict=True))
    for name, value in features.items():
        assert env.observation[name] == value
    _, reward, *_ = env.step(SROA)
    assert reward == features["thread_bytes"] - env.observation["thread_bytes"]


def test_a_pass_has_an_effect_once_and_the_level_of_ptxas_is_an_action(env: CompilerEnv) -> None:
    effects = [env.step(action)[-1]["action_had_no_effect"] for action in (SROA, SROA, SLOW, SLOW)]
    assert effects == [False, True, False, True]
    assert env.observation["ptxas_level"] == 0
    assert env.state.commandline == "gpu-passes sroa sroa ptxas-O0 ptxas-O0"


def test_levels_compile_the_kernel_as_it_was_given(shared: CompilerEnv) -> None:
    with made("gpu-levels-v0") as env:
        env.reset()
        assert env.action_table.names == LEVELS
        unoptimised = env.observation["digest"]
        seen = []
        for level in (2, 0, 1, 2, 0):
            *_, terminated, truncated, _ = env.step(level)
            assert not terminated
            assert not truncated
            seen.append(env.observation["digest"])
        assert seen[0] == seen[3] != seen[2]
        assert seen[1] == seen[4] == unoptimised
        assert env.state.commandline == "gpu-levels -O2 -O0 -O1 -O2 -O0"
    del shared


def test_random_steps_do_not_end_the_episode(env: CompilerEnv) -> None:
    env.action_space.seed(0)
    for _ in range(8):
        *_, terminated, truncated, info = env.step(env.action_space.sample())
        assert not terminated, info
        assert not truncated, info
    assert env.validate().ok


def test_texts_and_machine_code_are_of_the_present_state(env: CompilerEnv) -> None:
    env.step(SROA)
    again = programs.parse(env.observation["ir"].encode())
    assert again.kernel == "matrix_product"
    assert again.cases == programs.parse(benchmark("matrix-product").program()).cases
    assert ".visible .entry matrix_product(" in env.observation["ptx"]
    assert "FFMA" in env.observation["sass"]
    assert env.observation["cubin"].startswith(b"\x7fELF")
    assert env.observation["reference_cubin"] != env.observation["cubin"]
    assert 0 < env.observation["occupancy"] <= 1


def test_the_recorded_baselines_are_what_sessions_observe(env: CompilerEnv) -> None:
    for name in NAMES[::3]:
        env.reset(options={"benchmark": f"gpu-kernels-v1/{name}"})
        recorded = benchmark(name).baselines["thread_bytes"]
        assert recorded["O0"] == env.observation["thread_bytes"]
        assert recorded["O3"] == env.observation["thread_bytesO3"]
        for metric in ("registers", "sass_instructions"):
            assert benchmark(name).baselines[metric]["O0"] == env.observation[metric]


def test_the_code_of_nvcc_is_part_of_a_kernel_of_the_dataset(env: CompilerEnv) -> None:
    code = env.observation["nvcc_cubin"]
    assert code.startswith(b"\x7fELF")
    assert sum(classes(code).values()) == benchmark("matrix-product").baselines["sass_instructions"]["NvccO3"]
    assert "optarena-nvcc" not in env.observation["ir"]


def test_a_kernel_without_the_code_of_nvcc_is_named(tmp_path: Path) -> None:
    path = tmp_path / "own.ll"
    path.write_bytes(program("vector-add").header.encode() + b"\n" + program("vector-add").ir.encode())
    with optarena.make("gpu-kernels-v0", benchmark=f"file://{path}") as env:
        env.reset()
        with pytest.raises(
            InvalidInput, match=r"vector_add has no code of nvcc\. Take a kernel of gpu-kernels-v1"
        ):
            env.observation["nvcc_cubin"]


@pytest.mark.parametrize(
    "damage",
    [lambda text: text[:-9], lambda text: text[:-20] + "A" * 20, lambda _: "eJwDAAAAAAE=", lambda _: "é"],
)
def test_damaged_code_of_nvcc_is_refused(damage: Callable[[str], str]) -> None:
    body, _, code = KERNEL.strip().rpartition(programs.NVCC_PREFIX)
    with pytest.raises(InvalidInput, match="The code of nvcc at the end of the program is") as caught:
        programs.parse(f"{body}{programs.NVCC_PREFIX}{damage(code)}\n".encode())
    assert caught.value.field == "program"


@pytest.mark.parametrize("end", ["", "\r\n", "\n\n"])
def test_the_code_of_nvcc_may_be_followed_by_empty_lines(end: str) -> None:
    assert programs.parse(f"{KERNEL.strip()}{end}".encode()).nvcc == program("vector-add").nvcc


@pytest.mark.parametrize("name", ["timing", *slow(["runtime"])])
def test_times_need_a_gpu_and_the_episode_goes_on(env: CompilerEnv, name: str) -> None:
    with pytest.raises(DeviceUnavailable, match=r"No CUDA device is usable on this machine\. Missing: "):
        env.observation[name]
    env.step(SROA)
    assert env.observation["registers"] > 0


def test_counters_say_why_there_are_none(env: CompilerEnv) -> None:
    with pytest.raises(CountersUnavailable) as caught:
        env.observation["counters"]
    assert caught.value.reason == "no-device"


OBSERVED = """
import optarena
from optarena.errors import OptArenaError
with optarena.make("gpu-levels-v0", benchmark="gpu-kernels-v1/stencil", reward_space=None) as env:
    env.reset()
    for name in ("runtime", "hardware_counters"):
        try:
            env.observation[name]
        except OptArenaError as error:
            print(name, type(error).__name__, error)
"""


@pytest.mark.soak
def test_a_driver_that_reserves_far_more_than_a_session_may_have_is_usable(tmp_path: Path) -> None:
    """Real drivers reserve address space for all memory of host and devices."""
    libraries = str(driver(tmp_path, reserved=64 * SESSION_MEMORY_BYTES))
    environment = {**os.environ, "LD_LIBRARY_PATH": libraries}
    done = subprocess.run(
        [sys.executable, "-c", OBSERVED], env=environment, capture_output=True, text=True, check=True
    )
    answers = done.stdout.splitlines()
    assert [one.split()[0] for one in answers] == ["runtime", "hardware_counters"]
    assert not [one for one in answers if "cuInit" in one]


def test_the_reward_of_time_cannot_begin_without_a_gpu() -> None:
    with made("gpu-runtime-v0") as env, pytest.raises(DeviceUnavailable, match="Missing: "):
        env.reset()


@pytest.mark.skipif(os.geteuid() != 0, reason="only the confined sessions of root have another user")
def test_the_assembler_may_be_in_a_folder_of_root_s_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "ptxas"
    shutil.copy(ptxas.pinned_program("ptxas"), own)
    tmp_path.chmod(0o700)
    monkeypatch.setattr(ptxas, "pinned_program", lambda _: own)
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        monkeypatch.setattr(paths, "_EVERYBODYS", Path(place, "toolchains"))
        made_at = set()
        for _ in range(2):
            ptxas._found.cache_clear()
            program, access = ptxas._found()
            assert program.parent.parent == Path(place, "toolchains")
            assert program in access.files
            made_at.add(program.stat().st_mtime_ns)
        assert len(made_at) == 1, "the copy is made once"
        assert subprocess.run([program, "--version"], user=65533, check=True, capture_output=True)
    ptxas._found.cache_clear()


def test_a_confined_session_does_everything_but_sass_and_times() -> None:
    with made(sandbox=True) as env:
        env.reset()
        env.multistep([SROA, COMBINE])
        assert env.observation["thread_bytes"] > 0
        with pytest.raises(InvalidInput, match="sass is not available in a confined session"):
            env.observation["sass"]
        with pytest.raises(DeviceUnavailable, match="confined session"):
            env.observation["runtime"]
        assert env.validate().ok


def test_a_copy_is_equal_and_goes_its_own_way(env: CompilerEnv) -> None:
    env.step(SROA)
    copy = env.fork()
    try:
        assert copy.observation["digest"] == env.observation["digest"]
        copy.step(COMBINE)
        assert copy.observation["digest"] != env.observation["digest"]
    finally:
        copy.close()


def test_a_replay_verifies_the_kernel_and_repeats() -> None:
    spec = environment_spec("gpu-kernels-v0")
    actions = [PASSES.names.index(name) for name in ("sroa", "loop-rotate", "loop-unroll-full", "gvn")]
    first, second = (
        replay(environment=spec, benchmark=benchmark("stencil"), actions=actions) for _ in range(2)
    )
    assert first.ok, first.detail
    assert [one.name for one in first.workloads] == ["odd", "even"]
    assert set(first.metrics) == {"thread_bytes"}
    assert first_difference(first, second) is None


def test_a_wrong_workload_is_refuted() -> None:
    """What is expected of another kernel: the check itself fails where outputs differ."""
    wrong = benchmark("stencil")
    given = wrong.workloads[0]
    changed = type(given)(name="odd", args=("odd",), expected_stdout=b"something else\n")
    broken = Benchmark(
        uri=wrong.uri,
        name=wrong.name,
        sha256=wrong.sha256,
        size_bytes=wrong.size_bytes,
        load=wrong.load,
        workloads=(changed,),
    )
    result = replay(environment="gpu-kernels-v0", benchmark=broken, actions=[SROA])
    assert (result.ok, result.reason) == (False, "semantics:output-differs")


def judged(path: Path, text: str, *actions: str) -> ValidationResult:
    path.write_text(text)
    with optarena.make("gpu-kernels-v0", benchmark=f"file://{path}") as env:
        env.reset()
        env.multistep([PASSES.names.index(name) for name in actions])
        return env.validate()


def test_a_kernel_of_ones_own_is_executed_as_given_and_as_optimised(tmp_path: Path) -> None:
    text = benchmark("softmax").program().decode()
    right = judged(tmp_path / "mine.ll", text, "sroa", "instcombine")
    assert right.ok, right.problems
    assert [one.name for one in right.replay.workloads] == ["odd", "even"]
    wrong = judged(tmp_path / "mine.ll", text, "infer-address-spaces", "instcombine")
    assert [(one.reason, one.field) for one in wrong.problems] == [
        ("semantics:output-differs", "commandline")
    ]


def only(case: str, **arguments: Any) -> str:
    header, _, ir = KERNEL.partition("\n")
    described = json.loads(header.removeprefix(programs.PREFIX))
    described["cases"] = {case: described["cases"][case]}
    described["cases"][case]["arguments"][2].update(arguments)
    return f"{programs.PREFIX}{json.dumps(described)}\n{ir}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (only("odd", count=1020), "argument 2: a thread wrote behind the array"),
        (only(programs.TIMED), "no run that is small enough"),
    ],
    ids=["wrong", "large"],
)
def test_an_own_kernel_that_cannot_be_checked_is_a_problem(tmp_path: Path, text: str, says: str) -> None:
    found = judged(tmp_path / "mine.ll", text, "sroa")
    assert [(one.reason, one.field) for one in found.problems] == [("benchmark:broken", "benchmark")]
    assert says in found.problems[0].message


def test_occupancy_is_that_of_the_launch_that_is_timed(tmp_path: Path, env: CompilerEnv) -> None:
    header, _, ir = KERNEL.partition("\n")
    described = json.loads(header.removeprefix(programs.PREFIX))
    path = tmp_path / "mine.ll"
    found = {}
    for case, threads in (("odd", 256), ("odd", 1), ("timed", 1)):
        described["cases"][case]["block"] = [threads, 1]
        path.write_text(f"{programs.PREFIX}{json.dumps(described)}\n{ir}")
        env.reset(options={"benchmark": f"file://{path}"})
        found[case, threads] = env.observation["occupancy"]
    assert found["odd", 1] == found["odd", 256] == 1.0
    assert found["timed", 1] == 0.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("define void @f() { ret void }", "does not begin with"),
        (KERNEL.replace("ret void", "ret i32 1"), "not valid LLVM IR"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, env: CompilerEnv, text: str, says: str) -> None:
    path = tmp_path / "bad.ll"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=says) as caught:
        env.reset(options={"benchmark": f"file://{path}"})
    assert str(path) in str(caught.value)


def test_the_timing_on_a_stand_in_is_refused_for_real_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session sends real machine code, which no stand-in can execute."""
    monkeypatch.setenv("OPTARENA_CUDA_DEVICE", "cuda_on_cpu:device")
    with made() as env:
        env.reset()
        with pytest.raises(Exception, match=r"cannot be executed on a CPU|No CUDA device"):
            env.observation["runtime"]


def test_workers_without_ptxas_do_not_pass_their_test_of_themselves() -> None:
    """What needs it would fail there as if the actions were wrong; a worker for GPUs tries its own boards."""
    ranked = {board.environment for board in board_specs() if board.environment.startswith("gpu-")}
    assert ranked == {"gpu-runtime-v0"}
    for spec in environment_specs():
        if spec.slug in ranked:
            assert spec.probe is not None
            assert "thread_bytes" in spec.probe.observed
            assert check_environment(spec, spec.probe).endswith("gives what is recorded.")


@pytest.mark.parametrize("read", [error_named, named_by_session])
def test_a_missing_assembler_keeps_its_class_between_processes(read: Any) -> None:
    reported = rpc_error(ToolMissing("ptxas is missing."))
    assert type(read(reported.code, reported.message, reported.name)) is ToolMissing


NAME = "scan"
ACTIONS = [PASSES.names.index(name) for name in ("sroa", "instcombine")]


@pytest.fixture(scope="module")
def handed_over() -> tuple[ReplayResult, dict[str, Any]]:
    """What a machine without a GPU makes of a kernel, after it has travelled."""
    jobs: list[Mapping[str, Any]] = []
    result = replay(
        environment="gpu-runtime-v0",
        benchmark=benchmark(NAME),
        actions=ACTIONS,
        plan=MeasurementPlan(blocks=3, hand_over=jobs.append),
    )
    (job,) = jobs
    return ReplayResult.from_json(result.to_json()), json.loads(json.dumps(job))


@pytest.fixture
def emulated(
    handed_over: tuple[ReplayResult, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'tests/plugins'}:{ROOT / 'envs'}")
    monkeypatch.setenv(STAND_IN, "kernels_on_cpu:device")
    given = {"cubin": code("default<O2>"), "reference": code("default<O1>"), "own": code("default<O3>")}
    return {**handed_over[1], **given, "case": asdict(program(NAME).case("odd"))}


def code(*pipelines: str) -> str:
    return base64.b64encode(optimised(NAME, *pipelines).text().encode()).decode()


def test_the_first_part_has_all_but_measured_metrics(
    handed_over: tuple[ReplayResult, dict[str, Any]],
) -> None:
    begun, job = handed_over
    assert begun.ok
    assert [one.ok for one in begun.workloads] == [True, True]
    assert set(begun.metrics) == {"thread_bytes"}
    assert begun.measurement == {}
    for name in ("cubin", "reference", "own"):
        assert base64.b64decode(job[name]).startswith(b"\x7fELF")
    assert base64.b64decode(job["reference"]) == program(NAME).nvcc


def test_the_second_part_adds_them(
    handed_over: tuple[ReplayResult, dict[str, Any]],
    emulated: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, _ = handed_over
    # A block that a busy machine has slowed counts as well, and none is measured again.
    monkeypatch.setattr(blocks, "REFERENCE_RULE", ControlRule(spreads=0.0, least=1e9, most=1e9))
    seen: list[Progress] = []
    whole = finish_measurement(
        begun=begun,
        environment="gpu-runtime-v0",
        job=emulated,
        plan=MeasurementPlan(blocks=1),
        on_progress=seen.append,
    )
    assert whole.ok
    measured = {"nvcc_seconds", "reference_seconds", "runtime_seconds", "speedup"}
    assert set(whole.metrics) == {"thread_bytes", *measured}
    assert whole.measurement["metrics"] == sorted(measured)
    assert (
        whole.metrics["reference_seconds"] == whole.measurement["blocks"][0]["reference"]["reference_seconds"]
    )
    assert whole.measurement["emulated"] is True
    assert len(whole.measurement["blocks"]) == 1
    assert [(one.phase, one.done, one.total) for one in seen][-1] == ("measuring", 1, 1)
    assert first_difference(begun, whole) is None
    assert whole.walltime > begun.walltime


def test_wrong_output_on_the_device_fails_the_sequence(
    handed_over: tuple[ReplayResult, dict[str, Any]], emulated: dict[str, Any]
) -> None:
    wrong = base64.b64decode(emulated["cubin"]).replace(b"fadd", b"fsub")
    job = {**emulated, "cubin": base64.b64encode(wrong).decode()}
    ended = finish_measurement(
        begun=handed_over[0], environment="gpu-runtime-v0", job=job, plan=MeasurementPlan(blocks=3)
    )
    assert (ended.ok, ended.reason) == (False, "semantics:output-differs")
    assert "In the measurement: On the GPU, scan is wrong" in ended.detail
    assert ended.failed_unit["wall_seconds"] > 0


def test_a_device_that_is_missing_says_nothing_about_the_sequence(
    handed_over: tuple[ReplayResult, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(STAND_IN, raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    begun, job = handed_over
    with pytest.raises(DeviceUnavailable, match="Missing: "):
        finish_measurement(begun=begun, environment="gpu-runtime-v0", job=job, plan=MeasurementPlan(blocks=3))


def test_an_environment_without_two_parts_is_named(handed_over: tuple[ReplayResult, dict[str, Any]]) -> None:
    begun, job = handed_over
    with pytest.raises(InvalidInput, match="loop_tool-v0 has no measurement in two parts") as caught:
        finish_measurement(begun=begun, environment="loop_tool-v0", job=job, plan=MeasurementPlan())
    assert "optarena.replay.replay" in caught.value.remedy


def test_the_second_part_has_the_memory_of_a_replay(handed_over: tuple[ReplayResult, dict[str, Any]]) -> None:
    """As the measurement of a replay in one part has: what it starts is limited together."""
    if find_group_folder() is None:
        pytest.skip("needs a place for memory groups")
    seen: list[Any] = []

    def look(job: Mapping[str, Any], plan: MeasurementPlan) -> NoReturn:
        del job, plan
        seen.append(present())
        raise KernelHangs("It does not end.")

    spec = environment_spec("gpu-runtime-v0")
    assert isinstance(spec.measure, PreparedMeasure)
    spec = replace(spec, measure=replace(spec.measure, measure=look))
    begun, job = handed_over
    given: dict[str, Any] = {"begun": begun, "environment": spec, "job": job, "plan": MeasurementPlan()}
    finish_measurement(**given)
    finish_measurement(**given, memory_bytes=256 << 20)
    assert [one and one["limit_bytes"] for one in seen] == [limits.REPLAY_MEMORY_BYTES, 256 << 20]
    assert present() is None


@pytest.mark.soak
def test_a_build_gives_the_shipped_dataset() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "optarena.gpu_kernels.build_dataset", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_difference_is_found(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, text in ((one, "same"), (other, "same")):
        folder.mkdir()
        (folder / "a.ll").write_text(text)
    assert build_dataset.differences(one, other) == []
    (other / "a.ll").write_text("not the same")
    (one / "b.ll").write_text("more")
    assert build_dataset.differences(one, other) == ["a.ll", "b.ll"]


def test_the_metadata_say_how_strongly_kernels_react() -> None:
    found = {name: benchmark(name).source["reaction"] for name in NAMES}
    assert all(one["sequences"] == build_dataset.SEQUENCES for one in found.values())
    assert found["matrix-product"]["codes"] > found["transpose"]["codes"]
    for name in NAMES:
        strongly = found[name]["codes"] > build_dataset.SEQUENCES // 2
        assert benchmark(name).tags == ("reacts-strongly" if strongly else "reacts-weakly",)


CHECK = "benchmarks/gpu_check.py"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("filter", {"floating_point": 192}),
        ("matrix-product", {"floating_point": 256, "global_load": 14}),
        ("small-inverses", {"floating_point": 333, "local_load": 1, "local_store": 1}),
        ("small-products", {"floating_point": 64}),
        ("transpose", {"global_load": 8}),
    ],
)
def test_candidates_of_the_check_are_right_and_lack_what_slows_o3(name: str, counts: dict[str, int]) -> None:
    told = (ROOT / CHECK).read_text()
    [commandline] = re.findall(rf'^    "{name}": "(gpu-passes .*)",$', told, re.MULTILINE)
    with optarena.make("gpu-kernels-v0", benchmark=f"gpu-kernels-v1/{name}", reward_space=None) as env:
        env.reset()
        env.multistep(PASSES.parse(commandline))
        assert env.validate().ok
        assert {one: env.observation[f"sass_{one}"] for one in counts} == counts
        assert "ld.global.nc" in env.observation["ptx"]


def ran(script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", **variables}
    return subprocess.run(
        [sys.executable, script, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )


@pytest.mark.soak
def test_the_check_finds_every_form_right_on_a_stand_in() -> None:
    done = ran(
        CHECK,
        *("--quick", "--kernels", "vector-add", "--search", "1"),
        OPTARENA_CUDA_DEVICE="kernels_on_cpu:device",
        PYTHONPATH=f"{ROOT / 'tests/plugins'}:{ROOT / 'envs'}",
    )
    assert "EMULATED" in done.stderr
    assert done.returncode == 1  # so that nobody records it
    assert "0 wrong outputs" in done.stdout, done.stdout + done.stderr
    for form in ("as given", "best known", "random 0", "random 2"):
        [line] = [one for one in done.stdout.splitlines() if one.startswith(f"  {form} ")]
        assert line.endswith("right")
    assert re.search(r"best +[\d.]+ of -O3, again +[\d.]+: gpu-passes", done.stdout)
    assert "a block of the board" in done.stdout


@pytest.mark.soak
def test_what_one_machine_compiles_another_checks(tmp_path: Path) -> None:
    kernels = str(tmp_path / "kernels.gz")
    variables = {
        "OPTARENA_CUDA_DEVICE": "kernels_on_cpu:device",
        "PYTHONPATH": f"{ROOT / 'tests/plugins'}:{ROOT / 'envs'}",
    }
    made = ran(CHECK, "--sequences", "1", "--kernels", "scan", "--prepare", kernels, **variables)
    assert (made.returncode, made.stdout) == (0, "")
    done = ran(CHECK, "--prepared", kernels, "--at-once", "2", **variables)
    assert "random 0" in done.stdout
    assert "0 wrong outputs" in done.stdout, done.stdout + done.stderr
    assert "search" not in done.stdout


@pytest.mark.soak
def test_the_check_compiles_by_the_compilers_that_users_would_pick(tmp_path: Path) -> None:
    kernels = tmp_path / "kernels.gz"
    made = ran(CHECK, "--sequences", "1", "--kernels", "convolution", "--prepare", str(kernels))
    assert (made.returncode, made.stderr) == (0, "")
    [kernel] = json.loads(gzip.decompress(kernels.read_bytes()))
    assert list(kernel["codes"]) == ["as given", "-O3", "nvcc", "NVRTC 13.0", "random 0"]
    assert len(set(kernel["codes"].values())) == len(kernel["codes"])


@pytest.mark.soak
def test_the_check_says_what_is_missing() -> None:
    done = ran(CHECK, "--quick")
    assert done.returncode == 1
    assert "No CUDA device is usable on this machine. Missing: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.soak
def test_the_demo_takes_twenty_steps_and_says_what_it_cannot_see() -> None:
    done = ran("examples/gpu_demo.py")
    assert done.returncode == 0, done.stderr
    assert "on the CPU: benchmark://gpu-kernels-v1/small-inverses: valid" in done.stdout
    assert "timing: not seen. No CUDA device is usable on this machine." in done.stdout
    assert "counters: not seen. Reason no-device." in done.stdout
    steps = done.stdout.partition("\ntotal reward")[0].splitlines()
    assert len(steps) == 2 + 20
