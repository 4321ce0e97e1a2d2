"""The services that the contract's tests run against: each compiler, over each transport that it has.

A compiler is described by what a test cannot ask it for: programs and actions. How its sessions are reached
is a transport's business.
"""

from __future__ import annotations

import stat
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from optarena.errors import PlatformNotSupported
from optarena.service.client.connection import ManagedConnection
from optarena.service.client.options import ConnectionOptions
from optarena.service.converters import NamedDiscrete, space_to_gymnasium
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.session_process import session_types
from optarena.service.session_process.compiler_gym_service import CompilerGymService
from tests.kit.folders import ROOT
from tests.kit.gcc import choice_event

if TYPE_CHECKING:
    from optarena.service.client.interface import Connection


KERNEL_FILES: Final = ROOT / "envs/optarena/gpu_kernels/datasets/gpu-kernels-v1"
DIGITS: Final = ROOT / "tests/envs/data/digits.ll"


@dataclass(frozen=True, kw_only=True)
class Compiler:
    """What the tests know about a compiler.

    Attributes:
        session_type: Its name as a service.
        program: A program that it reads.
        other: Another one.
        unparsable: One that it refuses.
        actions: Names of actions that can be applied to the program in this order, one or more with an
            effect; none of them ends the session.
        failing: Observations that cannot be made, and what is raised instead.
        telling: Observations that are looked at again and again, where all of them would take long.
    """

    session_type: str
    program: bytes
    other: bytes
    unparsable: bytes
    actions: tuple[str, ...]
    failing: dict[str, type[Exception]] = field(default_factory=dict)
    telling: tuple[str, ...] = ()
    event: Callable[[str], pb.Event] | None = None
    """Makes the event of an action, where actions are not numbers."""


class Service(ABC):
    """A compiler that can be reached.

    Attributes:
        is_shared: Whether all sessions are in one service, and not each in its own.
    """

    is_shared = True

    @abstractmethod
    def connect(self) -> Connection:
        """A connection on which a session can be started."""

    @abstractmethod
    def close(self) -> None:
        """End it."""


class Managed(Service):
    """Each session in a process of its own, forked from a zygote."""

    is_shared = False

    def __init__(self, session_type: str) -> None:
        self._session_type = session_type
        self._opened: list[Connection] = []

    def connect(self) -> Connection:
        connection = ManagedConnection.open(self._session_type)
        self._opened.append(connection)
        return connection

    def close(self) -> None:
        for connection in self._opened:
            connection.close()


class Shared(Service):
    """All sessions over one connection, which is closed in the end, before what it was made to."""

    def __init__(self, connection: Connection, close: Callable[[], object] = lambda: None) -> None:
        self._connection = connection
        self._close = close

    def connect(self) -> Connection:
        return self._connection

    def close(self) -> None:
        self._connection.close()
        self._close()


def in_process(session_type: str) -> Service:
    from optarena.service.client.in_process import InProcessConnection  # noqa: PLC0415 - a transport's own modules

    folder = tempfile.TemporaryDirectory()
    service = CompilerGymService(Path(folder.name), session_types.load(session_type))
    return Shared(InProcessConnection(service), folder.cleanup)


def executable(path: Path, **script_env: str) -> Service:
    """A service that is started, and then spoken to over gRPC."""
    from optarena.service.client.executable import ServiceProcess  # noqa: PLC0415 - as above
    from optarena.service.client.grpc_connection import GrpcConnection  # noqa: PLC0415 - as above

    options = ConnectionOptions(script_env=script_env)
    process = ServiceProcess.start(path, options)
    return Shared(GrpcConnection.open(process.endpoint, options, process=process))


def script(session_type: str) -> Service:
    """The same with a service in Python: a script of a few lines, as users write one."""
    module, _, name = session_type.partition(":")
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name, "service.py")
    path.write_text(
        f"#!{sys.executable}\n"
        f"from {module} import {name}\n"
        "from optarena.service.runtime import create_and_run_compiler_gym_service\n"
        "if __name__ == '__main__':\n"
        f"    create_and_run_compiler_gym_service({name})\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    service = executable(path, PYTHONPATH=":".join(sys.path))
    service_close = service.close

    def close() -> None:
        service_close()
        folder.cleanup()

    service.close = close  # type: ignore[method-assign] # one more thing to remove
    return service


def command(name: str) -> Service:
    """A service that ``optarena service`` has started, on a Unix socket of its own choice."""
    from optarena.service.client.grpc_connection import GrpcConnection  # noqa: PLC0415 - as above

    order = [str(Path(sys.prefix, "bin/optarena")), "service", name]
    process = subprocess.Popen(order, stdout=subprocess.PIPE, text=True)

    def close() -> None:
        process.terminate()
        process.communicate(timeout=30)

    try:
        assert process.stdout
        endpoint = process.stdout.readline().removeprefix("listening on ").strip()
        return Shared(GrpcConnection.open(endpoint), close)
    except BaseException:  # an interrupt too: nothing may be left behind
        close()
        raise


def kernel(name: str) -> bytes:
    return (KERNEL_FILES / f"{name}.ll").read_bytes()


NUMBERS: Final[dict[str, Any]] = {
    "program": bytes([5, 6, 7]),
    "other": bytes([9]),
    "unparsable": b"does not parse",
    "actions": ("append", "nothing", "append", "append"),
    "failing": {"no-linker": NotImplementedError, "broken": ValueError},
}
FAKE: Final = Compiler(session_type="fake_compiler:FakeSession", **NUMBERS)
REPLAYED: Final = Compiler(session_type="fake_compiler:ReplayedSession", **NUMBERS)
LLVM: Final = Compiler(
    session_type="optarena.llvm.session:LlvmSession",
    program=DIGITS.read_bytes(),
    other=b'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @main() { ret i32 1 }\n',
    unparsable=b"define nothing",
    actions=("mem2reg", "instcombine", "always-inline", "simplifycfg"),
    telling=("Ir", "IrSha1", "Bitcode", "Autophase", "IrInstructionCount"),
)
STACK: Final = Compiler(
    session_type="stack_compiler.session:StackSession",
    program=b"push 4 # of a comment\npush 5\nmul\nload x\nneg\n\npush 0\nadd\nadd\nprint\n",
    other=b"load y\nprint\n",
    unparsable=b"push 1\nadd\n",
    actions=("fold-constants", "annihilate", "remove-identities", "cancel"),
)
SCHEDULING: Final = Compiler(
    session_type="job_scheduling.session:SchedulingSession",
    program=b"""{"machines": 2, "jobs": [
        {"duration": 3}, {"duration": 5, "release": 1}, {"duration": 2, "predecessors": [0]},
        {"duration": 4}, {"duration": 1, "predecessors": [2, 3]}]}""",
    other=b'{"machines": 1, "jobs": [{"duration": 1}, {"duration": 2}]}',
    unparsable=b'{"machines": 0}',
    actions=("job-1", "job-0", "job-2"),
)
LOOP_TOOL: Final = Compiler(
    session_type="optarena.loop_tool.session:LoopToolSession",
    program=b"benchmark://loop_tool-cpu-v0/1000",
    other=b"benchmark://loop_tool-cpu-v0/7",
    unparsable=b"benchmark://loop_tool-cpu-v0/0",
    actions=("toggle_thread", "toggle_mode", "up", "toggle_mode", "up"),
)

KERNELS: Final = Compiler(
    session_type="optarena.gpu_kernels.session:KernelPassesSession",
    program=kernel("vector-add"),
    other=kernel("histogram"),
    unparsable=b"; optarena-kernel: {}\ndefine nothing",
    actions=("sroa", "instcombine", "instcombine", "ptxas-O1", "loop-rotate"),
    failing={
        "runtime": PlatformNotSupported,
        "timing": PlatformNotSupported,
        "counters": PlatformNotSupported,
        "hardware_counters": PlatformNotSupported,
    },
    telling=("ir", "digest", "ptx", "ptxas_level", "features"),
)
KERNEL_LEVELS: Final = replace(
    KERNELS, session_type="optarena.gpu_kernels.session:KernelLevelsSession", actions=("-O1", "-O2", "-O2")
)


GCC: Final = Compiler(
    session_type="optarena.gcc.session:GccSession",
    program=b"int main(int argc, char **argv) { int s = 0; while (argc--) s += argv[argc][0]; return s; }\n",
    other=b"int main(void) { return 1; }\n",
    unparsable=b"#include <stdio.h>\nint main(void) { return 1; }\n",
    actions=("-O2", "-fno-gcse", "-fno-gcse", "-Oz"),
    telling=("command_line", "digest", "obj_hash", "load_size_bytes"),
    event=choice_event,
)

SERVICES: Final[dict[str, tuple[Compiler, Callable[[Compiler], Service] | None]]] = {
    "fake-managed": (FAKE, lambda compiler: Managed(compiler.session_type)),
    "fake-replayed": (REPLAYED, lambda compiler: Managed(compiler.session_type)),
    "fake-in-process": (FAKE, lambda compiler: in_process(compiler.session_type)),
    "fake-script": (FAKE, lambda compiler: script(compiler.session_type)),
    "llvm-managed": (LLVM, lambda compiler: Managed(compiler.session_type)),
    "llvm-command": (LLVM, lambda _: command("llvm")),
    "stack-managed": (STACK, lambda compiler: Managed(compiler.session_type)),
    "stack-cpp": (STACK, None),
    "loop_tool-managed": (LOOP_TOOL, lambda compiler: Managed(compiler.session_type)),
    "kernels-managed": (KERNELS, lambda compiler: Managed(compiler.session_type)),
    "kernel-levels-managed": (KERNEL_LEVELS, lambda compiler: Managed(compiler.session_type)),
    "gcc-managed": (GCC, lambda compiler: Managed(compiler.session_type)),
    "gcc-script": (GCC, lambda compiler: script(compiler.session_type)),
    "scheduling-managed": (SCHEDULING, lambda compiler: Managed(compiler.session_type)),
    "scheduling-in-process": (SCHEDULING, lambda compiler: in_process(compiler.session_type)),
}
"""Each compiler, and each way to reach one; None stands for the executable that the tests build."""


class Session:
    """One session, and the connection that it is on."""

    def __init__(self, service: OpenService, connection: Connection, reply: pb.StartSessionReply) -> None:
        self.id = reply.session_id
        self.connection = connection
        self.started = reply
        self.service = service

    def step(self, *actions: str | int | pb.Event, observe: tuple[str, ...] = ()) -> pb.StepReply:
        """Apply actions, by name, index or event, and observe."""
        request = pb.StepRequest(
            session_id=self.id,
            action=map(self.service.event, actions),
            observation_space=map(self.service.observation_index, observe),
        )
        return self.connection.step(request)

    def state(self) -> bytes:
        """What can be observed and tells states apart, as it travels."""
        names = self.service.compiler.telling or self.service.deterministic
        return self.step(observe=names).SerializeToString(deterministic=True)

    def send(self, key: str, value: str = "") -> str:
        parameter = pb.SessionParameter(key=key, value=value)
        request = pb.SendSessionParameterRequest(session_id=self.id, parameter=[parameter])
        (reply,) = self.connection.send_session_parameter(request).reply
        return reply

    def fork(self) -> Session:
        connection, session_id = self.connection.fork(self.id)
        return self.service.adopt(connection, pb.StartSessionReply(session_id=session_id))

    def end(self) -> int:
        request = pb.EndSessionRequest(session_id=self.id)
        return self.connection.end_session(request).remaining_sessions


class OpenService:
    """A service that is open for the tests, with what it says about itself and short ways to use it."""

    def __init__(self, name: str, compiler: Compiler, service: Service) -> None:
        self.name = name
        self.compiler = compiler
        self.is_shared = service.is_shared
        self.connect = service.connect
        self.close = service.close
        connection = service.connect()
        self.version = connection.get_version(pb.GetVersionRequest())
        self.spaces = connection.get_spaces(pb.GetSpacesRequest())
        self.observations = {space.name: space for space in self.spaces.observation_space_list}
        self._sessions: list[Session] = []

    @property
    def possible(self) -> tuple[str, ...]:
        return tuple(name for name in self.observations if name not in self.compiler.failing)

    @property
    def deterministic(self) -> tuple[str, ...]:
        """Those of them that are the same each time."""
        return tuple(name for name in self.possible if self.observations[name].deterministic)

    def observation_index(self, name: str) -> int:
        return list(self.observations).index(name)

    def event(self, action: str | int | pb.Event) -> pb.Event:
        """The event of an action in the first action space."""
        if isinstance(action, pb.Event):
            return action
        if isinstance(action, str) and self.compiler.event is not None:
            return self.compiler.event(action)
        space = space_to_gymnasium(self.spaces.action_space_list[0].space)
        if isinstance(action, int):
            return pb.Event(int64_value=action)
        assert isinstance(space, NamedDiscrete)
        return pb.Event(int64_value=space.names.index(action))

    def numbered_actions(self) -> tuple[str, ...]:
        """Actions of the program; the test is skipped where actions are not numbers."""
        if self.compiler.event is not None:
            pytest.skip("its actions are not numbers")
        return self.compiler.actions

    def benchmark(self, name: str = "one", contents: bytes | None = None, **program: Any) -> pb.Benchmark:
        """The program under a URI of its own."""
        if not program:
            program = {"contents": self.compiler.program if contents is None else contents}
        return pb.Benchmark(uri=f"benchmark://{self.name}-v0/{name}", program=pb.File(**program))

    def start(
        self,
        benchmark: pb.Benchmark | None = None,
        *,
        observe: tuple[str, ...] = (),
        connection: Connection | None = None,
        **request: Any,
    ) -> Session:
        """Start a session, in a process of its own where the transport has such."""
        connection = connection or self.connect()
        given = {"observation_space": map(self.observation_index, observe), **request}
        benchmark = self.benchmark() if benchmark is None else benchmark
        reply = connection.start_session(pb.StartSessionRequest(benchmark=benchmark, **given))
        return self.adopt(connection, reply)

    def adopt(self, connection: Connection, reply: pb.StartSessionReply) -> Session:
        """Remember a session, which is ended after the test."""
        self._sessions.append(Session(self, connection, reply))
        return self._sessions[-1]

    def end_sessions(self) -> None:
        for session in self._sessions:
            session.connection.end(session.id)
        self._sessions.clear()
