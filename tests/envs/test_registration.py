"""Plug-ins: what registers, what is refused, and modules that are imported because a variable names them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import optarena
from optarena.datasets import datasets
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import board_specs, environment_spec, environment_specs

PLUGINS = Path(__file__).resolve().parents[1] / "plugins"


def python(code: str, plugins: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "OPTARENA_PLUGINS": plugins,
            "PYTHONPATH": os.pathsep.join(map(str, folders or (PLUGINS,))),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_plug_in_brings_environment_dataset_and_board(sorting: Any) -> None:
    assert environment_spec("optarena/sort-v0") is sorting.ENVIRONMENT
    assert environment_specs()[-1] is sorting.ENVIRONMENT
    assert board_specs() == (sorting.BOARD,)
    assert len(datasets()["sorting-v0"]) == 2
    env = gymnasium.make("optarena/sort-v0")
    assert env.reset()[0] == "5 3 1 4 2"
    observation, reward, *_ = env.step(0)
    assert (observation, reward) == ("3 1 4 2 5", 1.0)
    assert env.unwrapped.commandline() == "sort bubble"  # type: ignore[attr-defined] # the environment's own
    env.close()


def test_registering_twice_changes_nothing(sorting: Any) -> None:
    sorting.register()
    same = replace(sorting.ENVIRONMENT)
    optarena.register([same], dataset_folders=[sorting.DATASETS], boards=[replace(sorting.BOARD)])
    assert environment_spec("sort-v0") is sorting.ENVIRONMENT
    assert board_specs() == (sorting.BOARD,)


@pytest.mark.parametrize(
    "change", [{"title": "Other"}, {"compiler": "sort 2.0"}, {"slug": "llvm-ic-v0"}, {"reward_space": ""}]
)
def test_another_environment_under_a_taken_slug_is_refused(sorting: Any, change: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="Another environment"):
        optarena.register([replace(sorting.ENVIRONMENT, **change)])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slug": "sort"}, "slug"),
        ({"slug": "Sort-v1"}, "slug"),
        ({"metrics": ()}, "metrics"),
        ({"rewards": {}}, "reward_space"),
        ({"compiler": ""}, "compiler"),
    ],
)
def test_an_environment_that_contradicts_itself_is_refused(
    sorting: Any, change: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput, match="cannot be registered") as caught:
        optarena.register([replace(sorting.ENVIRONMENT, **{"slug": "sort-v1", **change})])
    assert caught.value.field == field
    assert environment_specs()[-1] is sorting.ENVIRONMENT


def test_boards_are_checked_against_their_environment(sorting: Any) -> None:
    for change, error in (
        ({"environment": "none-v0"}, UnknownName),
        ({"metric": "seconds"}, UnknownName),
        ({"environment": "llvm-unsafe-v0", "metric": "ir_instructions"}, InvalidInput),
        ({"slug": "Sort!"}, InvalidInput),
        ({"baseline_level": "O0"}, InvalidInput),
        ({"title": "Other"}, InvalidInput),
    ):
        with pytest.raises(error):
            optarena.register([], boards=[replace(sorting.BOARD, **{"slug": "sort", **change})])
    assert board_specs() == (sorting.BOARD,)


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no folder"):
        optarena.register([], dataset_folders=[tmp_path / "none"])


def test_the_default_version_is_of_compiler_actions_and_metrics(sorting: Any) -> None:
    spec = sorting.ENVIRONMENT
    assert spec.version_spec() == {
        "compiler": "sort 1.0",
        "action_table": "sort-moves-v0",
        "actions": list(sorting.ACTIONS),
        "metrics": [["makespan", "makespan", 1], ["inversions", "inversions", 1]],
    }
    newer = replace(spec.metrics[1], version=2)
    assert replace(spec, metrics=(spec.metrics[0], newer)).digest != spec.digest
    assert replace(spec, title="Other", description="Other").digest == spec.digest
    assert (spec.cost, spec.cost_metric.unit) == ("makespan", "hours")


def test_modules_that_the_variable_names_are_imported_and_start_nothing() -> None:
    code = (
        "import os, sys, optarena, gymnasium\n"
        "print('optarena/sort-v0' in gymnasium.registry, 'grpc' in sys.modules)\n"
        "print(open(f'/proc/self/task/{os.getpid()}/children').read().split())"
    )
    done = python(code, " sorting,, ")
    assert (done.returncode, done.stdout.split()) == (0, ["True", "False", "[]"]), done.stderr


def test_a_module_that_imports_optarena_itself_may_be_imported_first() -> None:
    done = python(
        "import sorting, optarena.specs as s; print(s.environment_spec('sort-v0').title)", "sorting"
    )
    assert (done.returncode, done.stdout) == (0, "Sorting\n"), done.stderr


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (None, "ModuleNotFoundError: No module named 'broken'"),
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import optarena; optarena.register([], dataset_folders=['/none'])", "There is no folder /none"),
    ],
)
def test_a_module_that_cannot_be_imported_is_one_clear_error(
    content: str | None, cause: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "broken.py").write_text(content)
    done = python("import optarena", "broken", tmp_path)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("optarena.errors.InvalidInput: $OPTARENA_PLUGINS names 'broken', which cannot be")
    assert cause in last
