"""Entries of workers: small functions called in processes forked from a zygote."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket


def echo(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Send the payload back, and the same to each descriptor."""
    channel.sendall(payload)
    for descriptor in fds:
        os.write(descriptor, payload)


def sleep(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    time.sleep(600)


def leave(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    raise SystemExit(int(payload))


def fail(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    raise RuntimeError("this entry fails")


def address(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Tell where a function of the C library is."""
    function = ctypes.CDLL(None).qsort
    channel.sendall(str(ctypes.cast(function, ctypes.c_void_p).value).encode())


def talk(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Write a lot to standard output and error."""
    os.write(1, b"out\n" * 2000)
    os.write(2, b"the last words\n")
