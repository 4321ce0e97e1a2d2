"""The page on stability names what there is: modules, environments, commands, versions."""

from __future__ import annotations

import importlib
import re
import tomllib

from click import Context

from optarena.cli.app import main
from optarena.datasets.manifest import SCHEMA
from optarena.llvm.description import ENVIRONMENTS
from tests.kit.folders import ROOT

TEXT = (ROOT / "docs/stability.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def section(title: str) -> str:
    """The text below a heading, up to the next."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_every_module_that_is_named_exists() -> None:
    names = set(re.findall(r"`(optarena(?:\.\w+)+)[`(]", TEXT))
    assert len(names) > 15
    for name in names:
        home, _, last = name.rpartition(".")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(home), last), name


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
