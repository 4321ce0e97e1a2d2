"""The README and the manual: their examples run, their links lead somewhere, their tables are complete."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from datasets.builder.reading import read_suite
from leaderboard.submissions.documents import ITEM
from optarena.cli import main
from optarena.datasets import datasets
from optarena.documents.places import Place
from optarena.specs import environment_spec, environment_specs
from optarena.specs.results import REASONS
from optarena.state import read_states
from tests.kit.folders import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "THREAT_MODEL.md")),
    *sorted(ROOT.glob("docs/*.md")),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[tuple[str, str]]:
    """Every code block of a language, with the page it is on."""
    return [
        (page.name, text)
        for page in PAGES
        for kind, text in BLOCK.findall(page.read_text())
        if kind == language
    ]


@pytest.mark.parametrize(("page", "code"), blocks("python"), ids=[page for page, _ in blocks("python")])
def test_python_example_runs(page: str, code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(EXAMPLES)},
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


def test_the_number_of_programs_is_right() -> None:
    count = len(list(datasets()["kernels-v0"]))
    for page in ("README.md", "CHANGELOG.md"):
        assert f"{count} " in (ROOT / page).read_text()


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
