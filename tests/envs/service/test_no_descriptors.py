"""A process without free descriptors: typed errors, nothing taken that stays, and no harm to what runs."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BEGINNING = """
import json
import os
import resource
import sys
from pathlib import Path

import gymnasium
import optarena
from optarena.llvm.actions import CURATED
from optarena.service.client.zygote import Zygote
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.serving import IsolatedService

TYPE = "optarena.llvm.session:LlvmSession"
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

def held():
    folders = Path(os.environ["OPTARENA_TRANSIENT_CACHE"]).glob("services/*")
    return len(os.listdir("/proc/self/fd")), sorted(map(str, folders))

def until_it_works(call):
    '''Has one more descriptor free at each attempt, and tells how each ended.'''
    eaten = []
    try:
        while True:
            eaten.append(os.dup(0))
    except OSError:
        os.close(eaten.pop())  # to count descriptors takes one
    while eaten:
        before = held()
        try:
            return call()
        except Exception as error:
            told = [type(error).__name__, getattr(error.__cause__, "errno", None), str(error)]
            print(json.dumps([*told, held() == before]))
        os.close(eaten.pop())
"""

RESET = """
env = gymnasium.make("optarena/llvm-v0", observation_space="IrInstructionCount").unwrapped
env.reset()
value, _, _, _, _ = env.step(CURATED.index("mem2reg"))
until_it_works(env.reset)
assert env.step(CURATED.index("mem2reg"))[0] == value
"""

ZYGOTE = """
Zygote.start(TYPE).close()
until_it_works(lambda: Zygote.start(TYPE)).close()
"""

FORK = """
env = gymnasium.make("optarena/llvm-v0", observation_space="IrInstructionCount").unwrapped
env.reset()
env.fork().close()
twin = until_it_works(env.fork)
assert env.step(CURATED.index("mem2reg"))[0] == twin.step(CURATED.index("mem2reg"))[0]
"""

SERVICE = """
class Context:
    def time_remaining(self):
        return None

benchmark = gymnasium.make("optarena/llvm-v0").unwrapped.benchmark
program = pb.Benchmark(uri=benchmark.uri, program=pb.File(contents=benchmark.program()))
with IsolatedService(TYPE) as service:
    def start():
        return service.StartSession(pb.StartSessionRequest(benchmark=program), Context()).session_id
    def fork():
        return service.ForkSession(pb.ForkSessionRequest(session_id=first), Context()).session_id
    def step(session):
        return service.Step(pb.StepRequest(session_id=session, observation_space=[0]), Context())
    first = start()
    step(fork())
    step(until_it_works({call}))
    step(first)
"""


def attempts(program: str, folder: Path) -> list[dict[str, Any]]:
    """How the attempts of a program ended that failed; the last one succeeded."""
    environment = {**os.environ, "OPTARENA_TRANSIENT_CACHE": str(folder / "transient")}
    command = [sys.executable, "-c", BEGINNING + program]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=120, check=True)
    names = ("kind", "errno", "message", "is_clean")
    return [dict(zip(names, json.loads(line), strict=True)) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("program", [ZYGOTE, RESET, FORK], ids=["zygote", "reset", "fork"])
def test_what_is_missing_is_said_and_all_goes_on_once_it_is_there(program: str, tmp_path: Path) -> None:
    failed = attempts(program, tmp_path)
    assert len(failed) > 3
    for one in failed:
        assert (one["kind"], one["errno"]) == ("InfrastructureFault", errno.EMFILE), one
        assert "Too many open files" in one["message"]
        assert "ulimit -n" in one["message"]
        assert one["is_clean"], one


@pytest.mark.soak
@pytest.mark.parametrize("call", ["start", "fork"])
def test_a_service_has_no_room_then_and_its_sessions_go_on(call: str, tmp_path: Path) -> None:
    failed = attempts(SERVICE.replace("{call}", call), tmp_path)
    assert len(failed) > 3
    for one in failed:
        assert one["kind"] == "TooManySessions", one
        assert "No further session can be started: [Errno 24] Too many open files" in one["message"]
        assert one["is_clean"], one
