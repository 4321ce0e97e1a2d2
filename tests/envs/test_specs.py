"""Environment specs: lookup, digests, action tables, rewards, and the place that an error names."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.actions import NamedActions, action_name, is_structured
from optarena.datasets import Benchmark, datasets
from optarena.env.failures import count_begun, failure_details
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput, SessionCrashed, UnknownName
from optarena.limits import SUBJECT_LENGTH
from optarena.llvm.loops.decisions import LOOPS
from optarena.llvm.tables import COMMANDLINE, FUNCTIONS, PARAMETERS
from optarena.registry import check_environment
from optarena.replay import ReplayResult, first_difference, replay
from optarena.specs import (
    EnvironmentSpec,
    actions_digest,
    canonical_actions,
    environment_spec,
    environment_specs,
    unknown_name,
)
from optarena.specs.results import StepTrace
from optarena.specs.rewards import cost_rewards, reward_on_error

SPECS = environment_specs()
SPEC = environment_spec("llvm-ic-v0")


def test_id_and_slug_find_the_same_environment() -> None:
    assert environment_spec("optarena/llvm-v0") is environment_spec("llvm-v0")


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_another_process_can_get_a_spec(spec: EnvironmentSpec) -> None:
    again: EnvironmentSpec = pickle.loads(pickle.dumps(spec))  # noqa: S301 # made here
    assert (again.id, again.action_table.names) == (spec.id, spec.action_table.names)


@pytest.mark.parametrize("spec", environment_specs(), ids=lambda spec: spec.slug)
def test_a_prompt_shows_a_spec_without_its_thousands_of_choices(spec: EnvironmentSpec) -> None:
    assert len(repr(spec)) < 10_000
    assert repr(spec.action_table.name) in repr(spec)


def test_a_prompt_shows_a_benchmark_without_what_it_prints() -> None:
    assert max(len(repr(one)) for one in datasets()["programs-v0"]) < 2_000


def test_an_unknown_environment_is_named_with_near_matches() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'llvm-ic-v0'"):
        environment_spec("llvm-ci-v0")


PROGRAMS = ("programs-smoke-v0", "programs-v0", "kernels-v0", "csmith-v0", "loop_tool-cpu-v0")
PATHS = tuple(f"benchmark://programs-v0/{path}" for path in ("blosc", "h3", "lz4", "qoi", "zlib/deflate"))


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("programs-v1", PROGRAMS, ["programs-v0"]),  # another version
        ("programs", PROGRAMS, ["programs-v0"]),
        ("PROGRAMS-V0", PROGRAMS, ["programs-v0"]),
        ("progarms-v0", PROGRAMS, ["programs-v0"]),
        ("kernel-v0", PROGRAMS, ["kernels-v0"]),
        ("csmiths-v0", PROGRAMS, ["csmith-v0"]),
        ("loop-tool-cpu-v0", PROGRAMS, ["loop_tool-cpu-v0"]),
        ("programs-v", PROGRAMS, ["programs-v0"]),
        ("pro", PROGRAMS, ["programs-v0", "programs-smoke-v0"]),
        ("benchmark://programs-v0/lz", PATHS, ["benchmark://programs-v0/lz4"]),
        ("benchmark://programs-v0/lz5", PATHS, ["benchmark://programs-v0/lz4"]),
        ("benchmark://programs-v0/bolsc", PATHS, ["benchmark://programs-v0/blosc"]),
        ("benchmark://programs-v0/qois", PATHS, ["benchmark://programs-v0/qoi"]),
        ("benchmark://programs-v0/deflate", PATHS, ["benchmark://programs-v0/zlib/deflate"]),
        ("optarena/llvm-ci-v0", ("llvm-ic-v0", "llvm-v0"), ["llvm-ic-v0"]),
    ],
)
def test_near_names_are_proposed(name: str, known: tuple[str, ...], expected: list[str]) -> None:
    remedy = unknown_name("thing", name, known).remedy
    assert remedy == f"Did you mean {' or '.join(map(repr, expected))}?"


@pytest.mark.parametrize("name", ["units-v0", "nosuch-v0", "pr", "smoke-v0", "-v0", "", None, "x" * 10_000])
def test_what_is_near_to_nothing_is_answered_with_what_there_is(name: str | None) -> None:
    error = unknown_name("dataset", name, PROGRAMS)
    assert error.remedy == f"The known ones are: {', '.join(PROGRAMS)}."
    assert len(error.message) < 300


@pytest.mark.parametrize("path", ["nosuch", "h4", "programs", "zlib/x"])
def test_the_dataset_makes_no_benchmarks_near(path: str) -> None:
    remedy = unknown_name("benchmark", f"benchmark://programs-v0/{path}", PATHS).remedy
    assert remedy == "The known ones are: blosc, h3, lz4, qoi, zlib/deflate."


def test_only_environments_of_passes_that_are_safe_can_be_on_a_board() -> None:
    names = {spec.slug for spec in SPECS if not spec.boardable}
    assert names == {"gcc-unsafe-v0", "llvm-inliner-o2-v0", "llvm-loops-v0", "llvm-unsafe-v0"}


def test_the_digest_depends_on_the_action_table_only_where_it_differs() -> None:
    assert SPEC.digest == environment_spec("llvm-v0").digest
    assert SPEC.digest != environment_spec("llvm-unsafe-v0").digest
    assert len(SPEC.digest) == 64


def test_the_version_is_json_without_python_names() -> None:
    text = json.dumps(SPEC.version_spec())
    assert "optarena." not in text
    assert json.loads(text) == SPEC.version_spec()


@pytest.mark.parametrize(
    "spec", [one for one in SPECS if not is_structured(one.action_table)], ids=lambda spec: spec.slug
)
@given(data=st.data())
def test_command_lines_round_trip(spec: EnvironmentSpec, data: st.DataObject) -> None:
    indices = st.integers(0, len(spec.action_table.names) - 1)
    actions = tuple(data.draw(st.lists(indices, max_size=20)))
    assert spec.parse_commandline(spec.commandline(actions)) == actions


@pytest.mark.parametrize("action", [-1, 10_000, 1.0, "sroa", None, True, np.float64(1)])
def test_what_is_no_action_is_refused_with_its_position(action: object) -> None:
    with pytest.raises(InvalidAction, match="position 1") as caught:
        SPEC.check_actions([0, action])
    assert ("its number, 80:" if action == "sroa" else "0 to") in str(caught.value)


def test_canonical_actions_are_versioned_json_whatever_the_integer_type() -> None:
    assert canonical_actions([1, np.int32(2)]) == '{"actions":[1,2],"version":1}'  # type: ignore[list-item] # as above
    assert SPEC.check_actions([np.int64(3), np.uint8(4)]) == (3, 4)
    assert actions_digest([1, 2]) == actions_digest((1, 2))
    assert actions_digest([1, 2]) != actions_digest([2, 1])


def test_unknown_metrics_and_rewards_are_named() -> None:
    assert SPEC.metric("ir_instructions").exact
    assert SPEC.reward("IrInstructionCountOz").level == "Oz"
    with pytest.raises(UnknownName, match="text_size_bytes"):
        SPEC.metric("text_size")
    with pytest.raises(UnknownName, match="IrInstructionCountOz"):
        SPEC.reward("IrInstructionCountOs")


TABLE = NamedActions("moves-v0", ("left", "right", "turn-around"), "walk")


def test_the_command_line_is_the_program_and_the_names() -> None:
    assert TABLE.commandline([2, 0]) == "walk turn-around left"
    assert TABLE.commandline([]) == "walk"
    assert TABLE.parse("  walk   left\tright ") == (0, 1)


@pytest.mark.parametrize("text", ["", "run left", "left", "walking left"])
def test_another_program_is_refused(text: str) -> None:
    with pytest.raises(InvalidCommandline, match="'walk'"):
        TABLE.parse(text)


def test_an_unknown_action_is_named_with_its_place_and_the_nearest() -> None:
    with pytest.raises(InvalidCommandline, match=r"Action 2 .*'lift'.*'left'"):
        TABLE.parse("walk right lift")
    with pytest.raises(InvalidCommandline, match="action table"):
        TABLE.parse("walk xyz")
    with pytest.raises(InvalidAction, match="position 1"):
        TABLE.commandline([0, 3])


@pytest.mark.parametrize(
    ("name", "names", "program", "descriptions"),
    [
        ("moves-v0", (), "walk", ()),
        ("moves-v0", ("left", "left"), "walk", ()),
        ("moves-v0", ("go left",), "walk", ()),
        ("moves-v0", ("",), "walk", ()),
        ("moves-v0", ("left",), "walk on", ()),
        ("", ("left",), "walk", ()),
        ("moves-v0", ("left",), "walk", ("To the left.", "And more.")),
        ("moves-v0", (1,), "walk", ()),
        ("moves-v0", ("left", None), "walk", ()),
        ("moves-v0", ([],), "walk", ()),
        ("moves-v0", "left", "walk", ()),
        ("moves-v0", 1, "walk", ()),
        ("moves-v0", ("left",), 1, ()),
        (1, ("left",), "walk", ()),
        ("moves-v0", ("left",), "walk", (1,)),
        ("moves-v0", ("left",), "walk", "T"),
    ],
)
def test_tables_that_could_not_be_written_down_are_refused(
    name: Any, names: Any, program: Any, descriptions: Any
) -> None:
    with pytest.raises(InvalidInput, match="action table"):
        NamedActions(name, names, program, descriptions=descriptions)


FINER = environment_spec("llvm-finer-v0")
PASSES = environment_spec("llvm-ic-v0")
STATES = 20


def random_action(table: Any, rng: random.Random) -> Any:
    sizes = getattr(table, "sizes", None)
    return rng.randrange(len(table.names)) if sizes is None else tuple(rng.randrange(size) for size in sizes)


def test_boards_of_passes_take_the_first_space_alone() -> None:
    assert [table.name for table in PASSES.ranked_tables] == [PASSES.action_table.name]
    assert FINER.ranked_tables == (FINER.action_table, COMMANDLINE, PARAMETERS, FUNCTIONS, LOOPS)


@pytest.mark.parametrize("seed", range(STATES))
def test_a_random_state_of_any_space_is_read_back_from_its_text(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 # not a secret
    table = rng.choice(FINER.ranked_tables)
    actions = [random_action(table, rng) for _ in range(rng.randrange(30))]
    space, canonical = FINER.ranked_actions(actions, table.name)
    text = FINER.commandline(actions, table.name)
    assert FINER.ranked_commandline(text) == (space, canonical)
    assert FINER.commandline(canonical, space) == text
    assert FINER.ranked_actions(canonical, space) == (space, canonical)
    # JSON has lists where Python has tuples.
    as_json = [list(one) if isinstance(one, tuple) else one for one in canonical]
    assert FINER.ranked_actions(as_json, space) == (space, canonical)


def test_the_identity_names_the_space_unless_it_is_the_first() -> None:
    pairs = [(0, 0), (1, 1)]
    names = ("", "llvm-functions-v0", "llvm-loops-v0")
    assert len({actions_digest(pairs, name) for name in names}) == len(names)
    # What was stored before there were other spaces must be found again.
    known = "73404391d800963c45acaa94e4a36b4f18767cc33c85b8b22985aef3f8c9f747"
    assert actions_digest([1, 2]) == actions_digest([1, 2], "") == known


def test_passes_by_their_texts_are_passes() -> None:
    assert FINER.ranked_actions([1, 2], "llvm-commandline-v0") == ("", (1, 2))
    assert (
        FINER.ranked_actions([1, 2]) == FINER.ranked_actions([1, 2], FINER.action_table.name) == ("", (1, 2))
    )


def test_a_space_that_boards_do_not_take_is_refused_with_those_that_they_take() -> None:
    with pytest.raises(UnknownName, match="llvm-loop-v0") as unknown:
        FINER.ranked_actions([], "llvm-loop-v0")
    assert (unknown.value.field, "llvm-loops-v0" in unknown.value.remedy) == ("action_space", True)
    with pytest.raises(UnknownName):
        PASSES.ranked_actions([[0, 0]], "llvm-functions-v0")
    with pytest.raises(InvalidCommandline, match="Boards of llvm-ic-v0 do not take actions of") as line:
        PASSES.ranked_commandline("llvm-functions sroa@0")
    assert line.value.value == "llvm-functions sroa@0"
    assert PASSES.action_table.name in line.value.remedy
    with pytest.raises(InvalidAction):
        FINER.ranked_actions([(0, 0)])


@pytest.mark.parametrize("table", [PARAMETERS, FUNCTIONS, LOOPS], ids=lambda table: table.name)
def test_the_version_covers_every_table(table: Any) -> None:
    changed = replace(table, **{_parts(table): getattr(table, _parts(table))[:-1]})
    assert changed.version_spec() != table.version_spec()
    assert any(part == table.version_spec() for part in FINER.version_spec()["further_tables"])


def _parts(table: Any) -> str:
    return "decisions" if table is LOOPS else "passes"


def test_further_tables_are_checked_when_an_environment_is_registered() -> None:
    spaced = NamedActions("a-v0", ("one",), "a")
    object.__setattr__(spaced, "name", "a v0")
    with pytest.raises(InvalidInput, match="further_tables: 'a v0' must be one word"):
        check_environment(replace(FINER, slug="other-v0", further_tables=(spaced,)))
    with pytest.raises(InvalidInput, match="further_tables: The value must be a tuple of action tables"):
        check_environment(replace(FINER, slug="other-v0", further_tables=("a",)))  # type: ignore[arg-type] # on purpose
    with pytest.raises(InvalidInput, match="version: It must cover the further tables"):
        check_environment(replace(FINER, slug="other-v0", version=None))


def test_the_result_of_a_replay_keeps_its_space_and_what_actions_were_about(digits: Benchmark) -> None:
    space, actions = FINER.ranked_commandline("llvm-functions sroa@0 sroa@63")
    result = replay(environment=FINER, benchmark=digits, actions=actions, action_space=space)
    assert (result.ok, result.action_space) == (True, "llvm-functions-v0")
    assert [step.name for step in result.steps] == ["sroa@0", "sroa@63"]
    assert result.steps[0].about
    assert (result.steps[1].about, result.steps[1].had_no_effect) == ("", True)
    assert result.as_dict()["version"] == 4
    assert ReplayResult.from_json(result.to_json()) == result
    other = replace(result, action_space="llvm-loops-v0")
    difference = first_difference(result, other)
    assert difference is not None
    assert difference.field == "action_space"


def test_the_result_of_passes_is_stored_in_the_format_that_it_always_had(digits: Benchmark) -> None:
    result = replay(environment=FINER, benchmark=digits, actions=(1,))
    stored = result.as_dict()
    assert (stored["version"], "action_space" in stored, "about" in stored["steps"][0]) == (2, False, False)
    assert ReplayResult.from_json(stored) == result


def test_a_step_about_something_is_kept_even_in_the_first_space() -> None:
    step = StepTrace(
        index=0, action=(0, 0), name="n", had_no_effect=False, digest="d", cost=1, about="main:1"
    )
    empty = ReplayResult(
        environment="llvm-loops-v0", digest="", benchmark="b", benchmark_sha256="", actions=((0, 0),), ok=True
    )
    result = replace(empty, steps=(step,))
    assert ReplayResult.from_json(result.to_json()) == result


@pytest.mark.parametrize(("raw", "shown"), [("a\\07b", "a\\x07b"), ("l" * 5000, "l" * SUBJECT_LENGTH)])
def test_what_an_action_was_about_can_be_stored_whatever_its_name(raw: str, shown: str) -> None:
    text = f"""target triple = "x86_64-unknown-linux-gnu"
    define i32 @main() {{ ret i32 0 }}
    define void @"{raw}"() {{ ret void }}"""
    program = Benchmark.from_bytes("benchmark://tests-v0/names", text.encode())
    space, actions = FINER.ranked_commandline("llvm-functions sroa@1")
    result = replay(environment=FINER, benchmark=program, actions=actions, action_space=space)
    assert [step.about for step in result.steps] == [shown]


WORDS = NamedActions("words-v0", ("a", "b", "c"), "words")


def crashed(unit: int | None) -> SessionCrashed:
    error = SessionCrashed("It is gone.")
    error.unit = unit
    return error


@pytest.mark.parametrize(
    ("unit", "place", "count"),
    [
        (0, "the session, before action 7 (b)", 1),
        (1, "action 7 (b)", 1),
        (2, "action 8 (c)", 2),
        (3, "Size after action 8 (c)", 2),
        (4, "Text after action 8 (c)", 2),
        (5, "an observation after action 8 (c)", 2),
        (None, "action 7 (b) or action 8 (c) or Size, Text after action 8 (c)", 2),
    ],
)
def test_the_action_or_observation_is_named(unit: int | None, place: str, count: int) -> None:
    error = crashed(unit)
    assert failure_details(error, WORDS, [1, 2], 7, ["Size", "Text"]) == f"In {place}: It is gone."
    assert count_begun(error, [1, 2]) == count


def test_a_step_without_actions_names_what_it_observes() -> None:
    for unit, observed, place in (
        (0, ["Size"], "the session"),
        (1, ["Size"], "Size"),
        (None, [], "the session"),
    ):
        assert failure_details(crashed(unit), WORDS, [], 0, observed) == f"In {place}: It is gone."


def test_of_many_actions_some_are_named() -> None:
    details = failure_details(crashed(None), WORDS, [0] * 30, 0, [])
    assert "action 9 (a) or 20 more actions: " in details
    assert [action_name(WORDS, action) for action in (2, 3, (1, 2))] == ["c", "3", "(1, 2)"]


REWARDS = cost_rewards("IrInstructionCount", cost="IrInstructionCount", metric="ir_instructions")
costs = st.integers(0, 10**7)


@given(initial=costs, before=costs, after=costs, baseline=costs)
def test_each_reward_is_as_defined(initial: int, before: int, after: int, baseline: int) -> None:
    def reward(name: str) -> float:
        levels = {"O0": initial, "O3": baseline, "Oz": baseline}
        return REWARDS[name].at(levels).between(before, after)

    assert [name.removeprefix("IrInstructionCount") for name in REWARDS] == ["", "Norm", "O3", "Oz", "LogOz"]
    assert reward("IrInstructionCount") == before - after
    assert reward("IrInstructionCountNorm") == (before - after) / max(initial, 1)
    assert reward("IrInstructionCountO3") == (before - after) / max(initial - baseline, 1)
    assert reward("IrInstructionCountOz") == (before - after) / max(initial - baseline, 1)
    assert reward("IrInstructionCountLogOz") == pytest.approx(math.log(max(before, 1) / max(after, 1)))


@given(initial=st.integers(2, 10**7), data=st.data())
def test_an_episode_that_equals_the_baseline_earns_one(initial: int, data: st.DataObject) -> None:
    baseline = data.draw(st.integers(0, initial - 1))
    path = [initial, *data.draw(st.lists(costs, max_size=20)), baseline]
    function = REWARDS["IrInstructionCountOz"].at({"O0": initial, "Oz": baseline})
    steps = [function.between(before, after) for before, after in itertools.pairwise(path)]
    assert function.total(baseline) == 1.0
    assert math.fsum(steps) == pytest.approx(1.0, rel=1e-6, abs=1e-6)


@given(st.floats(-1e6, 1e6))
def test_an_error_takes_back_what_was_won_and_no_more(earned: float) -> None:
    assert earned + reward_on_error(earned) == min(earned, 0.0)


@pytest.mark.parametrize("spec", environment_specs(), ids=lambda spec: spec.slug)
def test_results_are_compared_with_a_level_of_the_environments_own_rewards(spec: EnvironmentSpec) -> None:
    levels = {reward.level for reward in spec.rewards.values()} - {"", None}
    assert not levels or spec.reference_level in levels
