"""The number that tells a client how far a call had come."""

from __future__ import annotations

import os

from optarena.service.processes.supervision import NO_UNIT, SharedProgress, progress_file, read_unit


def test_what_was_noted_last_is_read() -> None:
    with progress_file() as file:
        session = SharedProgress(file.fileno())
        assert read_unit(file.fileno()) == 0
        for unit in (1, 70_000, 2, 0):
            session.note(unit)
            assert read_unit(file.fileno()) == unit
        session.note(3)
        os.pwrite(file.fileno(), NO_UNIT, 0)
        assert read_unit(file.fileno()) == 0
