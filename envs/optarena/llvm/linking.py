"""Links modules to one program, in a process of its own: untrusted modules can crash LLVM's readers.

This is the code of a worker that ``linked`` starts by the zygote: it opens no file and sends one frame.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.documents.texts import one_line
from optarena.errors import InvalidInput, OptArenaError
from optarena.llvm.module import Module, prepare
from optarena.llvm.runnable import check_runnable
from optarena.machine_code.libllvm import library
from optarena.service.protocol import wire

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

_SHOWN_CHARACTERS: Final = 500
_EMPTY_REMEDY: Final = "Give the IR of a program, as clang 22 writes it with -S -emit-llvm."


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One module to link: a name for messages, and bitcode or textual IR."""

    name: str
    data: bytes


def order(parts: Sequence[Part], *, runnable: bool) -> bytes:
    """The payload of a worker: the modules, and whether to refuse a program that cannot be run."""
    header = {"parts": [[part.name, len(part.data)] for part in parts], "runnable": runnable}
    return json.dumps(header).encode() + b"\n" + b"".join(part.data for part in parts)


def child_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Links and sends ``null`` and the bitcode, or ``{"name": …, "message": …, "remedy": …}``.

    Args:
        channel: Receives the one frame.
        payload: The result of :func:`order`.
        fds: Unused.
    """
    del fds
    head, _, data = payload.partition(b"\n")
    header = json.loads(head)
    parts, start = [], 0
    for name, length in header["parts"]:
        parts.append(Part(name=name, data=data[start : start + length]))
        start += length
    wire.send(channel, _made(parts, runnable=header["runnable"]))


def _made(parts: Sequence[Part], *, runnable: bool) -> bytes:
    name = ""
    try:
        modules = []
        for part in parts:
            name = part.name
            modules.append(_checked(part.data))
        name = ", ".join(part.name for part in parts)
        bitcode = _prepared(_linked(modules))
        if runnable:
            check_runnable(bitcode)
    except OptArenaError as error:
        text, remedy = str(error), ""
        if isinstance(error, InvalidInput):
            text, remedy = error.message, error.remedy
        told = {"name": name, "message": f"{name}: {_shown(text)}", "remedy": remedy}
        return json.dumps(told).encode()
    return b"null\n" + bitcode


def _shown(text: str) -> str:
    """LLVM's message made printable: it may quote any bytes of the module."""
    lines = (one_line(line).strip() for line in text.splitlines())
    return " ".join(lines)[:_SHOWN_CHARACTERS]


def _checked(data: bytes) -> bytes:
    """The module as bitcode, if it is valid by itself."""
    if not data.strip():
        raise InvalidInput("The file is empty.", field="program", remedy=_EMPTY_REMEDY)
    with Module.parse(data) as module:
        _verify(module)
        return module.bitcode()


def _linked(modules: Sequence[bytes]) -> bytes:
    with Module.parse(modules[0]) as module:
        for other in modules[1:]:
            module.link(other)
        _verify(module)
        return module.bitcode()


def _verify(module: Module) -> None:
    problem = module.verify()
    if problem:
        raise InvalidInput(f"The program is not valid: {problem.strip()}", field="program")


def _prepared(data: bytes) -> bytes:
    with Module.parse(data) as module:
        main = library().GetNamedFunction(module.handle, b"main")
        defined = bool(main) and not library().IsDeclaration(main)
        if not defined:  # without a definition, every declaration is kept
            module.drop_origin()
            return module.bitcode()
    return prepare(data)
