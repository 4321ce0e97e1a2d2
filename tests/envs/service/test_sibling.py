"""Tests of processes that are forked for the parent of the one that forks."""

from __future__ import annotations

import subprocess
import sys

import pytest

TREE = """
import ctypes, os, signal, sys, threading
from optarena.service.session_process.session_main import fork_sibling

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
reading, writing = os.pipe()
grandparent = os.getpid()
forker = os.fork()
if forker == 0:
    if sys.argv[1] == "threads":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    if fork_sibling():
        values = [os.getpid(), os.getppid(), len(os.listdir("/proc/self/task"))]
        os.write(writing, repr(values).encode())
        signal.raise_signal(signal.SIGTERM) if sys.argv[2] == "signal" else os._exit(7)
    os._exit(0)
ended = dict(os.wait() for _ in range(2))
pid, parent, threads = eval(os.read(reading, 1000))
assert parent == grandparent, (parent, grandparent)
assert threads == 1, threads
assert os.waitstatus_to_exitcode(ended[forker]) == 0, ended
assert os.waitstatus_to_exitcode(ended[pid]) == (-signal.SIGTERM if sys.argv[2] == "signal" else 7), ended
"""


@pytest.mark.parametrize("threads", ["alone", "threads"])
@pytest.mark.parametrize("end", ["exit", "signal"])
def test_the_new_process_is_a_child_of_the_parent(threads: str, end: str) -> None:
    subprocess.run([sys.executable, "-c", TREE, threads, end], check=True, timeout=60)


FULL = """
import os, resource, sys
from optarena.service.session_process.session_main import fork_sibling

os.setgid(12345); os.setuid(12345)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
try:
    fork_sibling()
except OSError as error:
    print("refused", error.errno)
"""


@pytest.mark.skipif("__import__('os').geteuid() != 0", reason="needs root to become another user")
def test_a_process_that_cannot_be_made_is_an_error() -> None:
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=True)
    assert done.stdout == "refused 11\n"
