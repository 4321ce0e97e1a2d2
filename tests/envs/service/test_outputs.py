"""Files in memory for what processes write."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from optarena import logs
from optarena.service.processes import supervision

if TYPE_CHECKING:
    import pytest


def test_the_tail_is_the_end() -> None:
    with supervision.stderr_file() as file:
        assert supervision.tail(file) == ""
        file.write(b"a" * 5000 + b"end")
        assert supervision.tail(file) == "a" * 4093 + "end"


def test_a_large_file_is_cut_and_written_on_at_its_end() -> None:
    with supervision.stderr_file() as file:
        file.write(b"a" * (1 << 20))
        supervision.trim(file)
        assert os.fstat(file.fileno()).st_size == 1 << 20
        file.write(b"b")
        supervision.trim(file)
        file.write(b"c")
        assert os.fstat(file.fileno()).st_size == (1 << 16) + 1
        assert supervision.tail(file).endswith("aabc")


def test_what_is_written_is_passed_on_once_while_the_level_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    level = logging.getLogger(logs.LOGGER_NAME).level
    with supervision.stderr_file() as file:
        relay = supervision.Relay(file)
        try:
            monkeypatch.setenv(logs.VARIABLE, "1")
            logs.configure()
            file.write(b"first\n")
            relay.trim()
            relay.trim()
            file.write(b"told elsewhere\n")
            relay.skip()
            file.write(b"a" * (1 << 20) + b"\n")
            relay.trim()
            file.write(b"last\n")
            relay.trim()
        finally:
            monkeypatch.setenv(logs.VARIABLE, "0")
            logs.configure()
            logging.getLogger(logs.LOGGER_NAME).setLevel(level)
        file.write(b"silent\n")
        relay.trim()
    said = capsys.readouterr().err.splitlines()
    assert said == ["first", "a" * (1 << 20), "last"]
