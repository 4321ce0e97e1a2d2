"""The README and the manual: examples run, links lead somewhere, figures and tables are right."""

from __future__ import annotations

import ast
import csv
import importlib
import io
import itertools
import json
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest
from click.testing import CliRunner

import optarena
from baselines.reading import committed, geometric_mean
from datasets.builder.suite import read_suite
from leaderboard.submissions.documents import ITEM
from optarena import make
from optarena.agents.catalogue import AGENTS
from optarena.cli import main
from optarena.datasets import datasets
from optarena.documents.places import Place
from optarena.gcc.options import UNSET
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.session import LlvmSession
from optarena.service.session_process.compiler_gym_service import CompilerGymService
from optarena.specs import environment_spec, environment_specs
from optarena.specs.results import REASONS
from optarena.state import read_states
from tests.kit.folders import EXAMPLES, ROOT
from tests.kit.gcc import needs_gcc

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

    from optarena.envs import LlvmEnv

PAGES = [
    *(
        ROOT / name
        for name in ("README.md", "AGENTS.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "THREAT_MODEL.md")
    ),
    *sorted(ROOT.glob("docs/*.md")),
]
TOOLS_CHAPTER = ROOT / "docs/17-agents-that-use-tools.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    """Every code block of a language, with the page it is on."""
    return [
        (page.name, text)
        for page in PAGES
        for kind, text in BLOCK.findall(page.read_text())
        if kind == language
    ]


def first_of_each_page() -> Iterator[ParameterSet]:
    """Each block; the default run takes the first of a page, and none that takes long."""
    seen = {"13-gpu-kernels.md", "14-agents.md", TOOLS_CHAPTER.name}
    for page, code in blocks("python"):
        yield pytest.param(page, code, id=page, marks=pytest.mark.soak if page in seen else ())
        seen.add(page)


@pytest.mark.parametrize(("page", "code"), list(first_of_each_page()))
def test_python_example_runs(page: str, code: str, tmp_path: Path) -> None:
    # Some start `optarena`, as a shell does whose environment is active.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", code],
        cwd=tmp_path,
        # gRPC notes on stderr that a server has ended, at times.
        env={**os.environ, "PATH": path, "PYTHONPATH": str(EXAMPLES), "GRPC_VERBOSITY": "ERROR"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert done.stderr == ""


def test_quoted_code_is_in_the_examples() -> None:
    quoted = blocks("py")
    assert len(quoted) > 5
    sources = [path.read_text() for path in EXAMPLES.glob("*/*.py")]
    for page, text in quoted:
        assert any(text in source for source in sources), f"{page}: {text}"


def test_the_examples_of_states_files_are_valid(tmp_path: Path) -> None:
    (_, text), (_, finer) = blocks("csv")
    metrics = environment_spec("llvm-ic-v0").metric_names
    assert read_states(text, format="csv", metrics=metrics)[0].claims
    file = tmp_path / "results.csv"
    for content, board in ((text, "llvm-ic"), (finer, "llvm-finer")):
        file.write_text(content)
        result = CliRunner().invoke(main, ["validate", str(file), "--board", board, "--repeats", "1"])
        assert result.exit_code == 0, result.output
        assert result.stdout.count("verified") == len(content.splitlines()) - 1
        assert next(iter(csv.DictReader(io.StringIO(content))))["commandline"].startswith("opt ")


def test_the_example_of_an_item_with_its_action_space_can_be_submitted() -> None:
    [item] = [json.loads(text) for page, text in blocks("json") if page == "03-submitting.md"]
    place = Place()
    assert ITEM.read(item, place)
    assert not place.problems
    spec = environment_spec("llvm-finer-v0")
    assert spec.ranked_actions(item["actions"], item["action_space"])[0] == item["action_space"]


def test_the_example_of_a_suite_can_be_read_as_it_is(tmp_path: Path) -> None:
    page = "11-datasets.md"
    toml = next(text for name, text in blocks("toml") if name == page)
    [driver] = [text for name, text in blocks("c") if name == page]
    folder = tmp_path / "mine-v0"
    (folder / "drivers").mkdir(parents=True)
    (folder / "suite.toml").write_text(toml)
    (folder / "drivers/siphash-keys.c").write_text(driver)
    suite = read_suite(folder)
    qoi, own = suite.programs
    assert (suite.name, qoi.name, own.name) == ("mine-v0", "qoi", "siphash-keys")
    assert own.text.decode() == driver
    assert len(own.workloads) == 3


def test_every_command_of_the_manual_exists() -> None:
    lines = [line for _, text in blocks("sh") for line in text.splitlines()]
    commands = {found for line in lines for found in re.findall(r"\boptarena (\w+)", line)}
    commands -= {"envs"}
    assert {"validate", "submit", "replay", "signup"} <= commands
    for line in (line for line in lines if line.startswith("optarena ")):
        words = shlex.split(line, comments=True)[1:]
        before_options = itertools.takewhile(lambda word: not word.startswith("-"), words)
        help_text = CliRunner().invoke(main, [*before_options, "--help"]).output
        for word in words:
            assert not word.startswith("--") or word in help_text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_environment_is_in_the_manual() -> None:
    text = (ROOT / "docs/02-environments.md").read_text()
    for spec in environment_specs():
        assert f"`{spec.id}`" in text


def test_every_setting_is_in_the_manual() -> None:
    text = "".join(page.read_text() for page in PAGES)
    used = {
        name
        for path in (ROOT / "leaderboard/settings").glob("*.py")
        for name in re.findall(r'"OPTARENA(_\w+)"', path.read_text())
    }
    assert len(used) > 15
    assert {name for name in used if name not in text} == set()


def test_every_reason_has_a_remedy() -> None:
    for reason in REASONS.values():
        assert reason.meaning.endswith(".")
        assert reason.remedy.endswith(".")


AGENTS_CHAPTER = (ROOT / "docs/14-agents.md").read_text()


@pytest.mark.soak  # the same commands are tried one by one in tests/deploy
def test_a_kernel_is_deployed_as_the_chapter_shows(tmp_path: Path) -> None:
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")
    commands = "\n".join(text for page, text in blocks("sh") if page == "16-deploying.md")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e", "-c", commands],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    plain, chosen = re.findall(r"^\.text +(\d+)", done.stdout, re.MULTILINE)
    assert re.search(r"lzhuff\.c +code .* 1\.0[3-9]\d$", done.stdout, re.MULTILINE)
    chapter = (ROOT / "docs/16-deploying.md").read_text()
    assert f"has {int(chosen):,} bytes instead of {int(plain):,}" in chapter


def test_an_agent_gets_the_answers_of_the_transcript(tmp_path: Path) -> None:
    script = next(text for page, text in blocks("python") if page == TOOLS_CHAPTER.name)
    [transcript] = [text for page, text in blocks("text") if page == TOOLS_CHAPTER.name]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip() == transcript.rstrip()


def test_every_tool_is_in_the_table_with_its_arguments() -> None:
    from optarena.tools.mcp_server import tool_descriptions  # noqa: PLC0415 - every process of a run collects this file

    table = TOOLS_CHAPTER.read_text().partition("\n## The tools\n")[2].partition("\n## ")[0]
    shown = re.findall(r"^\| `(\w+)` \|([^|]*)\|", table, re.MULTILINE)
    assert [(name, re.findall(r"`(\w+)`", arguments)) for name, arguments in shown] == [
        (one.name, list(one.schema["properties"])) for one in tool_descriptions()
    ]


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_minus_oz_is_beaten_by_the_commands_of_the_chapter(tmp_path: Path) -> None:
    section = AGENTS_CHAPTER.partition("## Beat -Oz in ten minutes")[2]
    found = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert found
    lines = [line for line in found[1].splitlines() if "--minutes" not in line]
    assert len(lines) == 3
    printed = ""
    for line in lines:
        command = [sys.executable, "-m", *shlex.split(line)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed += done.stdout
    ratios = [float(ratio) for ratio in re.findall(r"geometric mean +(\S+)", printed)]
    assert len(ratios) == 2
    assert min(ratios) > 1
    assert "1 of 1 states are valid" in printed


def test_every_agent_is_described() -> None:
    for agent in AGENTS:
        assert f"| `{agent.name}` |" in AGENTS_CHAPTER


def test_the_table_of_baselines_has_the_committed_figures() -> None:
    tables = AGENTS_CHAPTER.partition("## Baselines")[2].partition("\n## ")[0].split("\n### ")[1:]
    shown = {tuple(re.findall("`(.*?)`", table.partition("\n")[0])): table for table in tables}
    for one in committed():
        ratios = one.ratios
        every = sorted(ratios.values())
        held = [
            value for uri, value in ratios.items() if datasets().benchmark(uri).split not in {"train", ""}
        ]
        figures = [geometric_mean(part) for part in (every, every[:-1], held) if part]
        told = " | ".join(f"{figure:.4f}" for figure in figures)
        row = f"| `{one.agent}` | {one.compilations} | {told} |"
        assert row in shown[one.board.slug, one.board.dataset], row


def test_the_readme_has_the_best_committed_results() -> None:
    table = (ROOT / "README.md").read_text().partition("## Search with an agent")[2].partition("\n## ")[0]
    found = [one for one in committed() if one.name.startswith("llvm-ic/")]
    means = sorted(
        ((geometric_mean(list(one.ratios.values())), one) for one in found), key=lambda pair: -pair[0]
    )
    rows = [f"| `{one.agent}` | {one.compilations} | {mean:.4f} |" for mean, one in means]
    assert [row for row in rows if row in table][:3] == rows[:3]
    assert table.count("\n| `") == sum(row in table for row in rows)


def test_the_demo_takes_as_long_as_the_readme_says() -> None:
    text, printed = (ROOT / "README.md").read_text(), (ROOT / "benchmarks/results/demo.txt").read_text()
    [first] = re.findall(r"^Board after (\d+) s", printed, re.MULTILINE)
    [total] = re.findall(r"^total +(\S+)", printed, re.MULTILINE)
    assert "./run demo     # in about two minutes" in text
    assert "ready after a minute" in text
    assert float(total) < 120
    assert int(first) < 60


[CLIMB] = [one for one in committed() if (one.board.slug, one.agent) == ("gcc-codesize", "hill-climb")]
COST = "load_size_bytes"


@pytest.mark.soak
@needs_gcc
def test_no_option_of_a_drawn_command_line_can_go() -> None:
    [state] = random.sample(CLIMB.states, 1)
    env: Any = make("gcc-v0", benchmark=state.benchmark)
    with env:
        env.reset()
        env.multistep(env.environment.action_table.parse(state.commandline))
        found = env.choices
        assert env.observation[COST] == state.claims[COST]
        for option, choice in enumerate(found[1:], start=1):
            if choice != UNSET:
                env.choices = (*found[:option], UNSET, *found[option + 1 :])
                assert env.observation[COST] > state.claims[COST], state


MIGRATION = (ROOT / "docs/09-from-compilergym.md").read_text()
MIGRATION_ROWS = [line.strip("| ").split(" | ") for line in MIGRATION.splitlines() if line.startswith("| ")]
CODES = sorted({code for _, right in MIGRATION_ROWS for code in re.findall(r"`([^`]+)`", right)})
NAMES = ("env", "state", "result", "benchmark", "dataset", "optarena", "gymnasium", "list", "len")
"""What a piece of code that can be tried begins with."""
URI = "benchmark://kernels-v0/quicksort"


def is_tried(code: str) -> bool:
    """Whether this is code, and not the name of something."""
    return "…" not in code and re.match(rf"({'|'.join(NAMES)})[.(]|\[", code) is not None


def test_commands_on_the_right_exist_and_variables_are_described() -> None:
    assert len(MIGRATION_ROWS) > 80
    assert sum(map(is_tried, CODES)) > 70
    for command in (code for code in CODES if re.match(r"optarena \w", code)):
        result = CliRunner().invoke(main, [*command.split()[1:], "--help"])
        assert result.exit_code == 0, result.output
    variables = [code for code in CODES if code.startswith("OPTARENA_")]
    assert len(variables) == 5
    pages = [(ROOT / "docs" / name).read_text() for name in ("01-first-steps.md", "08-api.md")]
    assert all(any(f"`{variable}`" in page for page in pages) for variable in variables)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
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
