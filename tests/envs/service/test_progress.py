"""The number that tells a client how far a call had come."""

from __future__ import annotations

from optarena.service.processes.supervision import note, noted, progress_file


def test_what_was_noted_last_is_read() -> None:
    with progress_file() as file:
        assert noted(file.fileno()) == 0
        for unit in (1, 70_000, 2, 0):
            note(file.fileno(), unit)
            assert noted(file.fileno()) == unit
