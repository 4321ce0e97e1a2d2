"""Programs that are run with a limit."""

from __future__ import annotations

import sys

import pytest

from optarena.service.processes import folders


def test_it_gives_what_a_program_printed_and_how_it_ended() -> None:
    program = (
        "import os, sys; os.write(1, b'in: \\xff ' + sys.stdin.read().encode());"
        "sys.stderr.write('last words'); sys.exit(3)"
    )
    ended = folders.run([sys.executable, "-c", program], seconds=60, given="text", environment={})
    assert ended == folders.Ended(code=3, printed="in: \ufffd text", said="last words")


def test_one_that_hangs_is_killed() -> None:
    with pytest.raises(TimeoutError, match=r"within 0\.5 s"):
        folders.run([sys.executable, "-c", "import time; time.sleep(600)"], seconds=0.5)


def test_the_time_may_begin_anew_with_each_output() -> None:
    program = "import time\nfor one in '123': print(one, flush=True); time.sleep(2)"
    command = [sys.executable, "-c", program]
    assert folders.run(command, seconds=4, anew=True).printed == "1\n2\n3\n"
    with pytest.raises(folders.NotInTime) as caught:
        folders.run(command, seconds=4)
    assert "1\n2\n3\n".startswith(caught.value.printed)
    hangs = "print('begun', flush=True)\nwhile True: pass"
    with pytest.raises(folders.NotInTime) as caught:
        folders.run([sys.executable, "-c", hangs], seconds=4, anew=True)
    assert caught.value.printed == "begun\n"


def test_one_that_does_not_read_is_not_waited_for() -> None:
    assert folders.run([sys.executable, "-c", ""], seconds=60, given="x" * 1_000_000).code == 0


def test_one_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        folders.run(["/nowhere/program"], seconds=1)
