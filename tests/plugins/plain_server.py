"""A small gRPC server around a service, made of grpcio alone: what a foreign service is to our client.

Run as a program it is a foreign executable: it takes ``--working_dir=DIR`` and writes ``DIR/port.txt`` and
``DIR/pid.txt``. ``--mode`` makes it misbehave: ``late``, ``halves``, ``fails``.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message_factory import GetMessageClass

from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.status import RpcError
from optarena.service.session_process.compiler_gym_service import CompilerGymService

INTERFACE = pb.DESCRIPTOR.services_by_name["CompilerGymService"]
STATUSES = {status.value[0]: status for status in grpc.StatusCode}
Behaviour = Any


class PlainServer:
    """A server; ``overrides`` replace calls by name, with functions of request bytes and context."""

    def __init__(
        self,
        service: CompilerGymService,
        address: str = "127.0.0.1:0",
        *,
        overrides: dict[str, Behaviour] | None = None,
        token: str = "",
        name: str = INTERFACE.full_name,
    ) -> None:
        self.calls: list[str] = []
        self.metadata: dict[str, str] = {}
        self._token = token
        self._server = grpc.server(ThreadPoolExecutor(16), options=[("grpc.max_receive_message_length", -1)])
        handlers = {
            method.name: grpc.unary_unary_rpc_method_handler(
                self._behaviour(service, method, (overrides or {}).get(method.name))
            )
            for method in INTERFACE.methods
        }
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, handlers),))
        port = self._server.add_insecure_port(address)
        self.endpoint = address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"
        self.port = port
        self._server.start()

    def stop(self, grace: float | None = None) -> None:
        self._server.stop(grace).wait()

    def _behaviour(
        self, service: CompilerGymService, method: Any, override: Behaviour | None
    ) -> Callable[[bytes, grpc.ServicerContext], bytes]:
        parse = GetMessageClass(method.input_type).FromString

        def answer(data: bytes, context: grpc.ServicerContext) -> bytes:
            self.calls.append(method.name)
            self.metadata = dict(context.invocation_metadata())
            if self._token and self.metadata.get("authorization") != f"Bearer {self._token}":
                context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you?")
            try:
                if override is not None:
                    return override(data, context)
                return getattr(service, method.name)(parse(data), context).SerializeToString()
            except RpcError as error:
                context.abort(STATUSES[int(error.code)], error.message)
                raise AssertionError from error

        return answer


def fake_service() -> CompilerGymService:
    from fake_compiler import FakeSession  # noqa: PLC0415 - findable once this folder is on sys.path

    return CompilerGymService(Path(tempfile.gettempdir()), FakeSession, service_version="plain 1")


def fails_with(code: grpc.StatusCode, message: str = "", *metadata: tuple[str, Any]) -> Behaviour:
    """A call's behaviour: to end with this status."""

    def fail(_: bytes, context: grpc.ServicerContext) -> bytes:
        context.set_trailing_metadata(metadata)
        context.abort(code, message)
        raise AssertionError

    return fail


def answers_late(leave: threading.Event, entered: threading.Event | None = None) -> Behaviour:
    """A call's behaviour: to answer an empty message when it may leave."""

    def wait(*_: object) -> bytes:
        if entered is not None:
            entered.set()
        leave.wait(20)
        return b""

    return wait


def write_port(folder: Path, port: int, mode: str) -> None:
    """Tell the port, as the mode has it."""
    file = folder / "port.txt"
    if mode == "halves":
        half = len(str(port)) // 2
        with file.open("w") as stream:
            for part in ("", str(port)[:half], str(port)[half:], "\n"):
                stream.write(part)
                stream.flush()
                time.sleep(0.04)
    else:
        time.sleep(0.3 if mode == "late" else 0)
        file.write_text(str(port))


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--working_dir", type=Path, required=True)
    parser.add_argument("--mode", default="")
    options = parser.parse_args()
    mode: str = options.mode
    say(f"cwd={Path.cwd()} hello={os.environ.get('HELLO')} secret={os.environ.get('SECRET')}")
    if mode == "fails":
        say("cannot open the frobnicator")
        raise SystemExit(3)
    done = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: done.set())
    server = PlainServer(fake_service(), token=os.environ.get("OPTARENA_SERVICE_TOKEN", ""))
    (options.working_dir / "pid.txt").write_text(str(os.getpid()))
    write_port(options.working_dir, server.port, mode)
    done.wait()
    server.stop()
    say("goodbye")


if __name__ == "__main__":
    main()
