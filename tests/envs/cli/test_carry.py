"""``optarena carry``: states of one release of a compiler in another, on the real thing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from optarena.cli import main
from optarena.errors import InvalidInput
from optarena.llvm.actions import CURATED
from optarena.specs import environment_spec
from optarena.state import EnvState, read_states, write_states
from optarena.validation import carry_state, drift, validate_state
from tests.kit.llvm.releases import LLVM_23, needs_llvm_23

if TYPE_CHECKING:
    from pathlib import Path

SUDOKU = "benchmark://kernels-v0/sudoku"


def _state(*names: str) -> EnvState:
    return EnvState(benchmark=SUDOKU, commandline=CURATED.commandline(map(CURATED.index, names)))


def _carry(file: Path, *words: object) -> Result:
    return CliRunner().invoke(main, ["carry", str(file), "--to", "llvm-23", *map(str, words)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """States that are carried, but for the second, whose pass is gone."""
    states = [_state("sroa", "gvn<no-pre>"), _state("sroa", "mergereturn"), _state("sroa", "simplifycfg")]
    path = tmp_path / "results.csv"
    path.write_text(write_states(states, format="csv"))
    return path


@needs_llvm_23
def test_rows_are_translated_and_replayed_or_refused_with_the_reason(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "carried.csv"
    done = _carry(file, "--output", target, "--json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)["results"]
    assert [one["verdict"] == "refused" for one in found] == [False, True, False]
    assert "unknown function pass 'mergereturn'" in found[1]["reason"]
    carried = read_states(target.read_text(), format="csv", metrics=["ir_instructions"])
    assert [one.claims["ir_instructions"] for one in carried] == [found[0]["after"], found[2]["after"]]
    assert "opt-23 -passes='function(sroa<modify-cfg>),invalidate<all>,function(gvn<no-scalar-pre;" in (
        carried[0].commandline
    )
    assert all(validate_state(one, environment=LLVM_23).ok for one in carried)


@needs_llvm_23
def test_a_file_of_the_former_release_is_named_with_this_command_as_the_remedy(file: Path) -> None:
    done = CliRunner().invoke(main, ["validate", str(file), "--env", "llvm-23-v0"])
    assert done.exit_code == 1
    assert "`optarena carry FILE --to ENVIRONMENT`" in done.output


@needs_llvm_23
def test_a_state_of_another_action_space_is_refused() -> None:
    state = EnvState(benchmark=SUDOKU, commandline="llvm-parameters sroa")
    assert carry_state(state, LLVM_23, "ir_instructions").reason


def test_without_the_release_the_error_says_how_to_get_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_LIBLLVM_23", "/nowhere")
    done = _carry(file)
    assert done.exit_code == 2
    assert "optarena llvm install 23" in done.output


@pytest.mark.parametrize(
    ("words", "said"), [(["--to", "llvm-42"], "llvm-23-v0"), (["--metric", "speed"], "ir_instructions")]
)
def test_what_does_not_exist_is_named_with_what_does(file: Path, words: list[str], said: str) -> None:
    done = _carry(file, *words)
    assert done.exit_code == 2
    assert said in done.output


def test_an_environment_without_a_predecessor_takes_nothing() -> None:
    with pytest.raises(InvalidInput, match=r"no predecessor .*llvm-23-v0"):
        carry_state(_state("sroa"), environment_spec("llvm-ic-v0"), "ir_instructions")


def test_a_value_is_the_same_better_or_worse_by_the_direction_of_its_metric() -> None:
    assert [drift(5, after, lower_is_better=True) for after in (5, 4, 6, None)] == [
        "same",
        "better",
        "worse",
        "refused",
    ]
    assert drift(5, 6, lower_is_better=False) == "better"
