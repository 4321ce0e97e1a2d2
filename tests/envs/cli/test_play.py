"""``optarena play``: what each action of a game would give, and each wrong address in a line."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from optarena.cli import main
from optarena.specs import environment_spec
from optarena.studies import ActionOutcome, LookAheadResult
from optarena.study_states import SequenceTrials
from tests.kit.gcc import needs_gcc

SPEC = environment_spec("llvm-ic-v0")
NAMES = SPEC.action_table.names
SERVER = "https://arena.example"
SHA256 = f"{SERVER}/play/kernels-v0/sha256/?environment=llvm-ic-v0"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["play", *arguments], env={"COLUMNS": "500"})


def test_it_shows_the_state_and_the_best_actions() -> None:
    number = NAMES.index("mem2reg")
    result = run(f"{SHA256}&version={SPEC.digest[:12]}&actions={number}")
    assert result.exit_code == 0, result.output
    first, _, *rows = result.stdout.splitlines()
    assert first.startswith("kernels-v0/sha256 in llvm-ic-v0, 1 action: ")
    assert "-Oz 682" in first
    changes = [int(row.split()[-1]) for row in rows[:10]]
    assert changes == sorted(changes)
    assert changes[0] < -100
    assert rows[-1] == SPEC.commandline([number])


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://arena.example/submissions/", "is not the address of a game"),
        ("http://[arena/play/kernels-v0/sha256/", "is not the address of a game"),
        (f"{SERVER}/play/kernels-v0/sha256/", "Give --env."),
        (f"{SHA256}&actions=1,x", "'x' is not the number of an action"),
        (f"{SHA256}&actions=-1", "'-1' is not the number of an action"),
        (f"{SHA256}&actions=1,999", "Give an integer from 0 to"),
        (f"{SHA256}&actions={','.join(['1'] * 10_001)}", "10,001 actions"),
        (f"{SHA256}&actions=1&version=abc", "is of version abc"),
        (f"{SERVER}/play/kernels-v0/none/?environment=llvm-ic-v0", "no benchmark"),
        (f"{SERVER}/play/puzzle-v1/program/?environment=llvm-ic-v0", f"download puzzle-v1 --url {SERVER}"),
        (f"{SERVER}/play/kernels-v0/sha256/?environment=none", "no environment"),
        (f"{SERVER}/play/gcc-kernels-v0/sha256/?environment=gcc-v0&q=nothing", "has the words 'nothing'"),
        (f"{SERVER}/play/gcc-kernels-v0/sha256/?environment=gcc-v0&actions=5", "does not have the form"),
        (f"{SERVER}/play/kernels-v0/sha256/?environment=llvm-loops-v0", "too many actions"),
    ],
)
def test_a_wrong_address_is_told_in_a_line(address: str, said: str) -> None:
    result = run(address)
    assert (result.exit_code, len(result.stderr.strip().splitlines())) == (2, 1), result.output
    assert said in result.stderr


def test_actions_of_unknown_cost_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = (
        ActionOutcome(0, None, effect=True, error="", ends=False),
        ActionOutcome(1, 120, effect=True, error="", ends=False),
    )
    found = LookAheadResult(costs=(100,), idle=(), parts=(), total=2, tried=tried)
    monkeypatch.setattr(SequenceTrials, "look_ahead", lambda *_, **__: iter([found]))
    _, _, first, second, *_ = run(SHA256).stdout.splitlines()
    assert first.split() == ["1", NAMES[1], "+20"]
    assert second.split() == ["0", NAMES[0]]


@needs_gcc
def test_options_are_found_by_words() -> None:
    address = f"{SERVER}/play/gcc-kernels-v0/sudoku/?environment=gcc-v0&actions=0.6&q=tree"
    result = run(address, "--find", "tree vrp")
    assert result.exit_code == 0, result.output
    _, _, *rows, counted, command = result.stdout.splitlines()
    assert [row.split()[1:] for row in rows] == [["-ftree-vrp", "+0"], ["-fno-tree-vrp", "+29"]]
    assert counted == "2 have an effect, 0 have none, 0 would fail"
    assert command == "gcc -Os -c program.c -o program.o"


def test_a_state_is_said_beside_its_cost() -> None:
    result = run(f"{SERVER}/play/loop_tool-cpu-v0/1024/?environment=loop_tool-v0&actions=0")
    assert result.exit_code == 0, result.output
    assert "up and down move the cursor from a\n" in result.stdout
    assert "up and down resize a" in result.stdout
