"""Reading the files that commands are given: states as CSV or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from optarena.errors import InvalidInput
from optarena.limits import MAX_SUBMISSION_BYTES
from optarena.state import EnvState, decode, read_states

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.specs import EnvironmentSpec


def read_file(path: Path, spec: EnvironmentSpec) -> list[EnvState]:
    """The states of a file; JSON by its name or its first character, else CSV.

    Raises:
        InvalidDocument: With every problem of the file.
        InvalidInput: The file is too large.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MAX_SUBMISSION_BYTES + 1)
    if len(data) > MAX_SUBMISSION_BYTES:
        raise InvalidInput(
            f"{path} has more than {MAX_SUBMISSION_BYTES:,} bytes.",
            field="file",
            value=str(path),
            remedy="Split it.",
        )
    text = decode(data)
    return read_states(text, format=_format(path, text), metrics=spec.metric_names)


def _format(path: Path, text: str) -> Literal["csv", "json"]:
    return "json" if path.suffix.lower() == ".json" or text.lstrip()[:1] in {"{", "["} else "csv"
