"""Action spaces that boards take: their states' text and identity, and the version that covers them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from optarena.actions import NamedActions
from optarena.datasets import Benchmark
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput, UnknownName
from optarena.limits import SUBJECT_LENGTH
from optarena.llvm.loops.decisions import LOOPS
from optarena.llvm.tables import COMMANDLINE, FUNCTIONS, PARAMETERS
from optarena.registry import check_environment
from optarena.replay import ReplayResult, first_difference, replay
from optarena.specs import actions_digest, environment_spec
from optarena.specs.results import StepTrace

SPEC = environment_spec("llvm-finer-v0")
PASSES = environment_spec("llvm-ic-v0")
STATES = 50


def random_action(table: Any, rng: random.Random) -> Any:
    sizes = getattr(table, "sizes", None)
    return rng.randrange(len(table.names)) if sizes is None else tuple(rng.randrange(size) for size in sizes)


def test_boards_of_passes_take_the_first_space_alone() -> None:
    assert [table.name for table in PASSES.ranked_tables] == [PASSES.action_table.name]
    assert SPEC.ranked_tables == (SPEC.action_table, COMMANDLINE, PARAMETERS, FUNCTIONS, LOOPS)


@pytest.mark.parametrize("seed", range(STATES))
def test_a_random_state_of_any_space_is_read_back_from_its_text(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 # not a secret
    table = rng.choice(SPEC.ranked_tables)
    actions = [random_action(table, rng) for _ in range(rng.randrange(30))]
    space, canonical = SPEC.ranked_actions(actions, table.name)
    text = SPEC.commandline(actions, table.name)
    assert SPEC.ranked_commandline(text) == (space, canonical)
    assert SPEC.commandline(canonical, space) == text
    assert SPEC.ranked_actions(canonical, space) == (space, canonical)
    # JSON has lists where Python has tuples.
    as_json = [list(one) if isinstance(one, tuple) else one for one in canonical]
    assert SPEC.ranked_actions(as_json, space) == (space, canonical)


def test_the_identity_names_the_space_unless_it_is_the_first() -> None:
    pairs = [(0, 0), (1, 1)]
    names = ("", "llvm-functions-v0", "llvm-loops-v0")
    assert len({actions_digest(pairs, name) for name in names}) == len(names)
    # What was stored before there were other spaces must be found again.
    known = "73404391d800963c45acaa94e4a36b4f18767cc33c85b8b22985aef3f8c9f747"
    assert actions_digest([1, 2]) == actions_digest([1, 2], "") == known


def test_passes_by_their_texts_are_passes() -> None:
    assert SPEC.ranked_actions([1, 2], "llvm-commandline-v0") == ("", (1, 2))
    assert SPEC.ranked_actions([1, 2]) == SPEC.ranked_actions([1, 2], SPEC.action_table.name) == ("", (1, 2))


def test_a_space_that_boards_do_not_take_is_refused_with_those_that_they_take() -> None:
    with pytest.raises(UnknownName, match="llvm-loop-v0") as unknown:
        SPEC.ranked_actions([], "llvm-loop-v0")
    assert (unknown.value.field, "llvm-loops-v0" in unknown.value.remedy) == ("action_space", True)
    with pytest.raises(UnknownName):
        PASSES.ranked_actions([[0, 0]], "llvm-functions-v0")
    with pytest.raises(InvalidCommandline, match="Boards of llvm-ic-v0 do not take actions of") as line:
        PASSES.ranked_commandline("llvm-functions sroa@0")
    assert line.value.value == "llvm-functions sroa@0"
    assert PASSES.action_table.name in line.value.remedy
    with pytest.raises(InvalidAction):
        SPEC.ranked_actions([(0, 0)])


@pytest.mark.parametrize("table", [PARAMETERS, FUNCTIONS, LOOPS], ids=lambda table: table.name)
def test_the_version_covers_every_table(table: Any) -> None:
    changed = replace(table, **{_parts(table): getattr(table, _parts(table))[:-1]})
    assert changed.version_spec() != table.version_spec()
    assert any(part == table.version_spec() for part in SPEC.version_spec()["further_tables"])


def _parts(table: Any) -> str:
    return "decisions" if table is LOOPS else "passes"


def test_further_tables_are_checked_when_an_environment_is_registered() -> None:
    spaced = NamedActions("a-v0", ("one",), "a")
    object.__setattr__(spaced, "name", "a v0")
    with pytest.raises(InvalidInput, match="further_tables: 'a v0' must be one word"):
        check_environment(replace(SPEC, slug="other-v0", further_tables=(spaced,)))
    with pytest.raises(InvalidInput, match="further_tables: The value must be a tuple of action tables"):
        check_environment(replace(SPEC, slug="other-v0", further_tables=("a",)))  # type: ignore[arg-type] # on purpose
    with pytest.raises(InvalidInput, match="version: It must cover the further tables"):
        check_environment(replace(SPEC, slug="other-v0", version=None))


def test_the_result_of_a_replay_keeps_its_space_and_what_actions_were_about(digits: Benchmark) -> None:
    space, actions = SPEC.ranked_commandline("llvm-functions sroa@0 sroa@63")
    result = replay(environment=SPEC, benchmark=digits, actions=actions, action_space=space)
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
    result = replay(environment=SPEC, benchmark=digits, actions=(1,))
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
    space, actions = SPEC.ranked_commandline("llvm-functions sroa@1")
    result = replay(environment=SPEC, benchmark=program, actions=actions, action_space=space)
    assert [step.about for step in result.steps] == [shown]
