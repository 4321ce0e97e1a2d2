"""Folders and logging follow their environment variables."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from optarena import logs, paths

if TYPE_CHECKING:
    from pathlib import Path

VARIABLES = {
    "OPTARENA_SITE_DATA": paths.site_data,
    "OPTARENA_CACHE": paths.cache,
    "OPTARENA_TRANSIENT_CACHE": paths.transient_cache,
    "OPTARENA_LOGS": paths.logs,
}


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_variable_moves_the_folder(variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "x"))
    assert VARIABLES[variable]() == tmp_path / "x"
    assert not (tmp_path / "x").exists()


def test_defaults_lie_below_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.site_data() == tmp_path / ".local/share/optarena"
    assert paths.cache() == tmp_path / ".local/cache/optarena"
    assert paths.logs() == tmp_path / "logs/optarena"
    assert paths.transient_cache().name.startswith("optarena_")


def test_a_tilde_and_an_empty_value_are_understood(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OPTARENA_CACHE", "~/elsewhere")
    assert paths.cache() == tmp_path / "elsewhere"
    monkeypatch.setenv("OPTARENA_CACHE", "")
    assert paths.cache() == tmp_path / ".local/cache/optarena"


@pytest.mark.parametrize(("text", "level"), [("", 0), ("0", 0), ("3", 3), ("99", 4), ("x", 0), ("-1", 0)])
def test_the_debug_level_is_read(text: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(logs.VARIABLE, text)
    assert logs.debug_level() == level


@pytest.mark.parametrize(("level", "shown"), [("0", 0), ("1", 1), ("2", 2), ("3", 3), ("4", 4)])
def test_each_level_shows_one_more_kind_of_message(level: str, shown: int) -> None:
    code = (
        "import logging, optarena; log = logging.getLogger('optarena.x');"
        "[getattr(log, name)(name) for name in ('error', 'warning', 'info', 'debug')]"
    )
    environment = {**os.environ, "OPTARENA_DEBUG": level}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert result.stdout == ""
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [
        "error",
        "warning",
        "info",
        "debug",
    ][:shown]


def test_configuring_twice_doubles_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger(logs.LOGGER_NAME)
    before = (list(logger.handlers), logger.level)
    try:
        monkeypatch.setenv(logs.VARIABLE, "3")
        logs.configure()
        count = len(logger.handlers)
        logs.configure()
        assert len(logger.handlers) == count
    finally:
        logger.handlers, _ = list(before[0]), logger.setLevel(before[1])
