"""Deprecations: what a caller sees, and that the source keeps the promised notice."""

from __future__ import annotations

import ast
import importlib.metadata
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from optarena import deprecation
from optarena.deprecation import OptArenaDeprecationWarning, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

ENVS = Path(deprecation.__file__).parent
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
    for path in ENVS.rglob("*.py"):
        if path == Path(deprecation.__file__):
            continue
        source = path.read_text()
        if "removed_in=" not in source:
            continue  # which saves most of the parsing
        for where, since, removed_in in notices(source, str(path.relative_to(ENVS))):
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
