"""Plug-ins: what registers, what is refused, and what is imported because a variable or a package asks."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest

import optarena
from optarena.datasets import datasets
from optarena.errors import InvalidInput, UnknownName
from optarena.registry import after_import
from optarena.specs import (
    Metric,
    ProgramFormat,
    board_specs,
    environment,
    environment_spec,
    environment_specs,
    portable_board_specs,
    program_formats,
)
from tests.kit.examples import slow
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from pathlib import Path

OWN_BOARDS = board_specs()


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
    assert board_specs() == (*OWN_BOARDS, sorting.BOARD)
    assert len(datasets()["sorting-v0"]) == 2
    env = optarena.make("sort-v0")
    assert env.reset()[0] == "5 3 1 4 2"
    observation, reward, *_ = env.step(0)
    assert (observation, reward) == ("3 1 4 2 5", 1.0)
    assert env.unwrapped.commandline() == "sort bubble"  # type: ignore[attr-defined] # the environment's own
    env.close()


@pytest.mark.parametrize("name", ["llvm-ic-v0", "optarena/llvm-ic-v0"])
def test_make_gives_the_environment_itself(name: str) -> None:
    with optarena.make(name, observation_space="InstCount", render_mode="ansi") as env:
        assert type(env) is optarena.envs.LlvmEnv
        assert env.unwrapped is env
        assert (env.environment.slug, env.observation_space_name) == ("llvm-ic-v0", "InstCount")
        assert env.spec.id == "optarena/llvm-ic-v0"
    with optarena.make("loop_tool-v0") as env:
        assert type(env) is optarena.envs.LoopToolEnv


def test_make_refuses_what_is_not_one_of_our_environments() -> None:
    for name, part in (("llvm-icc-v0", "Did you mean 'llvm-ic-v0'"), ("CartPole-v1", "CartPole"), (5, "'5'")):
        with pytest.raises(UnknownName, match=part):
            optarena.make(name)  # type: ignore[arg-type] # one of them is what is tested


@pytest.mark.parametrize("argument", [{"max_episode_steps": 5}, {"disable_env_checker": False}])
def test_make_refuses_gymnasiums_wrappers(argument: dict[str, Any]) -> None:
    with gymnasium.make("optarena/llvm-ic-v0", **argument) as wrapped:
        assert wrapped is not wrapped.unwrapped
    with pytest.raises(InvalidInput, match=f"{next(iter(argument))} makes gymnasium put a wrapper"):
        optarena.make("llvm-ic-v0", **argument)


def test_classes_are_imported_when_they_are_named() -> None:
    code = """
import sys, optarena
from optarena import envs
assert {"GccEnv", "LlvmEnv", "LoopToolEnv"} <= set(dir(envs)) & set(envs.__all__)
assert not {"optarena.env", "optarena.llvm.env", "optarena.loop_tool.env"} & set(sys.modules)
from optarena.envs import LlvmEnv
assert "optarena.loop_tool.env" not in sys.modules
print(LlvmEnv.__module__, optarena.envs.LoopToolEnv.__name__, hasattr(envs, "NoSuchEnv"))
"""
    done = python(code, plugins="")
    assert done.stdout.split() == ["optarena.llvm.env", "LoopToolEnv", "False"], done.stderr


def test_registering_twice_changes_nothing(sorting: Any) -> None:
    sorting.register()
    same = replace(sorting.ENVIRONMENT)
    optarena.register([same], dataset_folders=[sorting.DATASETS], boards=[replace(sorting.BOARD)])
    assert environment_spec("sort-v0") is sorting.ENVIRONMENT
    assert board_specs() == (*OWN_BOARDS, sorting.BOARD)


def test_functions_that_share_a_name_are_told_apart(sorting: Any) -> None:
    def made(number: int) -> Any:
        return lambda *_: number

    def partials() -> list[Any]:
        return [partial(print, 1), partial(print, 2), partial(max, 2)]

    first = [made(1), made(2), lambda *_: 1, lambda *_: 2, *partials()]
    # Written once more: it must not matter in which lines a function stands.
    again = [made(1), made(2), lambda *_: 1, lambda *_: 2, *partials()]
    for function, same in zip(first, again, strict=True):
        known = replace(sorting.ENVIRONMENT, run_workload=function)
        environment.ENVIRONMENTS[sorting.ENVIRONMENT.slug] = known
        optarena.register([replace(known, run_workload=same)])  # as if its module were imported again
        for other in set(first) - {function}:
            with pytest.raises(InvalidInput, match="Another environment"):
                optarena.register([replace(known, run_workload=other)])


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Other"},
        {"compiler": "sort 2.0"},
        {"slug": "llvm-ic-v0"},
        {"reward_space": ""},
        {"traces_costs": False},
        {"run_workload": print},
    ],
)
def test_another_environment_under_a_taken_slug_is_refused(sorting: Any, change: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="Another environment"):
        optarena.register([replace(sorting.ENVIRONMENT, **change)])


def test_of_a_call_that_is_refused_nothing_is_registered(sorting: Any) -> None:
    spec = replace(sorting.ENVIRONMENT, slug="sort-v9")
    board = replace(sorting.BOARD, slug="sort-nine", environment="sort-v9")
    with pytest.raises(InvalidInput, match="Sort!"):
        optarena.register([spec], boards=[board, replace(board, slug="Sort!")])
    assert (environment_specs()[-1], board_specs()[-1]) == (sorting.ENVIRONMENT, sorting.BOARD)
    assert spec.id not in gymnasium.registry
    optarena.register([replace(spec, title="Corrected")], boards=[board])
    assert gymnasium.registry.pop(spec.id)
    assert environment_spec("sort-v9").title == "Corrected"


def test_boards_are_checked_against_their_environment(sorting: Any) -> None:
    for change, error in (
        ({"environment": "none-v0"}, UnknownName),
        ({"metric": "seconds"}, UnknownName),
        ({"environment": "llvm-unsafe-v0", "metric": "ir_instructions"}, InvalidInput),
        ({"slug": "Sort!"}, InvalidInput),
        ({"baseline_level": "O0"}, InvalidInput),
        ({"plausible_ratio": 0.5}, InvalidInput),
        ({"plausible_ratio": float("nan")}, InvalidInput),
        ({"plausible_ratio": "2"}, InvalidInput),
        ({"title": "Other"}, InvalidInput),
        ({"title": None}, InvalidInput),
    ):
        with pytest.raises(error):
            optarena.register([], boards=[replace(sorting.BOARD, **{"slug": "sort", **change})])
    assert board_specs() == (*OWN_BOARDS, sorting.BOARD)


def test_boards_of_portable_entries_are_checked_against_their_environment() -> None:
    before = portable_board_specs()
    for change, error in (
        ({"environment": "none-v0"}, UnknownName),
        ({"metric": "seconds"}, UnknownName),
        ({"environment": "llvm-unsafe-v0"}, InvalidInput),
        ({"environment": "llvm-runtime-v0", "metric": "runtime_seconds"}, InvalidInput),
        ({"slug": "Portable!"}, InvalidInput),
        ({"slug": "entries"}, InvalidInput),
        ({"baseline_level": "O0"}, InvalidInput),
        ({"programs": 0}, InvalidInput),
        ({"programs": 201}, InvalidInput),
        ({"dataset": 3}, InvalidInput),
        ({"slug": before[0].slug, "title": "Other"}, InvalidInput),
    ):
        with pytest.raises(error):
            optarena.register(boards=[replace(before[0], **{"slug": "other", **change})])  # type: ignore[arg-type] # some are wrong
    assert portable_board_specs() == before


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"environments": "sort-v0"}, "environments"),
        ({"environments": 1}, "environments"),
        ({"environments": [1]}, "environments"),
        ({"boards": ["sort"]}, "boards"),
        ({"boards": None}, "boards"),
        ({"dataset_folders": "folder"}, "dataset_folders"),
        ({"dataset_folders": [b"folder"]}, "dataset_folders"),
        ({"dataset_folders": [__file__]}, "dataset_folders"),
        ({"dataset_folders": ["/none"]}, "dataset_folders"),
    ],
)
def test_arguments_of_another_kind_are_named_and_nothing_is_registered(
    sorting: Any, arguments: dict[str, Any], field: str
) -> None:
    new = replace(sorting.ENVIRONMENT, slug="sort-v2")
    with pytest.raises(InvalidInput, match=field) as caught:
        optarena.register(**{"environments": [new], **arguments})
    assert caught.value.field == field
    assert environment_specs()[-1] is sorting.ENVIRONMENT


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({"slug": slug}, "slug") for slug in (5, "sort", "Sort-v1")),
        ({"service": None}, "service"),
        ({"compiler": ""}, "compiler"),
        ({"metrics": ("makespan",)}, "metrics"),
        ({"metrics": ()}, "metrics"),
        ({"metrics": (Metric(name="a", title=cast("Any", 5), unit="", observation="a"),)}, "title"),
        ({"rewards": {}}, "reward_space"),
        ({"metrics": None}, "metrics"),
        ({"rewards": {"x": 1}}, "rewards"),
        ({"action_table": ("bubble",)}, "action_table"),
    ],
)
def test_an_environment_that_cannot_be_is_refused(sorting: Any, change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be registered") as caught:
        optarena.register([replace(sorting.ENVIRONMENT, **{"slug": "sort-v1", **change})])
    assert caught.value.field == field


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


@pytest.mark.soak
def test_a_module_that_imports_optarena_itself_may_be_imported_first() -> None:
    done = python(
        "import sorting, optarena.specs as s; print(s.environment_spec('sort-v0').title)", "sorting"
    )
    assert (done.returncode, done.stdout) == (0, "Sorting\n"), done.stderr


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (None, "imported: ModuleNotFoundError: No module named 'broken'"),
        ("\n1 / 0", "broken.py:2): ZeroDivisionError: division by zero"),
        *slow(
            [
                ("import nothing_here", "broken.py:1): ModuleNotFoundError: No module named 'nothing_here'"),
                ("\n\nimport sys; sys.exit(3)", "broken.py:3): SystemExit: 3"),
                ("raise BaseException('two\\nlines')", "broken.py:1): BaseException: two lines"),
                ("x = (", "broken.py:1): SyntaxError: '(' was never closed"),
                ("import optarena; optarena.register([], dataset_folders=['/none'])", "no folder /none"),
                ("import optarena; optarena.register('x')", "InvalidInput: environments must be a list"),
            ]
        ),
    ],
)
def test_a_module_that_cannot_be_imported_is_one_clear_error(
    content: str | None, cause: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "broken.py").write_text(content)
    code = (
        "import sys\n"
        "try: import optarena\n"
        "except ValueError as error: print(type(error).__name__, error)\n"
        "sys.argv = ['/somewhere/bin/optarena']\n"
        "import optarena.cli"
    )
    done = python(code, "broken", tmp_path)
    start = "$OPTARENA_PLUGINS names 'broken', which cannot be imported"
    assert done.stdout.startswith(f"InvalidInput {start}")
    assert cause in done.stdout
    assert (done.returncode, done.stderr) == (2, done.stdout.replace("InvalidInput", "error:", 1))


@pytest.mark.soak
def test_an_interruption_while_plug_ins_are_imported_stays_one(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise KeyboardInterrupt")
    code = "try: import optarena\nexcept KeyboardInterrupt: print('interrupted')"
    assert python(code, "broken", tmp_path).stdout == "interrupted\n"


def test_a_format_cannot_take_the_place_of_another() -> None:
    before = program_formats()
    with pytest.raises(InvalidInput, match=r"Another format is already registered as '\.c'"):
        optarena.register(formats=[ProgramFormat(suffix=".c", title="Another C")])
    optarena.register(formats=before)
    assert program_formats() == before


LISTED = "any(name.startswith('optarena/') for name in gymnasium.registry)"


def said(code: str) -> str:
    done = python(code, plugins="")
    assert not done.returncode, done.stderr
    return done.stdout.strip()


def test_importing_optarena_loads_nothing_heavy() -> None:
    heavy = {"gymnasium", "numpy", "tarfile", "concurrent.futures"}
    assert said(f"import optarena, sys; print({heavy} & {{*sys.modules}})") == "set()"


@pytest.mark.parametrize(
    "imports",
    ["optarena, gymnasium", *slow(("gymnasium, optarena", "optarena, gymnasium.envs.registration"))],
)
def test_gymnasium_knows_the_environments_in_whichever_order_both_are_imported(imports: str) -> None:
    assert said(f"import {imports}; print({LISTED})") == "True"


def test_functions_are_called_once_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "later_package.py").write_text("value = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    called: list[str] = []
    after_import("later_package", lambda: called.append(f"one {sys.modules['later_package'].value}"))
    after_import("later_package", lambda: called.append("two"))
    assert called == []
    before = len(sys.meta_path)
    import later_package  # type: ignore[import-not-found] # noqa: PLC0415 - what this is about

    assert called == ["one 1", "two"]
    assert len(sys.meta_path) == before - 1
    after_import("later_package", lambda: called.append("at once"))
    assert called[2:] == ["at once"]
    assert later_package.__spec__.origin == str(tmp_path / "later_package.py")
    del sys.modules["later_package"]


def test_a_package_that_cannot_be_imported_may_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "moody_package.py"
    file.write_text("raise OSError('not now')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    called: list[int] = []
    after_import("moody_package", lambda: called.append(1))
    with pytest.raises(OSError, match="not now"):
        __import__("moody_package")
    assert called == []
    file.write_text("value = 1\n")
    __import__("moody_package")
    assert called == [1]
    del sys.modules["moody_package"]
