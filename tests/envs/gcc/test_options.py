"""Reading GCC's help, and the table of its options."""

from __future__ import annotations

import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from optarena.datasets import datasets
from optarena.gcc import build_options
from optarena.gcc.build_options import DescribedOption, optimizers, parameters
from optarena.gcc.compiling import Compiler
from optarena.gcc.options import CHOICES, SAFE, read
from optarena.machine_code.execution import failure_of, run_object
from tests.kit.examples import examples
from tests.kit.gcc import pinned_gcc

DATA = Path(__file__).parent / "data"
FUZZED = ("hashtable", "quicksort", "json", "fourier", "sudoku")
SEED = 20261124


def recorded(kind: str, version: str) -> str:
    return (DATA / f"{kind}-{version}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("version", "options", "params"),
    [
        ("7.3", (215, 7, 5), (49, 148, 0)),
        ("11.3", (226, 10, 10), (91, 168, 2)),
        ("12.2", (231, 11, 10), (95, 175, 3)),
        ("13.3", (232, 11, 11), (105, 172, 3)),
        ("14.2", (238, 12, 13), (108, 177, 3)),
    ],
)
def test_the_help_of_each_version_is_read_to_its_end(
    version: str, options: tuple[int, int, int], params: tuple[int, int, int]
) -> None:
    """Flags, enums and others; numbers with and without a range, and enums."""
    kinds = Counter(one.kind for one in optimizers(recorded("optimizers", version)))
    assert (kinds["flag"], kinds["enum"], kinds["number"] + kinds["text"]) == options
    found = parameters(recorded("params", version))
    ranges = Counter(one.low is not None for one in found if one.kind == "number")
    assert (ranges[True], ranges[False], sum(one.kind == "enum" for one in found)) == params


def test_what_help_says_of_single_options() -> None:
    found = {one.name: one for one in optimizers(recorded("optimizers", "12.2"))}
    found |= {one.name: one for one in parameters(recorded("params", "12.2"))}
    assert found["-O"].values == ("0", "1", "2", "3", "fast", "g", "s", "z")
    assert found["-fcaller-saves"] == DescribedOption(name="-fcaller-saves", kind="flag", default="disabled")
    assert found["-fira-region="].values == ("one", "all", "mixed")
    assert found["-flifetime-dse="] == DescribedOption(
        name="-flifetime-dse=", kind="number", low=0, high=2, default="2"
    )
    # Its default lies outside its range, which stopped the parsers of others.
    outside = found["--param=logical-op-non-short-circuit="]
    assert (outside.low, outside.high, outside.default) == (0, 1, "-1")
    assert not {"-frtti", "-fno-threadsafe-statics", "--param=lazy-modules="} & found.keys()
    old = {one.name: one for one in parameters(recorded("params", "7.3"))}
    wrapped = old["--param=asan-instrumentation-with-call-threshold="]
    assert (wrapped.low, wrapped.high) == (0, 2**31 - 1)
    assert old["--param=uninit-control-dep-attempts="].low is None
    assert "-fvect-cost-model=" in {one.name for one in optimizers(recorded("optimizers", "7.3"))}


def test_numbers_are_near_the_default_and_in_range() -> None:
    values = {one.name: build_options.value_texts(one) for one in parameters(recorded("params", "12.2"))}
    assert values["--param=case-values-threshold="] == ("0", "1", "2", "4", "8", "16", "32")
    assert values["--param=max-hoist-depth="] == ("0", "3", "7", "15", "30", "60", "120", "240")
    assert values["--param=max-combine-insns="] == ("2", "3", "4")
    assert values["--param=align-threshold="] == ("1", "12", "25", "50", "100", "200", "400", "800")


def test_no_board_takes_what_workloads_would_not_notice() -> None:
    unsafe = {
        "-ffast-math", "-freciprocal-math", "-fpack-struct=", "-ftrapv", "-fstrict-aliasing", "-fwrapv",
        "-fsection-anchors", "-flive-patching", "-fsave-optimization-record", "-fbranch-probabilities",
        "-ftree-parallelize-loops=", "-fselective-scheduling", "-fstack-protector",
        "--param=ggc-min-expand=", "--param=asan-stack=",
    }  # fmt: skip
    assert unsafe <= {option.name for option in SAFE.others}
    assert all(option.reason for option in SAFE.others)
    level = SAFE.options[0]
    assert (level.name, level.left_out) == ("-O", ("-Ofast",))
    assert level.choices == ("-O0", "-O1", "-O2", "-O3", "-Og", "-Os", "-Oz")
    assert len(SAFE.options) == 397
    assert sum(len(option.choices) for option in SAFE.options) == 1975


def test_the_table_is_what_the_pinned_gcc_says() -> None:
    """Without the compilation of each setting, which the next test makes."""
    written = {one.name: one for one in read(build_options.TABLE.read_text(encoding="utf-8"))}
    said = {one.name: one for one in build_options.describe_options(pinned_gcc())}
    assert list(written) == list(said)
    for name, option in written.items():
        assert option.choices == said[name].choices, name
        assert option.default == said[name].default, name
        assert dict(option.defaults) == dict(said[name].defaults), name
        assert option.reason == said[name].reason, name
        assert option.whole == said[name].whole, name


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_every_setting_of_the_table_alone_compiles(tmp_path: Path) -> None:
    words = list(SAFE.by_word)
    (tmp_path / "program.c").write_text(build_options.PROGRAM, encoding="utf-8")
    check = partial(build_options.compiles, pinned_gcc(), tmp_path)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        passed = threads.map(check, words)
    assert [word for word, ok in zip(words, passed, strict=True) if not ok] == []


@pytest.mark.drawn
def test_random_settings_change_no_output(tmp_path: Path) -> None:
    drawn = random.Random(SEED)  # noqa: S311 # nothing secret
    for number in range(examples(50)):
        name, level = FUZZED[number % len(FUZZED)], ("-O2", "-O3", "-Oz")[number % 3]
        benchmark = datasets().benchmark(f"benchmark://gcc-kernels-v0/{name}")
        options = SAFE.options[1:]
        chosen = drawn.sample(options, round(len(options) * drawn.choice((0.05, 0.3, 1.0))))
        words = [level, *(drawn.choice(option.choices) for option in options if option in chosen)]
        folder = tmp_path / str(number)
        folder.mkdir()
        compiler = Compiler(pinned_gcc(), folder, benchmark.program())
        code = compiler.object_file(compiler.assembly(words))
        workload = benchmark.workloads[number % len(benchmark.workloads)]
        made = run_object(lambda code=code: code, args=workload.args, stdin=workload.stdin)
        line = f"{name}: {' '.join(words)}"
        assert failure_of(made) is None, line
        assert (made.stdout, made.exit_code) == (workload.expected_stdout, workload.exit_code), line
    assert CHOICES.options is SAFE
