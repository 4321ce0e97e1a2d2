"""What is told of what a process wrote before its end."""

from __future__ import annotations

import pytest

from optarena.service.processes.exit_status import last_lines, quoted

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
    assert quoted("a\n2026 E: fake\x1b[31m\r\n") == "    | a\n    | 2026 E: fake\\x1b[31m"
