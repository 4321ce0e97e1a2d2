"""The nest, its plan and its IR; how many workers there are, and which CPUs they get."""

from __future__ import annotations

import gzip
import json
import math
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.loop_tool.cpu import backend, compiling, lowering
from optarena.loop_tool.cpu.backend import limits, usable_workers
from optarena.loop_tool.nest import ACTIONS, DEPTH, MAX_ELEMENTS, MAX_LEAF, Level, Loop, Nest, Plan, Tuning
from optarena.measuring import machine
from tests.kit.loop_tool.nests import nests

RECORDED = Path(__file__).parent / "data/recorded.jsonl.gz"
SEQUENCES = [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).splitlines()]
ELEMENTS = st.one_of(st.integers(1, 64), st.integers(1, 5_000), st.integers(1, MAX_ELEMENTS))
ACTION = st.integers(0, len(ACTIONS) - 1)


def tuned(elements: int, actions: list[int]) -> Tuning:
    tuning = Tuning.initial(elements)
    for action in actions:
        tuning = tuning.after(action)
    return tuning


@pytest.mark.parametrize("sequence", SEQUENCES, ids=[sequence["id"] for sequence in SEQUENCES])
def test_recorded_sequences_give_the_recorded_states(sequence: dict[str, object]) -> None:
    """Recorded from the environment this one follows, without trailing blanks and its mark of CPU threads."""
    tuning = Tuning.initial(sequence["size"])  # type: ignore[arg-type] # JSON data
    seen = [[str(tuning.nest), list(tuning.action_state)]]
    for name in sequence["actions"]:  # type: ignore[attr-defined] # JSON data
        tuning = tuning.after(ACTIONS.index(name))
        seen.append([str(tuning.nest), list(tuning.action_state)])
    assert seen == sequence["states"]


@given(elements=ELEMENTS, actions=st.lists(ACTION, max_size=80))
def test_every_nest_covers_every_element(elements: int, actions: list[int]) -> None:
    nest = tuned(elements, actions).nest
    assert nest.elements == elements
    assert len(nest.loops) == DEPTH
    assert nest.loops[-1].tail == 0
    for loop, inner in zip(nest.loops, nest.covered[1:], strict=True):
        assert loop.size >= 1
        assert 0 <= loop.tail < inner or (loop.tail, inner) == (0, 1)


def test_the_first_decrease_of_a_loop_with_a_tail_drops_the_tail_alone() -> None:
    mode, up, down = (ACTIONS.index(name) for name in ("toggle_mode", "up", "down"))
    # 5 elements, then loop 1 of 5, whose iterations loop 2 takes: 2 r 1 of 2.
    with_tail = tuned(5, [mode, up, mode, *[up] * 4, mode, up, mode, up])
    assert [(loop.size, loop.tail) for loop in with_tail.nest.loops] == [(1, 0), (2, 1), (2, 0)]
    on_it = with_tail.after(mode).after(down).after(mode)
    dropped = on_it.after(down)
    assert [(loop.size, loop.tail) for loop in dropped.nest.loops] == [(1, 1), (2, 0), (2, 0)]


@pytest.mark.parametrize("action", [-1, 4, 1_000])
def test_an_action_out_of_range_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=r"Out-of-range.*0 to 3"):
        Tuning.initial(8).after(action)


def test_the_first_nest_as_text() -> None:
    assert str(Nest.initial(1024)) == (
        "for a in 1024 : L0 [thread]\n"
        " for a' in 1 : L1\n"
        "  for a'' in 1 : L2\n"
        "   %0[a] <- read()\n"
        "  for a'' in 1 : L4\n"
        "   %1[a] <- read()\n"
        "  for a'' in 1 : L6\n"
        "   %2[a] <- add(%0, %1)\n"
        "  for a'' in 1 : L8\n"
        "   %3[a] <- write(%2)\n"
    )


def visited(plan: Plan) -> list[int]:
    """The elements in the order of a machine with one thread, by the words of the plan."""
    seen: list[int] = []

    def below(levels: tuple[Level, ...], base: int, end: int) -> None:
        if not levels:
            assert end - base <= plan.leaf
            assert plan.ragged or end - base == plan.leaf
            seen.extend(range(base, end))
            return
        level = levels[0]
        bases = range(base, end, level.step)
        assert len(bases) <= level.trips
        assert plan.ragged or len(bases) == level.trips
        for start in bases:
            stop = min(start + level.step, end)
            assert level.ragged or stop == start + level.step
            below(levels[1:], start, stop)

    below(plan.levels, 0, plan.elements)
    return seen


@given(nest=nests())
def test_each_element_is_visited_once_and_in_order(nest: Nest) -> None:
    plan = Plan.of(nest)
    assert visited(plan) == list(range(nest.elements))


@given(nest=nests())
def test_the_leaf_holds_no_tail_no_thread_and_not_too_much(nest: Nest) -> None:
    plan = Plan.of(nest)
    assert 1 <= plan.leaf <= MAX_LEAF
    assert all(level.trips > 1 for level in plan.levels)
    assert plan.parallel == math.prod(level.trips for level in plan.levels if level.threaded)


@pytest.mark.parametrize(
    ("loops", "leaf"),
    [
        ([Loop(1024, threaded=True), Loop(1), Loop(1)], 1),
        ([Loop(256, threaded=True), Loop(1), Loop(4)], 4),
        ([Loop(256), Loop(1), Loop(4)], 4),
        ([Loop(16), Loop(4), Loop(8)], 32),
        ([Loop(1), Loop(4), Loop(8)], 32),
        ([Loop(2), Loop(4), Loop(8)], 64),
        ([Loop(3), Loop(4), Loop(8)], 32),
        ([Loop(3), Loop(1, 3), Loop(8)], 8),
        ([Loop(16), Loop(4, threaded=True), Loop(8)], 8),
        ([Loop(16), Loop(8), Loop(1, threaded=True)], 1),
        ([Loop(1), Loop(1), Loop(1024)], 1),
    ],
)
def test_what_becomes_straight_line_code(loops: list[Loop], leaf: int) -> None:
    assert Plan.of(Nest(tuple(loops))).leaf == leaf


STORE = re.compile(r"store (?:<(\d+) x float>|float)")
WIDTH = 8


def ir_of(*loops: Loop, width: int = WIDTH) -> str:
    return lowering.lower(Plan.of(Nest(loops)), width)


def stores(text: str) -> list[int]:
    return [int(found[1] or 1) for found in STORE.finditer(text)]


@pytest.mark.parametrize(
    ("loops", "expected"),
    [
        ((Loop(1024, threaded=True), Loop(1), Loop(1)), [1]),
        ((Loop(16), Loop(1), Loop(13)), [8, 4, 1]),
        ((Loop(16), Loop(8), Loop(8)), [8] * 8),
        ((Loop(16), Loop(9), Loop(8)), [8]),
        ((Loop(16), Loop(2), Loop(8, threaded=True)), [1]),
        ((Loop(16), Loop(2, threaded=True), Loop(8)), [8]),
        ((Loop(64),), [8] * 8),
        ((Loop(65),), [1]),
        ((Loop(16), Loop(65)), [1]),
        ((Loop(7, 3), Loop(1), Loop(12)), [8, 4, 1]),
    ],
)
def test_the_leaf_alone_becomes_straight_line_code(loops: tuple[Loop, ...], expected: list[int]) -> None:
    assert stores(ir_of(*loops)) == expected


def test_a_block_that_ends_inside_a_leaf_is_finished_one_by_one() -> None:
    assert stores(ir_of(Loop(3, 5, threaded=True), Loop(2, 1), Loop(4))) == [4, 1]


def test_a_narrower_host_gets_narrower_vectors() -> None:
    assert stores(ir_of(Loop(16), Loop(13), width=4)) == [4, 4, 4, 1]
    assert stores(ir_of(Loop(16), Loop(13), width=1)) == [1] * 13


@given(nest=nests(most=10_000_000))
def test_only_the_first_number_of_several_threaded_loops_is_divided(nest: Nest) -> None:
    text = lowering.lower(Plan.of(nest), WIDTH)
    levels = [level for level in Plan.of(nest).levels if level.threaded]
    assert text.count("udiv") == (len(levels) if len(levels) > 1 else 0)
    assert "udiv" not in text.partition("work")[2].partition(":")[2]


def back_edges(text: str) -> list[str]:
    """The jumps of IR to a block that stands before them, or to their own: one for each loop."""
    begun, found = set(), []
    for line in text.splitlines():
        if label := re.fullmatch(r"(\w+):", line):
            begun.add(label[1])
        elif set(re.findall(r"label %(\w+)", line)) & begun:
            found.append(line)
    return found


@given(nest=nests(most=100_000))
def test_every_loop_forbids_unrolling_and_vectorising(nest: Nest) -> None:
    text = lowering.lower(Plan.of(nest), WIDTH)
    marks = [re.search(r"!llvm\.loop (!\d+)$", line) for line in back_edges(text)]
    assert all(marks)
    names = [mark[1] for mark in marks if mark]
    assert sorted(names) == sorted(re.findall(r"^(!\d+) = distinct !\{\1, !0, !1\}$", text, re.MULTILINE))
    assert '!0 = !{!"llvm.loop.unroll.disable"}' in text
    assert '!1 = !{!"llvm.loop.vectorize.enable", i1 false}' in text


def test_the_loops_of_a_nest_are_all_there() -> None:
    assert len(back_edges(ir_of(Loop(7), Loop(5), Loop(70)))) == 3
    assert len(back_edges(ir_of(Loop(3, 5, threaded=True), Loop(2, 1), Loop(4)))) == 3


def assembly(text: str, *, optimise: bool = False) -> str:
    machine = compiling.host().machine()
    with compiling._module(text, machine, optimise=optimise) as module:
        return str(machine.emit_assembly(module))


@pytest.mark.parametrize(
    "loops",
    [
        (Loop(100_000, threaded=True),),
        (Loop(100_000),),
        (Loop(1000), Loop(100)),
        (Loop(100, 37, threaded=True), Loop(10, 3, threaded=True), Loop(70, threaded=True)),
        (Loop(64, threaded=True), Loop(8, threaded=True), Loop(8, threaded=True)),
        (Loop(7, 3), Loop(11, 5), Loop(65)),
    ],
)
def test_the_machine_code_of_a_leaf_of_one_element_has_one_scalar_addition(loops: tuple[Loop, ...]) -> None:
    text = assembly(ir_of(*loops))
    additions = re.findall(r"\bv?add(ss|ps)|\bfadd\s+(\w)", text)
    assert additions in ([("ss", "")], [("", "s")])


@pytest.mark.parametrize("leaf", [2, 8, 13, 16, 24, 63, 64])
def test_the_machine_code_of_a_leaf_is_as_long_as_the_leaf(leaf: int) -> None:
    if "avx" not in compiling.host().features:
        pytest.skip("the additions of another processor are written otherwise")
    width = compiling.host().width
    text = assembly(ir_of(Loop(1000, threaded=True), Loop(1), Loop(leaf), width=width))
    assert len(re.findall(r"\bv?add[sp]s", text)) == leaf // width + (leaf % width).bit_count()


def test_only_the_reference_is_optimised() -> None:
    plain = lowering.reference(4096)
    assert re.search(r"\bv?addps", assembly(plain)) is None
    assert re.search(r"\bv?addps", assembly(plain, optimise=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%x = fadd float %y, %z", 1),
        ("%x = fadd <8 x float> %y, %z\n%u = fadd <4 x float> %v, %w", 8),
        ("load <16 x float>, ptr %a", 16),
        ("load <16 x i32>, ptr %a", 1),
        ("load <vscale x 4 x float>, ptr %a", 4),
    ],
)
def test_the_widest_vector_of_ir_is_found(text: str, expected: int) -> None:
    assert compiling.widest_vector(text) == expected


def test_schedules_have_vectors_as_wide_as_the_reference_and_no_wider() -> None:
    def registers(text: str) -> set[str]:
        return set(re.findall(r"%([xyz])mm", text))

    width = compiling.host().width
    reference = assembly(lowering.reference(1 << 20), optimise=True)
    assert registers(assembly(ir_of(Loop(1000), Loop(64), width=width))) == registers(reference)


SESSION_CPU_SECONDS = 10.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max 100000\n", None),
        ("150000 100000\n", 1.5),
        ("50000 100000", 0.5),
        ("400000\n 100000\n", 4.0),
        ("-1\n 100000\n", None),
        ("100000 0", None),
        ("100000", None),
        ("", None),
    ],
)
def test_a_quota_is_worth_cpus(text: str, expected: float | None) -> None:
    assert backend.quota(text) == expected


UNIFIED = "26 20 0:23 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
DIVIDED = """\
25 20 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
26 25 0:23 {} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
27 25 0:24 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset
"""


@pytest.mark.parametrize(
    ("groups", "mounts", "expected"),
    [
        ("0::/a.slice/b\n", UNIFIED, ["a.slice/b", "a.slice", ""]),
        ("0::/\n", UNIFIED, [""]),
        ("0::/../other\n", UNIFIED, [""]),
        (
            "4:cpu,cpuacct:/x/y\n3:cpuset:/z\n",
            DIVIDED.format("/"),
            ["cpu,cpuacct/x/y", "cpu,cpuacct/x", "cpu,cpuacct"],
        ),
        ("4:cpu,cpuacct:/x/y\n", DIVIDED.format("/x"), ["cpu,cpuacct/y", "cpu,cpuacct"]),
        ("4:cpu,cpuacct:/docker/1\n0::/\n", DIVIDED.format("/docker/1"), ["cpu,cpuacct"]),
        ("3:cpuset:/z\n1:name=systemd:/\n", DIVIDED.format("/"), []),
        ("0::/a\n", UNIFIED.replace("/sys/fs/cgroup", r"/my\040groups"), ["a", ""]),
        ("", "", []),
    ],
)
def test_the_groups_of_a_process_and_above_are_found(groups: str, mounts: str, expected: list[str]) -> None:
    top = Path("/my groups" if "my" in mounts else "/sys/fs/cgroup")
    assert backend.folders(groups, mounts) == [top / part for part in expected]


def test_the_files_of_both_kinds_of_groups_are_read(tmp_path: Path) -> None:
    assert backend.quota_in(tmp_path) is None
    (tmp_path / "cpu.cfs_quota_us").write_text("250000\n")
    (tmp_path / "cpu.cfs_period_us").write_text("100000\n")
    assert backend.quota_in(tmp_path) == 2.5
    (tmp_path / "cpu.max").write_text("10000 20000\n")
    assert backend.quota_in(tmp_path) == 0.5


@pytest.mark.parametrize(
    ("cpus", "worth", "expected"), [(8, None, 8), (8, 1.5, 1), (8, 2.0, 2), (8, 0.1, 1), (2, 64.0, 2)]
)
def test_there_are_as_many_workers_as_the_quota_is_worth(
    cpus: int, worth: float | None, expected: int
) -> None:
    assert usable_workers(cpus, worth) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("0\n", [0]), ("0,64\n", [0, 64]), ("4-5\n", [4, 5]), ("0-2,8-9", [0, 1, 2, 8, 9])]
)
def test_the_kernel_s_lists_are_read(text: str, expected: list[int]) -> None:
    assert machine.parse_cpu_list(text) == expected


@pytest.mark.parametrize(
    ("cpus", "core_of", "expected"),
    [
        ([3, 2, 1, 0], {0: 0, 1: 0, 2: 2, 3: 2}, (0, 2, 1, 3)),
        ([0, 1, 2, 3], {0: 0, 1: 1, 2: 0, 3: 1}, (0, 1, 2, 3)),
        ([1, 2, 3], {1: 0, 2: 2, 3: 2}, (1, 2, 3)),
        (range(8), {cpu: cpu - cpu % 4 for cpu in range(8)}, (0, 4, 1, 5, 2, 6, 3, 7)),
        ([5, 4], {}, (4, 5)),
    ],
)
def test_every_core_gets_a_worker_before_any_gets_two(
    cpus: list[int], core_of: dict[int, int], expected: tuple[int, ...]
) -> None:
    assert machine.cores_first(cpus, core_of) == expected


def test_the_cores_of_this_machine_are_among_its_cpus() -> None:
    cores = machine.cores()
    assert cores.keys() <= os.sched_getaffinity(0)
    assert all(core <= cpu for cpu, core in cores.items())


@given(wanted=st.floats(0, 100), spent=st.floats(0, 100), workers=st.integers(1, 4096))
def test_the_time_of_samples_is_bounded_on_the_clock_and_over_all_threads(
    wanted: float, spent: float, workers: int
) -> None:
    budget, patience = limits(wanted, spent, workers)
    assert 0 <= budget <= wanted
    assert patience > 0
    assert budget <= patience <= max(0.01, 0.2 - spent)
    # The checked call and the last one are no longer than that, or there is only one.
    assert 3 * workers * patience < SESSION_CPU_SECONDS


def test_the_usual_reading_has_the_time_that_it_wants() -> None:
    assert limits(0.1, 0.02, 16) == (0.1, 0.125)
    assert limits(0.1, 0.05, 1) == (0.1, pytest.approx(0.15))
    assert limits(0.1, 0.19, 1) == (pytest.approx(0.01), pytest.approx(0.01))
