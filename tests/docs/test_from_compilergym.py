"""The page for those who come from CompilerGym: each piece of code on its right-hand side is tried."""

from __future__ import annotations

import ast
import importlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest
from click.testing import CliRunner

import optarena
from optarena.cli import main
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.session import LlvmSession
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.envs import LlvmEnv

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/09-from-compilergym.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
CODES = sorted({code for _, right in ROWS for code in re.findall(r"`([^`]+)`", right)})
COMMANDS = [code for code in CODES if re.match(r"optarena \w", code)]
NAMES = ("env", "state", "result", "benchmark", "dataset", "optarena", "gymnasium", "list", "len")
"""What a piece of code that can be tried begins with."""
URI = "benchmark://kernels-v0/quicksort"


def is_tried(code: str) -> bool:
    """Whether this is code, and not the name of something."""
    return "…" not in code and re.match(rf"({'|'.join(NAMES)})[.(]|\[", code) is not None


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the page says its names are."""
    folder = tmp_path_factory.mktemp("page")
    with optarena.make("llvm-v0", benchmark=URI, render_mode="ansi") as env:
        env.reset()
        path = str(cast("LlvmEnv", env).write_bitcode(folder / "program.bc"))
        yield {
            "optarena": optarena,
            "gymnasium": gymnasium,
            "env": env,
            "action": 1,
            "other": 2,
            "uri": URI,
            "path": path,
            "limits": ProcessLimits(),
            "dataset": env.datasets["kernels-v0"],
            "benchmark": env.benchmark,
            "state": env.state,
            "result": env.validate(),
            "service": CompilerGymService(folder, LlvmSession),
        }


def import_what_is_named(code: str) -> None:
    """Import the modules of dotted names, which a reader would do too."""
    for name in re.findall(r"\boptarena(?:\.\w+)+", code):
        parts = name.split(".")
        for end in range(2, len(parts) + 1):
            try:
                importlib.import_module(".".join(parts[:end]))
            except ModuleNotFoundError:
                break


def test_the_page_has_code_to_try() -> None:
    assert len(ROWS) > 80
    assert sum(map(is_tried, CODES)) > 70


@pytest.mark.parametrize("code", [code for code in CODES if is_tried(code)])
def test_code_on_the_right_works(code: str, known: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_DEBUG", os.environ.get("OPTARENA_DEBUG", "0"))
    import_what_is_named(code)
    env = known["env"]
    env.reset()
    if "logger" in code.lower():
        known = known | {"path": known["path"] + ".db"}
    try:
        [statement] = ast.parse(code).body
        if not isinstance(statement, ast.Expr):
            exec(code, dict(known))  # noqa: S102 # of our own page
            return
        made = eval(code, dict(known))  # noqa: S307 # as above
        assert made is not None or code in NOTHING
        if isinstance(made, gymnasium.Env) and made.unwrapped is not env:
            made.close()
    finally:
        optarena.logs.configure()


NOTHING = frozenset(
    {
        "env.error",
        "optarena.register()",
        "optarena.logs.configure(3)",
        "optarena.service.runtime.benchmark_cache.BenchmarkCache().evict_to_capacity()",
    }
)
"""What gives None."""


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_on_the_right_exist(command: str) -> None:
    result = CliRunner().invoke(main, [*command.split()[1:], "--help"])
    assert result.exit_code == 0, result.output


def test_variables_on_the_right_are_described() -> None:
    api = (ROOT / "docs/08-api.md").read_text()
    variables = [code for code in CODES if code.startswith("OPTARENA_")]
    assert len(variables) == 5
    assert all(f"`{variable}`" in api for variable in variables)


def test_errors_on_the_left_are_not_ours_under_the_same_name() -> None:
    section = PAGE.partition("## Errors")[2].partition("\n## ")[0]
    renamed = [row for row in section.splitlines() if row.startswith("| `") and "the same" not in row]
    names = [name for row in renamed for name in re.findall(r"`(\w+)`", row.split(" | ")[0])]
    assert len(names) > 7
    assert not [name for name in names if hasattr(optarena.errors, name)]
