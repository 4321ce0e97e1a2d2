"""What stays as it is: identities of results, the shipped IR, the path of a step, what is deprecated."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import gymnasium
import pytest

import optarena
from optarena import deprecation
from optarena.datasets import Dataset, datasets
from optarena.deprecation import OptArenaDeprecationWarning, warn
from optarena.specs import environment_spec
from tests.kit.native import compile_source

PACKAGE = Path(optarena.__file__).parent
RELEASED = json.loads((Path(__file__).parent / "data/digests.json").read_text())


@pytest.mark.parametrize(("slug", "digest"), RELEASED["environments"].items())
def test_the_version_of_an_environment_stays(slug: str, digest: str) -> None:
    assert environment_spec(slug).digest == digest


@pytest.mark.parametrize(("name", "digest"), RELEASED["datasets"].items())
def test_the_content_of_a_dataset_stays(name: str, digest: str) -> None:
    dataset = datasets().find(name)  # it may be deprecated
    if isinstance(dataset, Dataset):
        found = hashlib.sha256((dataset.folder / "manifest.json").read_bytes()).hexdigest()
    else:
        found = dataset.definition()["sha256"]
    assert found == digest


def test_every_environment_and_dataset_of_the_package_is_held() -> None:
    """In a process of its own: other tests register more."""
    listing = (
        "import json; from optarena.datasets import datasets; from optarena.specs import environment_specs; "
        "held = [*datasets().names, *datasets().deprecated]; "
        "print(json.dumps([[spec.slug for spec in environment_specs()], held]))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPTARENA_")}
    environment["OPTARENA_SITE_DATA"] = os.devnull
    done = subprocess.run(
        [sys.executable, "-c", listing], env=environment, capture_output=True, text=True, check=True
    )
    slugs, names = json.loads(done.stdout)
    assert set(slugs) == set(RELEASED["environments"])
    assert set(names) == set(RELEASED["datasets"])


SOURCES = sorted(PACKAGE.rglob("native/*.c"))


def test_three_rooms_have_sources() -> None:
    assert {source.relative_to(PACKAGE).parts[0] for source in SOURCES} == {
        "gpu_kernels",
        "llvm",
        "loop_tool",
    }


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(PACKAGE)))
def test_the_shipped_ir_is_what_the_pinned_clang_makes_of_the_source(source: Path, clang: Path) -> None:
    assert compile_source(source, clang) == source.with_suffix(".ll").read_text()


MOST_FILES = 6
MOST_CALLS = 40


def test_a_step_makes_few_calls_in_few_files() -> None:
    calls: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and Path(code.co_filename).is_relative_to(PACKAGE):
            calls.append((str(Path(code.co_filename).relative_to(PACKAGE)), code.co_qualname))

    made: Any = gymnasium.make("optarena/llvm-ic-v0", observation_space="Autophase")
    with made:
        env = made.unwrapped
        env.reset()
        for action in (3, 5, 7):  # what is asked for the first time takes more calls
            env.step(action)
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            env.step(11)
        finally:
            sys.setprofile(before)
    assert len({file for file, _ in calls}) <= MOST_FILES, calls
    assert len(calls) <= MOST_CALLS, calls


NOTICE = 2
"""Minor releases in which a thing warns before it goes."""
PRESENT = importlib.metadata.version("optarena")


def old_way() -> None:
    warn("old_way()", instead="new_way()", since="0.1", removed_in="0.3")


def test_the_message_says_what_to_use_and_until_when() -> None:
    with pytest.warns(OptArenaDeprecationWarning) as caught:
        old_way()
    [warning] = caught
    assert str(warning.message) == (
        "old_way() is deprecated since OptArena 0.1 and will be removed in 0.3. Use new_way()."
    )
    assert issubclass(OptArenaDeprecationWarning, DeprecationWarning)


def test_the_warning_points_at_the_caller() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        old_way()
    line = Path(__file__).read_text().splitlines()[caught[0].lineno - 1]
    assert caught[0].filename == __file__
    assert line.strip() == "old_way()"


@pytest.mark.parametrize(("caller", "seen"), [("__main__", True), ("some_library", False)])
def test_a_script_sees_it_and_another_library_does_not_show_it(caller: str, *, seen: bool) -> None:
    library = (
        "from optarena.deprecation import warn\n"
        "def old(): warn('old()', instead='new()', since='0.1', removed_in='0.3')\n"
    )
    code = f"exec({library!r})\nexec('old()', {{'old': old, '__name__': {caller!r}}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ("old() is deprecated" in done.stderr) is seen


def release(text: str) -> tuple[int, int]:
    major, minor, *_ = text.split(".")
    return int(major), int(minor)


def notices(source: str, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Where, since when and until when each thing in a module's source is deprecated."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            if "removed_in" in given:
                since, removed = (given.get(name) for name in ("since", "removed_in"))
                assert isinstance(since, ast.Constant), f"{path}:{node.lineno}: write since= out"
                assert isinstance(removed, ast.Constant), f"{path}:{node.lineno}: write removed_in= out"
                yield f"{path}:{node.lineno}", str(since.value), str(removed.value)


def complaint(since: str, removed_in: str, present: str) -> str:
    """What is wrong with a notice, in the release that is being made; empty if nothing."""
    first, last = release(since), release(removed_in)
    if release(present) >= last:
        return f"it was to go in {removed_in}, and this is {present}"
    enough = last[0] > first[0] or last[1] - first[1] >= NOTICE
    return "" if enough else f"from {since} to {removed_in} is less than {NOTICE} minor releases"


def test_every_deprecation_in_the_source_keeps_its_notice() -> None:
    wrong = {}
    for path in PACKAGE.rglob("*.py"):
        if path == Path(deprecation.__file__):
            continue
        source = path.read_text()
        if "removed_in=" not in source:
            continue  # which saves most of the parsing
        for where, since, removed_in in notices(source, str(path.relative_to(PACKAGE))):
            problem = complaint(since, removed_in, PRESENT)
            if problem:
                wrong[where] = problem
    assert wrong == {}


@pytest.mark.parametrize(
    ("since", "removed_in", "present", "problem"),
    [
        ("0.1", "0.3", "0.2.4", ""),
        ("0.1", "0.3", "0.3.0", "was to go"),
        ("0.1", "0.3", "1.0", "was to go"),
        ("0.1", "0.2", "0.1.0", "less than"),
        ("0.9", "1.0", "0.9.1", ""),
    ],
)
def test_the_check_finds_what_is_due_and_what_is_hasty(
    since: str, removed_in: str, present: str, problem: str
) -> None:
    found = complaint(since, removed_in, present)
    assert (problem in found) if problem else not found
