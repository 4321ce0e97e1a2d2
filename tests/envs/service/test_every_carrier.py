"""A compiler answers the same however it is reached.

The contract is checked on every compiler over one transport, and over every transport on one compiler: see
``test_every_service.py``. Here the others are compared with those.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import pytest

from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.every_service import (
    GCC,
    KERNELS,
    LOOP_TOOL,
    SCHEDULING,
    Compiler,
    Managed,
    OpenService,
    command,
    in_process,
    script,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.kit.every_service import Service

REACHED: Final[dict[str, tuple[Compiler, Callable[[Compiler], Service]]]] = {
    "loop_tool-command": (LOOP_TOOL, lambda _: command("loop_tool")),
    "kernels-in-process": (KERNELS, lambda compiler: in_process(compiler.session_type)),
    "kernels-script": (KERNELS, lambda compiler: script(compiler.session_type)),
    "kernels-command": (KERNELS, lambda _: command("gpu-kernels")),
    "gcc-in-process": (GCC, lambda compiler: in_process(compiler.session_type)),
    "gcc-script": (GCC, lambda compiler: script(compiler.session_type)),
    "gcc-command": (GCC, lambda _: command("gcc")),
    "scheduling-in-process": (SCHEDULING, lambda compiler: in_process(compiler.session_type)),
    "scheduling-script": (SCHEDULING, lambda compiler: script(compiler.session_type)),
}


def benchmark(contents: bytes) -> pb.Benchmark:
    """A program under a URI that is the same for every service."""
    return pb.Benchmark(uri="benchmark://same-v0/one", program=pb.File(contents=contents))


def answers(service: OpenService) -> Iterator[Any]:
    """What the compiler says to all that depends on it."""
    compiler = service.compiler
    yield service.version
    yield service.spaces
    session = service.start(benchmark(compiler.program), observe=service.deterministic)
    yield list(session.started.observation)
    for action in compiler.actions:
        yield session.step(action)
        yield session.state()
    copy = session.fork()
    yield copy.step(observe=service.deterministic)
    refused: list[Callable[[], object]] = [
        lambda: service.start(benchmark(compiler.unparsable)),
        lambda: session.step(pb.Event()),
        *(lambda name=name: session.step(observe=(name,)) for name in compiler.failing),
    ]
    for call in refused:
        with pytest.raises(Exception) as caught:  # noqa: PT011 # whatever it is, it is compared
            call()
        yield type(caught.value), str(caught.value)
    yield session.state()


def told(compiler: Compiler, reached: Service) -> list[Any]:
    with closing(reached):
        service = OpenService("same", compiler, reached)
        try:
            return list(answers(service))
        finally:
            service.end_sessions()


@pytest.fixture(scope="module")
def managed() -> dict[str, list[Any]]:
    """What compilers say that have a process for each session, by their session types."""
    return {}


@pytest.mark.parametrize("name", REACHED)
def test_a_compiler_answers_the_same_however_it_is_reached(name: str, managed: dict[str, list[Any]]) -> None:
    compiler, connect = REACHED[name]
    kind = compiler.session_type
    expected = managed.get(kind) or managed.setdefault(kind, told(compiler, Managed(kind)))
    assert told(compiler, connect(compiler)) == expected
