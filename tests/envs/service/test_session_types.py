"""Session types by name: of modules and of files, and the names of classes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from fake_compiler import FakeSession

from optarena.errors import InvalidInput, ServiceError, UnknownName
from optarena.service.client.connection import ManagedConnection
from optarena.service.session_process import session_types

if TYPE_CHECKING:
    from pathlib import Path


def test_a_session_type_of_a_module_is_named_by_it() -> None:
    assert session_types.name_of(FakeSession) == "fake_compiler:FakeSession"


@pytest.mark.parametrize(
    ("name", "why"),
    [("/nowhere/x.py:Session", "does not exist"), (f"{__file__}:Nothing", "Nothing")],
)
def test_session_types_of_files_that_are_not_there(name: str, why: str) -> None:
    with pytest.raises(UnknownName, match=why):
        session_types.load(name)


def test_a_class_of_a_function_has_no_name() -> None:
    class Inner(FakeSession):
        """Nobody else can find it."""

    with pytest.raises(InvalidInput, match="top level of a module or script"):
        session_types.name_of(Inner)


def test_a_file_is_run_once_as_a_module_that_is_not_the_main_program(tmp_path: Path) -> None:
    path = tmp_path / "service-without-suffix"
    path.write_text(
        "from fake_compiler import FakeSession\n"
        "class First(FakeSession): pass\n"
        "class Second(FakeSession): module = __name__\n"
    )
    first, second = (session_types.load(f"{path}:{name}") for name in ("First", "Second"))
    assert first.__module__ == second.__module__ != "__main__"
    assert sys.modules[first.__module__].__file__ == str(path)
    assert session_types.is_from_file(first)
    assert not session_types.is_from_file(FakeSession)


def test_a_file_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("raise RuntimeError('not today')")
    with pytest.raises(ServiceError, match=r"RuntimeError: not today \(.*/bad\.py, line 1\)"):
        session_types.load(f"{tmp_path}/bad.py:Session")
    (tmp_path / "none.py").write_text("Session = 3")
    with pytest.raises(UnknownName, match="not a subclass"):
        session_types.load(f"{tmp_path}/none.py:Session")


FAILURES = [
    ("x = 1\n{}['x']\n", r"KeyError: 'x' \(.*/MODULE\.py, line 2\)"),
    ("\nint('three')\n", r"ValueError: invalid literal .* \(.*/MODULE\.py, line 2\)"),
    ("import json\n\njson.loads('{')\n", r"JSONDecodeError: .* \(.*/MODULE\.py, line 3\)"),
    (
        "import no_such_module_at_all\n",
        r"ModuleNotFoundError: No module named 'no_such.*MODULE\.py, line 1\)",
    ),
    ("import sys\nsys.exit(3)\n", r"SystemExit: 3 \(.*/MODULE\.py, line 2\)"),
    ("def f(:\n", r"SyntaxError: .*\(MODULE\.py, line 1\)"),
    ("import os\nos.nothing\n", r"AttributeError: .*'nothing' \(.*/MODULE\.py, line 2\)"),
]


@pytest.mark.parametrize(("number", "code", "message"), [(n, *each) for n, each in enumerate(FAILURES)])
def test_an_error_in_a_module_is_told_with_its_place_and_is_no_missing_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str, message: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    module = f"failing_module_{number}"
    (tmp_path / f"{module}.py").write_text(code)
    begin = f"^Session type '{module}:Session' cannot be loaded: its module raises "
    with pytest.raises(ServiceError, match=begin + message.replace("MODULE", module)):
        session_types.load(f"{module}:Session")
    with pytest.raises(ServiceError, match=begin + message.replace("MODULE", module)):
        ManagedConnection.open(f"{module}:Session")


@pytest.mark.parametrize(
    "name", ["no_such_module_x:A", "fake_compiler.inner:A", "fake_compiler:Nobody", ":A", "..x:A", "A", ""]
)
def test_only_what_is_not_there_cannot_be_found(name: str) -> None:
    with pytest.raises(UnknownName, match="cannot be found"):
        session_types.load(name)
