"""Reading the files that commands are given: states as CSV or JSON."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Literal

from optarena.datasets import environments_of
from optarena.documents.loading import decode
from optarena.errors import InvalidDocument, InvalidInput
from optarena.limits import MAX_SUBMISSION_BYTES
from optarena.specs import board_specs, environment_spec
from optarena.state import EnvState, format_of, read_rows

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec


_DATASET: Final = re.compile(r"\b(?:benchmark|generator)://([a-z0-9_.-]+)/")


def default_environment() -> str:
    """The environment of states that do not name one: that of the first board."""
    return next(iter(board_specs())).environment


def read_file(path: Path, env: str | None) -> tuple[EnvironmentSpec, list[EnvState]]:
    """The states of a file and their environment; see ``read_file_rows``."""
    spec, rows = read_file_rows(path, env)
    return spec, [state for _, state in rows]


def read_file_rows(path: Path, env: str | None) -> tuple[EnvironmentSpec, list[tuple[int, EnvState]]]:
    """The states of a file with their rows, and their environment.

    The file is JSON if its name or first character says so, else CSV.

    Args:
        path: The file.
        env: The environment, if the user has named it. Otherwise it is the one of the dataset of the file's
            first benchmark, or the default.

    Raises:
        UnknownName: There is no such environment.
        InvalidDocument: Lists every problem of the file.
        InvalidInput: The file is too large, or not a regular file, such as a pipe.
        OSError: It cannot be read.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            message = f"{path} is not a regular file."
            raise InvalidInput(message, field="file", value=str(path), remedy="Save the states in a file.")
        return _rows(file, path, env)


def read_input_rows(env: str | None) -> tuple[EnvironmentSpec, list[tuple[int, EnvState]]]:
    """The same of standard input, until its end; no name says whether it is JSON."""
    return _rows(sys.stdin.buffer, Path("standard input"), env)


def _rows(file: BinaryIO, path: Path, env: str | None) -> tuple[EnvironmentSpec, list[tuple[int, EnvState]]]:
    data = file.read(MAX_SUBMISSION_BYTES + 1)
    if len(data) > MAX_SUBMISSION_BYTES:
        raise InvalidInput(
            f"{path} has more than {MAX_SUBMISSION_BYTES:,} bytes.",
            field="file",
            value=str(path),
            remedy="Split the file.",
        )
    text = decode(data)
    spec = environment_spec(env) if env else _environment_of(text)
    rows, problems = read_rows(text, format=_format(path, text), metrics=spec.claimable_names)
    if problems:
        raise InvalidDocument(problems)
    return spec, rows


def _without_waiting(path: str, flags: int) -> int:
    """Open a file without waiting, even for the writer of a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def _environment_of(text: str) -> EnvironmentSpec:
    default = environment_spec(default_environment())
    found = _DATASET.search(text)
    dataset = found[1] if found else default.dataset
    candidates = environments_of(dataset)
    return default if default in candidates or not candidates else candidates[0]


def _format(path: Path, text: str) -> Literal["csv", "json"]:
    return "json" if text.lstrip()[:1] in {"{", "["} else format_of(path)
