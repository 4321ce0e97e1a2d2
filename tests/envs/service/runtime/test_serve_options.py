"""The options of a service: what they mean together, and where its token comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from optarena.errors import InvalidInput
from optarena.service.options import TOKEN_VARIABLE
from optarena.service.runtime.create_and_run import parse_arguments
from optarena.service.runtime.serve_options import ServeOptions

if TYPE_CHECKING:
    from pathlib import Path


def test_arguments_may_be_given_in_both_forms(tmp_path: Path) -> None:
    for arguments in (["--working_dir", str(tmp_path), "-v", "2"], [f"--working_dir={tmp_path}", "--v=2"]):
        options = parse_arguments(arguments)
        assert (options.working_dir, options.verbosity, options.carrier) == (tmp_path, 2, "tcp")
    assert parse_arguments([]).carrier == "private"
    assert parse_arguments(["--unix", "x"]).carrier == "unix"
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
