"""Session types by name: of modules and of files, and the names of classes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from fake_compiler import FakeSession

from optarena.errors import InvalidInput, UnknownName
from optarena.service import session_types

if TYPE_CHECKING:
    from pathlib import Path


def test_a_session_type_of_a_module_is_named_by_it() -> None:
    assert session_types.name_of(FakeSession) == "fake_compiler:FakeSession"


@pytest.mark.parametrize(
    ("name", "why"),
    [("/nowhere/x.py:Session", "there is no file"), (f"{__file__}:Nothing", "Nothing")],
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
    with pytest.raises(RuntimeError, match="not today"):
        session_types.load(f"{tmp_path}/bad.py:Session")
    (tmp_path / "none.py").write_text("Session = 3")
    with pytest.raises(UnknownName, match="no subclass"):
        session_types.load(f"{tmp_path}/none.py:Session")
