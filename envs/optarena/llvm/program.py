"""The code of the workers that compile programs; those that run them are of ``optarena.machine_code``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput, ServiceError
from optarena.limits import MAX_MESSAGE_BYTES
from optarena.llvm.module import Jit, Module, optimised
from optarena.llvm.starting import add_start
from optarena.machine_code.program import OK, define_libraries, link_main, report_errors
from optarena.service.protocol import frames

if TYPE_CHECKING:
    import socket

_MAX_OBJECT_BYTES: Final = MAX_MESSAGE_BYTES // 2


def compile_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    # Links the program, too, to check that no symbol is missing. Sends a line of JSON, with `error` if there
    # is one, then the object file.
    del fds
    with report_errors(channel):
        jit = Jit()
        define_libraries(jit)
        module = Module.parse(payload)
        add_start(module)
        jit.add_module(module)
        link_main(jit)
        [code] = jit.compiled
        if len(code) > _MAX_OBJECT_BYTES:
            raise ServiceError(
                f"The program's object file has {len(code)} bytes; at most {_MAX_OBJECT_BYTES} can be run."
            )
    frames.send(channel, OK + code)


def take_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    # The payload is a line with a pipeline, then the program; the answer is as above, with nothing.
    del fds
    pipeline, _, program = payload.partition(b"\n")
    with report_errors(channel), Module.parse(program) as module:
        try:
            module.run(pipeline.decode())
        except InvalidInput as error:  # its remedy is for users
            raise ServiceError(error.message.removeprefix("LLVM ").rstrip(".")) from error
    frames.send(channel, OK)


def optimise_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    # The payload is a line with the level, then the program; the answer is as above, with bitcode.
    del fds
    level, _, program = payload.partition(b"\n")
    with report_errors(channel), optimised(program, level.decode()) as module:
        code = module.bitcode()
    frames.send(channel, OK + code)
