"""Datasets whose members a generator makes, of Csmith, llvm-stress and our own: the same everywhere."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import pickle
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optarena
from optarena import limits
from optarena.datasets import (
    Benchmark,
    Generated,
    GeneratedDataset,
    GeneratorFailed,
    Workload,
    datasets,
    registry,
)
from optarena.datasets import dataset as known
from optarena.errors import InvalidInput, ServiceError, ToolMissing, UnknownName
from optarena.generators import external
from optarena.generators.synthetic import generate as synthetic_program
from optarena.generators.tree import SplitMix64
from optarena.llvm import toolchain
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module, optimised
from optarena.llvm.runnable import check_runnable
from optarena.specs import environment_spec
from tests.kit.examples import examples
from tests.kit.processes import run_threads
from tests.kit.tools import CSMITH, in_ci

if TYPE_CHECKING:
    from pathlib import Path

OWN = GeneratedDataset(
    name="own-v0",
    title="Own programs",
    description="Made of a number.",
    licence="MIT",
    domain="tests",
    language="LLVM IR",
    low=0,
    high=99,
    environment="llvm-v0",
    further_environments=("llvm-ic-v0",),
    generator="own_generator:generate",
    revision="own 1",
)
RUN = Workload(
    name="one",
    args=("a", "\u00e9"),
    stdin=b"\0\xff",
    expected_stdout=b"\n\xfe",
    exit_code=3,
    files={"a": b"\xff"},
)
ENTRIES = "generated/??/[0-9a-f]*"
UNUSABLE, NOT_RUNNABLE, LACKING, BROKEN = 13, 14, 15, 16


def _broken(error: Exception) -> Any:
    raise error


ODD: dict[int, Any] = {
    17: lambda: None,
    18: lambda: _broken(OSError(28, "No space left on device")),
    19: lambda: _broken(KeyError("x")),
    20: lambda: Generated(program=b""),
    21: lambda: Generated(program="text"),  # type: ignore[arg-type] # that is what is tested
    22: lambda: Generated(program=b"x", workloads=[RUN]),  # type: ignore[arg-type] # as above
    23: lambda: Generated(program=bytes(limits.MAX_BENCHMARK_BYTES + 1)),
}
OURS = ("csmith-v0", "llvm-stress-v0", "synthetic-v0")


def generate(seed: int) -> Generated:
    """A generator whose programs are no programs: what uses them is tested elsewhere."""
    calls.append(seed)
    if seed == UNUSABLE:
        raise InvalidInput("It does not compile.")
    if seed == LACKING:
        raise ToolMissing("There is no tool.", field="tool", remedy="Install it.")
    if seed == BROKEN:
        raise ServiceError("The worker cannot be started.")
    if seed in ODD:
        return ODD[seed]()
    workloads = () if seed == NOT_RUNNABLE else (RUN,)
    return Generated(program=b"program\n%d" % seed, workloads=workloads, remark="It is short.")


calls: list[int] = []


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "cache"
    monkeypatch.setenv("OPTARENA_CACHE", str(folder))
    module = ModuleType("own_generator")
    module.generate = generate  # made here
    monkeypatch.setitem(sys.modules, "own_generator", module)
    calls.clear()
    yield folder
    calls.clear()


@pytest.fixture
def unregistered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "computed", list(known.computed))


def test_naming_members_makes_nothing(cache: Path) -> None:
    assert len(OWN) == 100
    assert "generator://own-v0/7" in OWN
    assert "own-v0/7" in OWN
    assert "benchmark://own-v0/7" not in OWN
    assert "generator://own-v0/100" not in OWN
    uris = [one.uri for one in itertools.islice(OWN, 2)]
    assert uris == ["generator://own-v0/0", "generator://own-v0/1"]
    last = OWN.benchmark_at(-1)
    assert (last.uri, last.name, last.kind, last.licence) == (
        "generator://own-v0/99",
        "99",
        "parametric",
        "MIT",
    )
    assert (last.title, last.language, last.domain) == ("Own programs, seed 99", "LLVM IR", "tests")
    assert (last.baselines, last.split, last.source["seed"]) == ({}, "", 99)
    assert repr(last) == "<GeneratedBenchmark generator://own-v0/99>"
    assert OWN.random_benchmark(3).uri == OWN.random_benchmark(3).uri
    assert repr(OWN) == "<GeneratedDataset own-v0: generator://own-v0/N, N from 0 to 99>"
    with pytest.raises(IndexError):
        OWN.benchmark_at(100)
    assert calls == []
    assert not cache.exists()


def test_a_member_is_what_the_generator_made() -> None:
    one = OWN.benchmark("generator://own-v0/7")
    assert isinstance(one, Benchmark)
    assert calls == [7]
    assert one.program() == b"program\n7"
    assert (one.sha256, one.size_bytes) == (hashlib.sha256(b"program\n7").hexdigest(), 9)
    assert one.workloads == (RUN,)
    assert one.tags == ()
    assert one.description == "Made of a number. It is short."
    assert OWN.benchmark("14").workloads == ()
    assert OWN.benchmark("14").tags == ("not-runnable",)
    with pytest.raises(AttributeError, match="sha257"):
        one.sha257  # noqa: B018 # that is what is tested


def test_members_are_plain_data() -> None:
    one = OWN.benchmark("7")
    again = pickle.loads(pickle.dumps(OWN.benchmark_at(7)))  # noqa: S301 # made here
    assert one == again == OWN.benchmark_at(7)
    assert hash(one) == hash(again)
    assert again.program() == b"program\n7"
    assert again.workloads == (RUN,)
    assert one != OWN.benchmark("8")
    assert replace(one, title="Other").sha256 == one.sha256
    assert pickle.loads(pickle.dumps(OWN)) == OWN  # noqa: S301 # made here
    assert hash(replace(OWN)) == hash(OWN)


def test_a_member_is_made_once(cache: Path) -> None:
    for _ in range(3):
        assert replace(OWN).benchmark("7").workloads == (RUN,)
    assert calls == [7]
    assert OWN.benchmark("8").program() != OWN.benchmark("7").program()
    assert calls == [7, 8]
    replace(OWN, revision="own 2").benchmark("7")
    replace(OWN, name="other-v0").benchmark("7")
    assert calls == [7, 8, 7, 7]
    assert len(list(cache.glob(ENTRIES))) == 4


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda data: data[:-1], lambda data: data[:70] + b"X" + data[71:]]
)
def test_a_damaged_entry_is_made_again(cache: Path, damage: Any) -> None:
    OWN.benchmark("7")
    (entry,) = cache.glob(ENTRIES)
    entry.write_bytes(damage(entry.read_bytes()))
    assert OWN.benchmark("7").program() == b"program\n7"
    assert OWN.benchmark("7").workloads == (RUN,)
    assert calls == [7, 7]


def test_an_entry_of_another_version_is_made_again(cache: Path) -> None:
    OWN.benchmark("7")
    (entry,) = cache.glob(ENTRIES)
    _, about, program = entry.read_bytes().split(b"\n", 2)
    told = json.loads(about)
    change: dict[str, Any]
    for change in (
        {"workloads": [{**told["workloads"][0], "new": 1}]},
        {"workloads": 5},
        {"workloads": [{}]},
    ):
        content = json.dumps({**told, **change}).encode() + b"\n" + program
        entry.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        assert OWN.benchmark("7").workloads == (RUN,)
    assert calls == [7] * 4


@pytest.mark.parametrize("seed", ODD)
def test_a_generator_that_does_something_else_is_named(seed: int, cache: Path) -> None:
    with pytest.raises(GeneratorFailed, match=rf"own-v0 makes no program from the seed {seed}: ") as caught:
        OWN.benchmark(str(seed))
    assert caught.value.value == seed
    assert not list(cache.glob(ENTRIES))


def test_where_nothing_can_be_kept_members_are_made_each_time(cache: Path) -> None:
    cache.write_text("a file")
    assert OWN.benchmark("7").program() == OWN.benchmark("7").program() == b"program\n7"
    assert calls == [7, 7]


def test_threads_make_a_member_once_and_all_get_it() -> None:
    begin, found = threading.Barrier(8), []

    def use() -> None:
        begin.wait()
        found.append(OWN.benchmark("7").program())

    run_threads([use] * 8)
    assert found == [b"program\n7"] * 8
    assert calls == [7]


def test_what_cannot_be_made_names_the_seed_and_is_not_kept(cache: Path) -> None:
    for _ in range(2):
        with pytest.raises(
            GeneratorFailed, match=r"own-v0 makes no program from the seed 13: It does not"
        ) as caught:
            OWN.benchmark("13")
        assert (caught.value.field, caught.value.value) == ("benchmark", UNUSABLE)
    with pytest.raises(ToolMissing, match="Install it"):
        OWN.benchmark("15")
    with pytest.raises(ServiceError, match="worker"):
        OWN.benchmark("16")
    with pytest.raises(ToolMissing, match="Install it"):
        OWN.benchmark_at(15).program()
    assert not list(cache.glob(ENTRIES))


@pytest.mark.parametrize("generator", ["no_such_module_here:generate", "own_generator:no_such_function"])
def test_a_generator_that_is_not_there_is_named(generator: str) -> None:
    with pytest.raises(GeneratorFailed, match="cannot be loaded") as caught:
        replace(OWN, generator=generator).benchmark("7")
    assert caught.value.field == "generator"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({"generator": one}, "generator") for one in ("", "x", "x:", ":x", "x.:y", "x:y z", None, 5)),
        *(({"revision": one}, "revision") for one in ("", None, 5)),
        *(({"further_environments": one}, "further_environments") for one in ("x", ["x"], (5,), None)),
        ({"high": -1}, "high"),
        ({"name": "own"}, "name"),
    ],
)
def test_a_description_that_cannot_be_used_is_refused(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=field) as caught:
        replace(OWN, **change)
    assert caught.value.field == field
    assert caught.value.remedy


@pytest.mark.parametrize("path", ["", "100", "-1", "007", "7/", "7?x=1", "x", "7\n", "1e1"])
def test_what_is_no_member_is_refused_with_the_form(path: str) -> None:
    with pytest.raises(UnknownName, match=r"generator://own-v0/N, where N is a decimal number from 0 to 99"):
        OWN.benchmark(f"generator://own-v0/{path}")
    assert calls == []


def test_the_definition_tells_what_decides_the_programs() -> None:
    told = OWN.definition()
    assert (told["scheme"], told["revision"], told["kind"]) == ("generator", "own 1", "parametric")
    assert told["parameter"] == {"min": 0, "max": 99}
    assert told == replace(OWN, title=OWN.title).definition()
    assert told["sha256"] != replace(OWN, revision="own 2").definition()["sha256"]
    assert OWN.uri == "generator://own-v0/{n}"


@pytest.mark.usefixtures("unregistered")
def test_a_plug_in_registers_a_generator() -> None:
    optarena.register([], datasets=[OWN])
    assert datasets()["own-v0"] is datasets()["generator://own-v0"] is OWN
    assert "generator://own-v0/" in datasets()
    assert "benchmark://own-v0" not in datasets()
    assert "generator://kernels-v0" not in datasets()
    assert (
        datasets().benchmark("generator://own-v0/7") == datasets().benchmark("own-v0/7") == OWN.benchmark("7")
    )
    with pytest.raises(UnknownName, match=r"generator://own-v0/N"):
        datasets().benchmark("benchmark://own-v0/7")
    with pytest.raises(InvalidInput, match=r"generator://own-v0/0'"):
        datasets().benchmark("generator://own-v0")
    known = registry.environments_of("own-v0")
    assert set(known) == {environment_spec("llvm-v0"), environment_spec("llvm-ic-v0")}


@pytest.mark.usefixtures("unregistered")
def test_an_environment_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownName, match="llvm-icy-v0") as caught:
        optarena.register([], datasets=[replace(OWN, further_environments=("llvm-v0", "llvm-icy-v0"))])
    assert "llvm-ic-v0" in caught.value.remedy


@pytest.mark.parametrize("name", OURS)
def test_our_generators_are_listed(name: str) -> None:
    dataset = datasets()[name]
    assert isinstance(dataset, GeneratedDataset)
    assert dataset is datasets()[f"generator://{name}"]
    assert name in datasets().names
    assert len(dataset) == 2**32
    assert {"llvm-v0", "llvm-ic-v0"} <= {str(spec.slug) for spec in registry.environments_of(name)}


DESCRIBES = """
import sys
from click.testing import CliRunner
from optarena.cli.datasets import datasets
for name in sys.argv[1:]:
    for order in (["list"], ["describe", name], ["sample", name, "--count", "3", "--seed", "1"]):
        ended = CliRunner().invoke(datasets, order, catch_exceptions=False)
        assert ended.exit_code == 0
        assert (name if order == ["list"] else f"generator://{name}/") in ended.output, ended.output
"""


def test_listing_and_describing_need_no_llvm_and_no_tool(tmp_path: Path) -> None:
    variables = {
        **os.environ,
        "OPTARENA_LIBLLVM": str(tmp_path / "missing.so"),
        "OPTARENA_CACHE": str(tmp_path / "other"),
    }
    subprocess.run([sys.executable, "-c", DESCRIBES, *OURS], env=variables, check=True)
    assert not (tmp_path / "other").exists()


CSMITH_MEMBERS: Final = {
    0: ("66cd256fd64e4ec7fb56ce6fcc5a822fafa3f41ba45e9cf372eb42f32edfb24e", b"checksum = 61D3E8EA\n"),
    7: ("79d55a1158161a3a2f256064166c38cbd52dbc52eea505bd7e4b73ac04d517b3", b"checksum = 19CD4DB4\n"),
}
STRESS_MEMBERS: Final = {
    0: "1f4e0e992e67214b7db5fa8caf70f110fb630bbbd24bdf6e8c627ea382be5615",
    7: "6a79e599be64bd6dba90bc53b9fd93ab3ec3ae298651367a67df2497316634be",
}
NAMES: Final = ("csmith", "llvm-stress")


@pytest.fixture
def with_csmith() -> None:
    if CSMITH.find() is None:
        reason = f"csmith is not installed: apt-get install {' '.join(CSMITH.packages)}"
        pytest.fail(reason) if in_ci() else pytest.skip(reason)


@pytest.fixture
def with_stress() -> None:
    if shutil.which("llvm-stress-22") is None:
        reason = "llvm-stress is not installed: apt-get install llvm-22"
        pytest.fail(reason) if in_ci() else pytest.skip(reason)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(toolchain, "_SYSTEM_PATH", str(folder))
    monkeypatch.setattr(external, "_STRESS_NAMES", ("llvm-stress-22",))
    return folder


def _put(folder: Path, name: str, said: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{said}'\n")
    file.chmod(0o755)


@pytest.mark.usefixtures("with_csmith")
@pytest.mark.parametrize("seed", CSMITH_MEMBERS)
def test_csmith_programs_are_the_same_everywhere_and_print_what_was_recorded(seed: int) -> None:
    one = datasets().benchmark(f"generator://csmith-v0/{seed}")
    (workload,) = one.workloads
    assert (one.sha256, workload.expected_stdout) == CSMITH_MEMBERS[seed]
    with optimised(one.program(), "Oz") as module:
        execution = run_program(module.bitcode())
    assert (execution.stdout, execution.exit_code) == (workload.expected_stdout, workload.exit_code)


@pytest.mark.usefixtures("with_csmith")
def test_a_csmith_program_that_does_not_end_has_no_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    written = external._c_program

    def endless(command: str, seed: int, folder: Path) -> Path:
        source = written(command, seed, folder)
        source.write_text("int main(void) { for (;;); }\n")
        return source

    monkeypatch.setattr(external, "_c_program", endless)
    monkeypatch.setattr(external, "RUN_SECONDS", 0.2)
    one = datasets().benchmark("generator://csmith-v0/0")
    assert one.sha256 == hashlib.sha256(one.program()).hexdigest()
    assert one.workloads == ()
    assert one.tags == ("not-runnable",)
    assert "The program has no workload: when it was run, it did not end within" in one.description


@pytest.mark.usefixtures("with_stress")
@pytest.mark.parametrize("seed", STRESS_MEMBERS)
def test_modules_of_llvm_stress_are_valid_and_the_same_everywhere(seed: int) -> None:
    one = datasets().benchmark(f"generator://llvm-stress-v0/{seed}")
    assert one.sha256 == STRESS_MEMBERS[seed]
    assert one.workloads == ()
    assert one.tags == ("not-runnable",)
    with Module.parse(one.program()) as module:
        assert module.verify() is None
        assert module.instruction_count() > 100


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("name", NAMES)
def test_a_missing_tool_is_named_with_what_to_install(name: str) -> None:
    dataset = datasets()[f"{name}-v0"]
    with pytest.raises(ToolMissing, match=r"apt-get install") as caught:
        dataset.benchmark("7")
    assert caught.value.field == name
    assert dataset.benchmark_at(7).uri == f"generator://{name}-v0/7"


@pytest.mark.parametrize(
    ("name", "said", "wanted"),
    [
        ("csmith", "csmith 2.4.0", "2.3.0"),
        ("csmith", "", "2.3.0"),
        ("llvm-stress-22", "Debian LLVM version 22.2.0", "22.1.8"),
        ("llvm-stress-22", "nothing", "22.1.8"),
    ],
)
def test_another_version_is_refused_and_both_are_named(path: Path, name: str, said: str, wanted: str) -> None:
    _put(path, name, said)
    with pytest.raises(ToolMissing, match=wanted) as caught:
        datasets()[f"{name.removesuffix('-22')}-v0"].benchmark("7")
    assert (said.rpartition(" ")[2] if "." in said else name) in str(caught.value)


def test_csmith_without_its_headers_is_refused(path: Path) -> None:
    _put(path, "csmith", "csmith 2.3.0")
    with pytest.raises(ToolMissing, match="headers"):
        datasets()["csmith-v0"].benchmark("7")


MEMBERS = {
    0: "889373bbe342761f452087190e9345286041c533cc3ed929f6614a1897bb0040",
    1: "25b100c1242f117d1ed0c0175def56ba3a1a2504e79a173c056b7e734036d9e1",
    42: "b509e8145e9ba0919a3051406e4d3d43fde81ba6513ee0b8f14ee52128499576",
    2**32 - 1: "cd3e557d3c51b42d40a5644065ec9b178c01839a16993dea375c0a37880be391",
}
"""The sha256 of members: whatever changes one of them is a new version of the dataset."""
URI = "generator://synthetic-v0/42"
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=examples(3))
RUNS = settings(max_examples=examples(2))


def test_random_numbers_are_those_of_the_reference() -> None:
    stream = SplitMix64(1234567)
    assert [stream.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
    drawn = [stream.between(3, 7) for _ in range(200)]
    assert set(drawn) == {3, 4, 5, 6, 7}
    assert {stream.weighted((("a", 1), ("b", 0), ("c", 9))) for _ in range(200)} == {"a", "c"}


@pytest.mark.parametrize("seed", MEMBERS)
def test_a_member_has_the_same_bytes_everywhere(seed: int) -> None:
    assert datasets()["synthetic-v0"].benchmark(str(seed)).sha256 == MEMBERS[seed]


def test_another_process_makes_the_same(tmp_path: Path) -> None:
    code = (
        "from optarena.datasets import datasets\n"
        "for seed in (4294967295, 42): print(datasets().benchmark(f'generator://synthetic-v0/{seed}').sha256)\n"
    )
    variables = {**os.environ, "OPTARENA_CACHE": str(tmp_path / "other"), "PYTHONHASHSEED": "7"}
    variables["PATH"] = str(tmp_path)  # there are no tools
    ended = subprocess.run(
        [sys.executable, "-c", code], env=variables, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == [MEMBERS[2**32 - 1], MEMBERS[42]]


@FEW
@given(SEEDS)
def test_every_seed_is_a_valid_program_that_can_be_run_and_made_smaller(seed: int) -> None:
    made = synthetic_program(seed)
    check_runnable(made.program)
    (workload,) = made.workloads
    assert workload.expected_stdout.endswith(b"\n")
    with Module.parse(made.program) as module, optimised(made.program, "Oz") as smaller:
        assert module.verify() is None
        assert [name for name in module.function_names() if name == "main"]
        assert 100 < module.instruction_count() < 10_000
        assert smaller.instruction_count() < module.instruction_count()


@RUNS
@given(SEEDS)
def test_a_program_prints_what_was_computed_at_every_level(seed: int) -> None:
    made = synthetic_program(seed)
    for level in ("O0", "Oz", "O3"):
        with optimised(made.program, level) as module:
            execution = run_program(module.bitcode(), sandbox=False)
        assert (execution.stdout, execution.exit_code) == (made.workloads[0].expected_stdout, 0), (
            seed,
            level,
        )


def test_an_episode_is_scored_by_what_oz_makes_of_it() -> None:
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=URI) as made:
        env = made.unwrapped
        env.reset()
        given_count, oz = (env.observation[name] for name in ("IrInstructionCount", "IrInstructionCountOz"))
        action = next(number for number, name in enumerate(env.action_table.names) if "mem2reg" in name)
        _, reward, terminated, _, _ = env.step(action)
        saved = given_count - env.observation["IrInstructionCount"]
        assert saved > 0
        assert not terminated
        assert reward == pytest.approx(saved / (given_count - oz))
        assert env.state.benchmark == URI
        assert env.validate().okay()
