"""What is told of what a process wrote before its end."""

from __future__ import annotations

import signal

import pytest

from optarena.errors import ServiceError, SessionKilled, SessionTimeout
from optarena.isolation.limits import ProcessLimits
from optarena.service.processes.exit_status import ExitStatus, ending_error, last_lines, quote_output

TRACEBACK = """\
Traceback (most recent call last):
  File "/home/me/secret.py", line 3, in <module>
    raise KeyError("x")
    ~~~~~^^^^^^^^^^^^^^
KeyError: 'x'
"""
CHAINED = f"{TRACEBACK}\nDuring handling of the above exception, another exception occurred:\n\n{TRACEBACK}"


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("", ""),
        ("one\n\n  two\n", ": one |   two"),
        (TRACEBACK, ": KeyError: 'x'"),
        (f"before\n{TRACEBACK}after\n", ": before | KeyError: 'x' | after"),
        (TRACEBACK.split("\n", 1)[1], ": KeyError: 'x'"),
        (CHAINED, ": KeyError: 'x' | KeyError: 'x'"),
        (
            "2026-11-21 17:32:15.502Z D optarena.service.session[8341]: Step: 45 ms\nassert failed\n",
            ": assert failed",
        ),
        ("1\n2\n3\n4\n5\n6\n", ": 2 | 3 | 4 | 5 | 6"),
    ],
)
def test_the_last_lines_are_told_without_tracebacks(output: str, told: str) -> None:
    assert last_lines(output) == told


def test_no_line_of_a_quotation_can_be_taken_for_a_line_of_the_log() -> None:
    assert quote_output("a\n2026 E: fake\x1b[31m\r\n") == "    | a\n    | 2026 E: fake\\x1b[31m"


LIMITS = ProcessLimits(cpu_seconds_per_call=0.5, cpu_seconds_total=7)
UNLIMITED = ProcessLimits(cpu_seconds_per_call=None)


@pytest.mark.parametrize(
    ("number", "used", "limits", "kind", "told"),
    [
        (signal.SIGPROF, 3.0, LIMITS, SessionTimeout, "more than 0.5 s of CPU time in one unit of work"),
        (signal.SIGXCPU, 7.0, LIMITS, SessionTimeout, "more than 7 s of CPU time in its life"),
        (signal.SIGKILL, 8.0, LIMITS, SessionTimeout, "more than 7 s of CPU time in its life"),
        (signal.SIGXCPU, 7.0, UNLIMITED, SessionTimeout, "more CPU time than allowed"),
        (signal.SIGKILL, 6.9, LIMITS, SessionKilled, "SIGKILL"),
        (signal.SIGKILL, None, LIMITS, SessionKilled, "SIGKILL"),
        (signal.SIGKILL, 8.0, UNLIMITED, SessionKilled, "SIGKILL"),
    ],
)
def test_the_limit_on_cpu_time_that_was_reached_is_named(
    number: int, used: float | None, limits: ProcessLimits, kind: type[ServiceError], told: str
) -> None:
    """If nobody knows how much a process used, it was lost with its zygote."""
    error = ending_error(ExitStatus(None, number, used), "", limits)
    assert type(error) is kind
    assert told in str(error)
