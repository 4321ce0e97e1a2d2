"""The options of a service: what they mean together, and where its token comes from."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from optarena.errors import InvalidInput
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.runtime.create_and_run import ServeOptions, parse_arguments


def test_arguments_may_be_given_in_both_forms(tmp_path: Path) -> None:
    for arguments in (["--working_dir", str(tmp_path), "-v", "2"], [f"--working_dir={tmp_path}", "--v=2"]):
        options = parse_arguments(arguments)
        assert (options.working_dir, options.verbosity, options.transport) == (tmp_path, 2, "tcp")
    assert parse_arguments([]).transport == "private"
    assert parse_arguments(["--unix", "x"]).transport == "unix"
    assert not parse_arguments(["--bind=localhost"]).is_public
    assert not parse_arguments(["--bind=[::1]"]).is_public
    assert parse_arguments(["--bind=::"]).is_public


@pytest.mark.parametrize(
    ("text", "message"), [("", "is empty"), ("two words", "spaces"), (None, "No such file")]
)
def test_a_token_file_must_hold_a_token(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "token"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InvalidInput, match=message):
        ServeOptions(token_file=path).token()


def test_the_variable_holds_the_token_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, " secret-2 ")
    assert ServeOptions().token() == "secret-2"
    monkeypatch.delenv(TOKEN_VARIABLE)
    assert ServeOptions().token() == ""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"grace_seconds": math.inf}, "--grace-seconds inf is out of range.*0 to 3600"),
        ({"grace_seconds": math.nan}, "--grace-seconds nan is out of range"),
        ({"grace_seconds": -1.0}, "--grace-seconds -1.0 is out of range"),
        ({"idle_seconds": 1e300}, r"--idle-seconds 1e\+300 is out of range"),
        ({"unix": Path()}, "--unix '.' does not name a file"),
        ({"unix": Path("/")}, "--unix '/' does not name a file"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_starts(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        ServeOptions(**given)
