"""The guides and the page on stability name only what is there, and all of it."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pytest
from click import Context
from django.core.management import get_commands

from optarena.cli.app import COMMANDS, main
from optarena.datasets.manifest import SCHEMA
from optarena.llvm.description import ENVIRONMENTS
from optarena.specs.environment import COMMANDS as OF_COMPILERS
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

RUN_COMMANDS: Final = re.findall(r"\b[a-z]+(?=[a-z| ]*\)$)", (ROOT / "run").read_text(), re.MULTILINE)
GUIDES: Final = (
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "THREAT_MODEL.md",
    "docs/extending.md",
    "docs/glossary.md",
)
CODE: Final = ("envs", "leaderboard", "runner", "datasets", "baselines", "tests", "examples", "benchmarks")

BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN: Final = re.compile(r"`([^`]+)`")
SUFFIXES: Final = "py|toml|md|html|css|js|json|yml|proto|lock|txt|c|ll"
FILE: Final = re.compile(rf"[\w-]+(?:/[\w.-]+)*\.(?:{SUFFIXES})(?::[A-Za-z_][\w.-]*)?")
FOLDER: Final = re.compile(r"\.?[\w-]+(?:/[\w.-]+)*/|[\w-]+(?:/[\w.-]+)+")
MODULE: Final = re.compile(r"(?:optarena|leaderboard|runner|datasets)(?:\.\w+)+")
NAME: Final = re.compile(r"(?:[A-Z][a-z0-9]+){2,}(?:\.\w+)?|OPTARENA_[A-Z_]+")
COMMAND: Final = re.compile(r"(?:\./run|python|manage\.py|optarena|lint-imports)(?: .+)?")
PLACEHOLDER: Final = re.compile(r"NAME|DEVICE")
"""A word that stands for a name that the reader chooses."""


def spans(guide: str) -> list[str]:
    """Everything that a guide marks as code: words in a line, and the lines of shell blocks."""
    text = (ROOT / guide).read_text()
    shell = (code for language, code in BLOCK.findall(text) if language == "sh")
    lines = [line.partition("#")[0].strip() for code in shell for line in code.splitlines()]
    words = [span.replace("\n", " ") for span in SPAN.findall(BLOCK.sub("", text))]
    return [line for line in lines if line] + words


@cache
def definitions(path: Path) -> frozenset[str]:
    """What a Python file defines: functions, classes with their members, and names that are assigned."""

    def names(body: list[ast.stmt], prefix: str) -> set[str]:
        found: set[str] = set()
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                found |= names(node.body, f"{prefix}{node.name}.")
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            found |= {prefix + target.id for target in targets if isinstance(target, ast.Name)}
        return found

    return frozenset(names(ast.parse(path.read_text()).body, ""))


@cache
def names_of_files() -> frozenset[str]:
    """The names of all files and folders with code, wherever they are."""
    return frozenset(path.name for folder in CODE for path in (ROOT / folder).rglob("*"))


def missing_file(span: str) -> str:
    """Why a file or folder, or what a file should define, does not exist; empty if it does."""
    path, _, name = span.rstrip("/").partition(":")
    if placeholder := PLACEHOLDER.search(path):
        path, name = path[: placeholder.start()].rpartition("/")[0], ""
    file = ROOT / path
    if "/" not in path and not file.exists():
        return "" if path in names_of_files() else f"nothing is called {path}"
    if not file.exists():
        return f"there is no {path}"
    if not name:
        return ""
    known = definitions(file) if file.suffix == ".py" else file.read_text()
    return "" if name in known else f"{path} has no {name}"


def missing_module(name: str) -> str:
    """Why a module, or an attribute of one, does not exist; empty if it does."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[end:]:
            if not hasattr(found, attribute):
                return f"{found.__name__} has no {attribute}"
            found = getattr(found, attribute)
        return ""
    return "there is no such module"


def missing_command(command: str) -> str:
    """Why a command line cannot be run: its command or one of its files does not exist; empty if it can."""
    program, *words = command.split()
    if program == "python" and words[:1] == ["manage.py"]:
        program, words = words[0], words[1:]
    if program == "manage.py" and words and words[0] not in get_commands():
        return f"manage.py has no command {words[0]}"
    if program == "optarena" and words and words[0] not in {*COMMANDS, *OF_COMPILERS}:
        return f"optarena has no command {words[0]}"
    if program == "./run" and words and words[0] not in RUN_COMMANDS:
        return f"./run has no command {words[0]}"
    files = (word for word in words if word.startswith(tuple(f"{folder}/" for folder in CODE)))
    return next((f"there is no {word}" for word in files if missing(word)), "")


@cache
def names_in_code() -> frozenset[str]:
    """Classes with their members, and environment variables."""
    files = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    own = (path.read_text() for path in files if not path.is_relative_to(ROOT / "tests"))
    variables = {name for text in own for name in re.findall(r"OPTARENA_[A-Z_]+", text)}
    return frozenset(variables.union(*map(definitions, files)))


def missing_name(name: str) -> str:
    """Why there is no such class, member of one, or environment variable; empty if there is."""
    return "" if PLACEHOLDER.search(name) or name in names_in_code() else f"nothing of ours is called {name}"


CHECKS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]] = (
    (COMMAND, missing_command),
    (FILE, missing_file),
    (MODULE, missing_module),
    (FOLDER, missing_file),
    (NAME, missing_name),
)


def missing(span: str) -> str:
    """Why what a guide names does not exist; empty if it does, or if it is not a name of ours."""
    return next((check(span) for pattern, check in CHECKS if pattern.fullmatch(span)), "")


@pytest.mark.parametrize("guide", GUIDES)
def test_everything_that_a_guide_names_is_there(guide: str) -> None:
    named = spans(guide)
    assert len(named) > 20
    assert {span: why for span in named if (why := missing(span))} == {}


def test_what_is_not_there_is_found() -> None:
    files = "nowhere.py envs/optarena/replay.py:nothing envs/optarena/llvm/actions.toml:none nowhere/at_all"
    names = "optarena.specs.NoSpec NoSuchClass CompilerEnv.jump OPTARENA_NOTHING"
    commands = ["manage.py build_nothing", "optarena nothing", "./run nothing", "./run test tests/nowhere"]
    assert [span for span in (*files.split(), *names.split(), *commands) if not missing(span)] == []


def test_every_checklist_ends_with_the_command_that_proves_it() -> None:
    _, *sections = re.split(r"^## ", (ROOT / "docs/extending.md").read_text(), flags=re.MULTILINE)
    assert len(sections) >= 11
    for section in sections:
        steps = re.findall(r"^(\d+)\. ", section, flags=re.MULTILINE)
        assert steps == [str(number) for number in range(1, len(steps) + 1)], section
        last = section.rpartition(f"\n{steps[-1]}. ")[2]
        assert last.startswith("Prove it: `"), section


def test_the_picture_shows_the_layers_in_force() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = [contract for contract in config["contracts"] if contract["type"] == "layers"]
    [package] = [one["layers"] for one in layers if one.get("containers") == ["optarena"]]
    [apps] = [one["layers"] for one in layers if "containers" not in one]
    pictures = [code for language, code in BLOCK.findall((ROOT / "ARCHITECTURE.md").read_text())]
    [picture] = [code for code in pictures if code.startswith(apps[0])]
    shown = [re.split(r"\s{2,}", line.strip())[0] for line in picture.splitlines() if line.strip()]
    assert shown == [*apps, *package]


STABILITY = (ROOT / "docs/stability.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", STABILITY, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_every_module_that_is_named_exists() -> None:
    names = set(re.findall(r"`(optarena(?:\.\w+)+)[`(]", STABILITY))
    assert len(names) > 15
    # In a process of their own: a module with native code must not depend on what other tests have loaded.
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", IMPORTING, *sorted(names)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


IMPORTING = """
import importlib, sys
for name in sys.argv[1:]:
    home, _, last = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        assert hasattr(importlib.import_module(home), last), name
"""


def test_what_the_manual_imports_is_promised() -> None:
    promised = set(re.findall(r"`(optarena(?:\.\w+)+)`", section("Stable") + section("Provisional")))
    for page in set((ROOT / "docs").glob("[0-9]*.md")) | {ROOT / "docs/faq.md", ROOT / "README.md"}:
        text = page.read_text()
        used = set(re.findall(r"`(optarena(?:\.\w+)+)[`(]", text))
        for module, names in re.findall(r"^from (optarena(?:\.\w+)+) import (.+)$", text, re.MULTILINE):
            used |= {f"{module}.{name.strip()}" for name in names.split(",")}
        left = {name for name in used if not any(f"{name}.".startswith(f"{one}.") for one in promised)}
        assert left == set(), page.name


def test_no_module_is_in_two_tiers() -> None:
    stable, provisional, internal = (
        set(re.findall(r"`(optarena(?:\.\w+)+)`", section(title)))
        for title in ("Stable", "Provisional", "Internal")
    )
    assert stable
    assert not stable & provisional
    assert not (stable | provisional) & internal


def test_every_environment_and_command_has_its_tier() -> None:
    stable = section("Stable")
    for spec in ENVIRONMENTS:  # the registry may hold those of plug-ins too
        assert f"`{spec.id}`" in stable
    for command in main.list_commands(Context(main)):  # those of compilers too
        assert re.search(rf"`(optarena )?{command}`", stable + section("Provisional")), command
    assert f"schema {SCHEMA} of" in stable


def test_the_versions_are_those_of_the_project() -> None:
    supported = section("Supported versions")
    low, high = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups()
    versions = ", ".join(f"3.{minor}" for minor in range(int(low), int(high)))
    assert f"| Python | {versions} |" in supported
    [gymnasium] = [line for line in PROJECT["dependencies"] if line.startswith("gymnasium")]
    oldest, limit = re.fullmatch(r"gymnasium>=([\d.]+),<([\d.]+)", gymnasium).groups()
    assert f"| gymnasium | {oldest} and newer, below {limit} |" in supported
    assert f"\nversion: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text()
