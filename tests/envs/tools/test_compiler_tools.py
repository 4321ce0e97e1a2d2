"""A program and its compiler as tools: what each answers, how long answers are, and what bad calls get."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

import optarena
from optarena import limits
from optarena.errors import InvalidAction, InvalidDocument, InvalidInput, OptArenaError, UnknownName
from optarena.state import EnvState, read_states
from optarena.tools import TOOLS, CompilerTools
from optarena.validation import validate_state
from tests.kit.processes import sessions

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = "benchmark://kernels-v0/sha256"
FOUND = "sroa indvars instcombine gvn<no-pre> simplifycfg<late>"
CRASHES = "trigger-crash-module"


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[CompilerTools]:
    with CompilerTools(optarena.make("llvm-ic-v0", benchmark=PROGRAM), folder=tmp_path) as made:
        yield made


def cursors(answer: str) -> int | None:
    found = re.search(r"cursor=(\d+)", answer.splitlines()[-1])
    return int(found[1]) if found else None


def whole(call: Callable[..., str], *arguments: object) -> list[str]:
    """Every answer to a call, following the cursors."""
    answers = [call(*arguments)]
    while (cursor := cursors(answers[-1])) is not None:
        answers.append(call(*arguments, cursor=cursor))
    return answers


def test_an_episode_that_is_over_takes_no_action_until_it_is_undone() -> None:
    with CompilerTools.make("llvm-inliner-v0", "benchmark://kernels-v0/quicksort") as tools:
        told = tools.apply("default-1000 default")
        assert "The episode is over; not applied: default\n" in told
        for call in (lambda: tools.apply("default"), tools.peek):
            with pytest.raises(InvalidAction, match=r"over\. Undo the last action"):
                call()
        assert tools.check().startswith("valid")
        tools.undo()
        assert tools.apply("inline").startswith("1. inline")


def test_a_long_score_goes_on_where_its_cursor_says() -> None:
    with CompilerTools.make("", PROGRAM) as tools:
        tools.apply("dce " * 400)
        told = tools.score()
        cursor = int(re.search(r"cursor=(\d+)", told)[1])  # type: ignore[index] # it must be there
        assert tools.score(cursor=cursor).startswith("command line:")


def test_a_file_that_cannot_be_written_or_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xff")
    with CompilerTools.make("", PROGRAM, folder=tmp_path / "file") as tools:
        tools.apply("sroa")
        with pytest.raises(InvalidInput, match="--folder"):
            tools.save()
        with pytest.raises(InvalidInput, match="cannot be read"):
            tools.resume(tmp_path / "file")


def test_a_program_is_described_with_the_levels_that_are_to_be_beaten(tools: CompilerTools) -> None:
    described = tools.describe_program()
    for told in (PROGRAM, "-O0 1349", "-Oz 682", "compress 253", "vectors, stretch, tree", "beyond what -Oz"):
        assert told in described


def test_a_walk_beats_the_level_and_is_what_a_replay_gives(tools: CompilerTools) -> None:
    applied = tools.apply(FOUND).splitlines()
    assert applied[0] == "1. sroa: 863 (-486)"
    assert applied[-1] == "5 actions applied: IR instructions 629 (-720), 1.0843 times as good as -Oz."
    assert "reward (IrInstructionCountOz): 1.07946" in tools.score()
    assert tools.check().startswith("valid: ")
    assert "all 5 workloads" in tools.check()
    assert validate_state(tools.state, environment="llvm-ic-v0").ok
    assert tools.state.claims == {"ir_instructions": 629}


def test_looking_ahead_tells_what_applying_gives_and_applies_nothing(tools: CompilerTools) -> None:
    looked = tools.peek().splitlines()
    assert looked[0] == "mem2reg: 863 (-486)"
    assert looked[-1] == "67 actions of 104 would change nothing."
    assert tools.steps() == "No action is applied."
    assert tools.apply("mem2reg").splitlines()[0] == "1. mem2reg: 863 (-486)"
    assert tools.peek(["mem2reg", "sroa"]) == "2 actions of 2 would change nothing."


def test_actions_are_taken_back(tools: CompilerTools) -> None:
    tools.apply(FOUND)
    before = tools.state
    assert tools.undo(2) == "3 actions applied: IR instructions 730 (+101), 0.9342 times as good as -Oz."
    tools.apply("gvn<no-pre> simplifycfg<late>")
    assert tools.state == before
    tools.undo(5)
    assert tools.steps() == "No action is applied."


def test_the_effort_is_counted(tools: CompilerTools) -> None:
    tools.apply(FOUND)
    tools.peek("gvn licm")
    tools.undo()
    tools.describe_program()
    assert tools.effort.compilations == 3
    assert "effort: 3 compilations" in tools.score()
    assert tools.effort.walltime_seconds > 0


def test_the_same_calls_get_the_same_answers() -> None:
    def play() -> list[str]:
        with CompilerTools(optarena.make("llvm-ic-v0", benchmark=PROGRAM)) as tools:
            calls = (
                lambda: tools.apply(FOUND),
                tools.peek,
                tools.undo,
                tools.ir,
                tools.difference,
                tools.score,
            )
            return [call() for call in calls]

    assert play() == play()


def test_a_saved_session_goes_on_elsewhere_with_its_effort(tools: CompilerTools, tmp_path: Path) -> None:
    tools.apply(FOUND)
    assert tools.save("found.json").startswith(
        f"found.json has 5 actions of {PROGRAM}; effort: 1 compilations"
    )
    file = tmp_path / "found.json"
    [state] = read_states(file.read_text(), format="json", metrics=("ir_instructions",))
    assert state == tools.state
    with CompilerTools(optarena.make("llvm-ic-v0")) as other:
        other.resume(file)
        assert other.state == tools.state
        assert other.effort.compilations == 1
        assert other.effort.walltime_seconds > json.loads(file.read_text())["effort"]["walltime_seconds"]
        assert other.steps() == tools.steps()


@pytest.mark.parametrize(
    "effort", ['"much"', '{"compilations": -1}', '{"compilations": "x"}', '{"hours": 2}']
)
def test_a_saved_effort_that_is_wrong_is_refused(tools: CompilerTools, tmp_path: Path, effort: str) -> None:
    tools.apply("sroa")
    tools.save("found.json")
    file = tmp_path / "found.json"
    document = json.loads(file.read_text())
    file.write_text(json.dumps(document | {"effort": json.loads(effort)}))
    with pytest.raises(InvalidDocument, match="effort"):
        tools.resume(file)


def test_another_program_begins_anew(tools: CompilerTools) -> None:
    tools.apply(FOUND)
    tools.start(benchmark="benchmark://kernels-v0/quicksort")
    assert tools.steps() == "No action is applied."
    assert tools.effort.compilations == 0
    with pytest.raises(UnknownName, match="Did you mean"):
        tools.start(benchmark="benchmark://kernels-v0/quicksrt")
    assert "kernels-v0/quicksort" in tools.describe_program()


def test_no_answer_is_longer_than_the_budget_and_cursors_give_the_rest(tools: CompilerTools) -> None:
    for answers in (whole(tools.ir), whole(tools.list_actions), whole(tools.peek, "all")):
        assert all(len(answer) <= limits.TOOL_ANSWER_CHARACTERS for answer in answers)
    pieces = [re.sub(r"\n… [\d,]+ more characters: .*$", "", answer) for answer in whole(tools.ir)]
    assert len(pieces) > 5
    assert "\n".join(pieces).rstrip("\n") == tools.env.observation["Ir"].rstrip("\n")


def test_one_function_is_shown(tools: CompilerTools) -> None:
    text = tools.ir("hmac")
    assert text.startswith("define ")
    assert "@hmac(" in text.splitlines()[0]
    assert text.endswith("\n}")
    with pytest.raises(UnknownName, match="'hmac'"):
        tools.ir("hmacs")


def test_a_difference_shows_what_one_action_changed(tools: CompilerTools) -> None:
    tools.apply("sroa instcombine sroa")
    assert tools.difference(1).startswith("1. sroa: ")
    assert "\n-  %" in tools.difference(1)
    assert tools.difference() == "3. sroa: 0 lines removed, 0 added"


def test_actions_are_found_by_a_word(tools: CompilerTools) -> None:
    found = tools.list_actions("tail").splitlines()
    assert found == ["tailcallelim: Turns recursion in tail position into a loop."]
    assert len("\n".join(whole(tools.list_actions)).splitlines()) >= 104
    with pytest.raises(UnknownName, match="Did you mean 'gvn'"):
        tools.list_actions("gvnn")


def test_a_command_line_is_read_as_well_as_names(tools: CompilerTools) -> None:
    tools.apply(FOUND)
    written = tools.state.commandline
    tools.undo(5)
    tools.apply(written)
    assert tools.state.commandline == written


def test_a_compiler_that_crashes_leaves_the_program_as_it_was() -> None:
    with CompilerTools(optarena.make("llvm-unsafe-v0", benchmark=PROGRAM)) as tools:
        tools.apply("strip")
        answer = tools.apply(f"lower-invoke {CRASHES} strip").splitlines()
        assert answer[0] == "2. lower-invoke: no effect"
        assert answer[1].startswith(f"{CRASHES} was not applied, since the compiler failed: ")
        assert answer[2].startswith("2 actions applied: ")
        assert "the compiler fails (crash)" in tools.peek(CRASHES)
        assert len(tools.apply("strip").splitlines()) == 2


def test_a_compiler_that_is_lost_between_two_calls_is_started_again(tools: CompilerTools) -> None:
    tools.apply("sroa")
    for pid in sessions():
        os.kill(pid, signal.SIGKILL)
    assert "instcombine was not applied, since the compiler failed" in tools.apply("instcombine")
    assert tools.apply("instcombine").startswith("2. instcombine: ")


@pytest.mark.parametrize(
    ("call", "kind", "told"),
    [
        (lambda tools: tools.apply("srao"), UnknownName, "Did you mean 'sroa'?"),
        (lambda tools: tools.apply(3), InvalidInput, "Give a text."),
        (lambda tools: tools.apply([3]), InvalidInput, "Give a text."),
        (lambda tools: tools.apply(""), InvalidInput, "command line"),
        (lambda tools: tools.apply([]), InvalidInput, "command line"),
        (lambda tools: tools.apply("sroa " * 300_000), InvalidInput, "Give at most 100,000."),
        (lambda tools: tools.apply("gvn " * 10_001), InvalidAction, "A result may have 10,000"),
        (lambda tools: tools.peek("gvn " * 10_000), InvalidAction, "between 1 and 2000"),
        (lambda tools: tools.peek("all of them"), UnknownName, "'all'"),
        (lambda tools: tools.undo(), InvalidInput, "Apply actions first."),
        (lambda tools: tools.undo(True), InvalidInput, "Apply actions first."),
        (lambda tools: tools.difference(1), InvalidInput, "Apply actions first."),
        (lambda tools: tools.ir(cursor=10**9), InvalidInput, "give a cursor that an answer named"),
        (lambda tools: tools.ir(cursor=-1), InvalidInput, "give a cursor that an answer named"),
        (lambda tools: tools.ir(function=7), InvalidInput, "Give a text."),
        (lambda tools: tools.save("../found.json"), InvalidInput, "without a folder"),
        (lambda tools: tools.save(".bashrc"), InvalidInput, "ending in .json"),
        (lambda tools: tools.save(), InvalidInput, "Apply actions first."),
        (lambda tools: tools.best_known(), InvalidInput, "--url"),
        (lambda tools: tools.submit("llvm-ic", "agent"), InvalidInput, "save writes a file instead"),
    ],
)
def test_a_bad_call_gets_a_sentence_with_the_remedy_and_changes_nothing(
    tools: CompilerTools, call: Callable[[CompilerTools], str], kind: type[OptArenaError], told: str
) -> None:
    with pytest.raises(kind) as raised:
        call(tools)
    assert told in str(raised.value)
    assert len(str(raised.value)) < limits.TOOL_ANSWER_CHARACTERS
    assert tools.steps() == "No action is applied."


def test_ten_thousand_actions_get_a_short_answer(tools: CompilerTools) -> None:
    answer = tools.apply("dce " * limits.MAX_ACTIONS_PER_ITEM)
    assert len(answer) <= limits.TOOL_ANSWER_CHARACTERS
    assert "steps lists all" in answer
    assert answer.splitlines()[-1].startswith("10,000 actions applied: ")
    with pytest.raises(InvalidAction, match="10,001"):
        tools.apply("dce")


@pytest.mark.parametrize(
    "environment", ["loop_tool-v0", "llvm-finer-v0", "gpu-kernels-v0", "llvm-runtime-v0"]
)
def test_every_kind_of_environment_has_tools(environment: str) -> None:
    with CompilerTools(optarena.make(environment)) as tools:
        assert environment in tools.describe_program()
        first = tools.env.action_table.names[0]
        assert tools.list_actions(first).startswith(first)
        assert "effort: 0 compilations" in tools.score()


def test_a_state_begins_a_session(tools: CompilerTools) -> None:
    tools.apply(FOUND)
    state = tools.state
    tools.start(EnvState(benchmark=PROGRAM, commandline=state.commandline))
    assert tools.state == state
    with pytest.raises(InvalidInput, match="command line"):
        tools.start(EnvState(benchmark=PROGRAM, commandline="opt nonsense"))
    assert tools.state == state


def test_each_tool_says_what_it_is_for() -> None:
    for name in TOOLS:
        documented = getattr(CompilerTools, name).__doc__
        assert documented.splitlines()[0].endswith("."), name
