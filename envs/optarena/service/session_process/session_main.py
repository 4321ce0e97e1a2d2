"""The process of a session: answers calls on its socket, copies itself, and tries actions in children.

It is forked from the zygote, so all modules are imported already; in the sandbox nothing can be imported
any more. A child that tries an action is a copy of the process, so its action gives exactly what it would
give in the session. As many children work at a time as there are processors for them.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import logging
import os
import select
import shutil
import signal
import socket
import struct
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from google.protobuf.message import DecodeError

from optarena import limits, logs
from optarena.errors import SessionCrashed, SessionTimeout
from optarena.isolation import sandbox, syscalls
from optarena.isolation.limits import MOST_SECONDS, ProcessLimits, grown_memory, limit_memory, more_memory
from optarena.isolation.tools import HERE
from optarena.limits import MAX_MESSAGE_BYTES
from optarena.service import timeouts
from optarena.service.processes import supervision
from optarena.service.processes.exit_status import EXIT_OUT_OF_MEMORY, ExitStatus
from optarena.service.processes.supervision import SharedProgress
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import frames, status
from optarena.service.protocol.status import RpcError, StatusCode, TrialEnd, invalid, refusal_reply, rpc_error
from optarena.service.session import PlainCalls
from optarena.service.session_process import session_types
from optarena.service.session_process.child import arm_cpu_limit, send_greeting
from optarena.service.session_process.compiler_gym_service import (
    CallDeadline,
    CheckedSession,
    CompilerGymService,
)

if TYPE_CHECKING:
    import io


_CHUNK: Final = 1 << 16
_LENGTH: Final = struct.Struct("<Q")
# No further action is tried when the answers are that long: all of them are in memory, more than once
_ENOUGH_BYTES: Final = 1 << 26
_SHARE: Final = 0.95  # of a call's time, for what a child computes: the rest is for its answer
_OVERHEAD: Final = 1 << 10  # bytes of an answer's frame, and its share of the reply's


@dataclass(slots=True)
class _Child:
    # A child process: `index` is the action that it tries, `is_late` whether it was ended at its deadline.

    index: int
    noted: io.FileIO = field(default_factory=supervision.progress_file)
    output: io.FileIO = field(default_factory=supervision.stderr_file)
    pid: int = 0
    reading: int = -1
    deadline: float = 0.0
    answer: bytearray = field(default_factory=bytearray)
    is_late: bool = False


class LookAhead:
    # `work` is called in a child process, with the index of an action and a file for its progress; `seconds`
    # is the wall time for each, and `advice` what helps if an answer is too long.

    def __init__(
        self, indices: Iterable[int], work: Callable[[int, int], bytes], seconds: float, advice: str = ""
    ) -> None:
        self._work = work
        self._seconds = seconds
        self._advice = advice
        self._waiting = deque(indices)
        self._children: dict[int, _Child] = {}
        self._answers: dict[int, bytes] = {}
        self._at_a_time = max(1, min(len(self._waiting), len(os.sched_getaffinity(0))))
        self._most_bytes = (MAX_MESSAGE_BYTES - _ENOUGH_BYTES) // self._at_a_time - _OVERHEAD
        self._poll = select.poll()

    def answers(self) -> dict[int, bytes]:
        # The last actions have no answer if the others are long.
        try:
            while self._waiting or self._children:
                while self._waiting and len(self._children) < self._at_a_time:
                    if not self._start(self._waiting[0]):
                        break
                    self._waiting.popleft()
                self._await_next()
                if sum(map(len, self._answers.values())) > _ENOUGH_BYTES:
                    self._waiting.clear()
        finally:
            for child in list(self._children.values()):
                self._finish(child)
        return self._answers

    def _start(self, index: int) -> bool:
        # False if it has to wait until another child has ended.
        child = _Child(index)
        child.reading, writing = os.pipe2(os.O_CLOEXEC)
        try:
            child.pid = os.fork()
        except OSError:
            os.close(child.reading)
            os.close(writing)
            child.noted.close()
            child.output.close()
            if self._children:
                return False
            raise
        if child.pid == 0:
            self._be_child(child, writing)
        os.close(writing)
        os.set_blocking(child.reading, False)
        child.deadline = time.monotonic() + self._seconds  # the action does not pay for the fork
        self._children[child.reading] = child
        self._poll.register(child.reading, select.POLLIN)
        return True

    def _be_child(self, child: _Child, writing: int) -> NoReturn:
        code = os.EX_SOFTWARE
        try:
            os.setpgid(0, 0)  # processes that it starts can be ended with it
            for standard in (1, 2):
                os.dup2(child.output.fileno(), standard)
            answer = self._work(child.index, child.noted.fileno())
            data = memoryview(_LENGTH.pack(len(answer)) + answer)
            while data:
                data = data[os.write(writing, data) :]
            code = os.EX_OK
        except MemoryError:
            code = EXIT_OUT_OF_MEMORY
        finally:
            os._exit(code)

    def _await_next(self) -> None:
        # Read from the children that have something to say, and end those that take too long.
        for descriptor, _ in self._poll.poll(1000 * timeouts.TRIAL_CHECK_SECONDS):
            child = self._children[descriptor]
            if self._read(child) is False:
                self._finish(child)
        now = time.monotonic()
        for child in list(self._children.values()):
            # Processes that an ended child has started may hold the pipe.
            if os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                while self._read(child):
                    pass
                self._finish(child)
            elif now > child.deadline:
                child.is_late = True
                self._finish(child)

    def _read(self, child: _Child) -> bool | None:
        # False if that was all of the answer, None if there is nothing now.
        try:
            data = os.read(child.reading, _CHUNK)
        except BlockingIOError:
            return None
        child.answer += data
        return bool(data) and not self._is_complete(child)

    def _is_complete(self, child: _Child) -> bool:
        if len(child.answer) < _LENGTH.size:
            return False
        length: int = _LENGTH.unpack_from(child.answer)[0]
        return len(child.answer) >= min(_LENGTH.size + length, self._most_bytes)

    def _finish(self, child: _Child) -> None:
        # With all that the child started.
        del self._children[child.reading]
        self._poll.unregister(child.reading)
        os.close(child.reading)
        for end in (os.killpg, os.kill):  # it may not lead a group yet
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(child.pid, signal.SIGKILL)
        _, status, usage = os.wait4(child.pid, 0)
        with child.noted, child.output:
            unit = supervision.read_unit(child.noted.fileno())
            output = supervision.tail(child.output)
        if not self._is_complete(child):
            ended, seconds = ExitStatus.from_wait(status, usage), self._seconds if child.is_late else None
            self._answers[child.index] = TrialEnd(ended, unit, output, seconds).packed()
        elif len(child.answer) < self._most_bytes:
            self._answers[child.index] = bytes(child.answer[_LENGTH.size :])
        else:
            told = f"The answer is longer than {self._most_bytes} bytes. {self._advice}"
            error = RpcError(StatusCode.RESOURCE_EXHAUSTED, told.rstrip())
            self._answers[child.index] = refusal_reply(unit, error).SerializeToString()


_SYS_CLONE: Final = 56
_CLONE_PARENT: Final = 0x8000
_POLL_SECONDS: Final = 0.00005

_process: Final = ctypes.PyDLL(None, use_errno=True)  # keeps Python's lock, as os.fork() does
_process.syscall.restype = ctypes.c_long
_process.malloc_trim.argtypes = [ctypes.c_size_t]


def fork_sibling() -> bool:
    """Fork a process whose parent is this process's parent; True in the new process.

    A process with one thread asks the kernel for it. One with more threads has to leave their locks to the C
    library, and so forks twice; its parent must be a subreaper.
    """
    return _fork_once() if len(os.listdir("/proc/self/task")) == 1 else _fork_twice()  # noqa: PTH208 # pathlib is slow to import


def _fork_once() -> bool:
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = _process.syscall(
        ctypes.c_long(_SYS_CLONE), ctypes.c_long(_CLONE_PARENT | signal.SIGCHLD), *[ctypes.c_long(0)] * 4
    )
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return True
    number = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(number, f"clone: {os.strerror(number)}")
    return False


def _fork_twice() -> bool:
    middle = os.fork()
    if middle:
        _, status = os.waitpid(middle, 0)
        if status:
            raise OSError(f"fork: the process between the two ended with status {status}")
        return False
    middle = os.getpid()
    try:
        is_copy = os.fork() == 0
    except OSError:
        os._exit(os.EX_OSERR)
    if not is_copy:
        os._exit(os.EX_OK)
    while os.getppid() == middle:  # a death signal set before the adoption would fire at it
        time.sleep(_POLL_SECONDS)
    return True


logger = logging.getLogger(__name__)

FORK: Final = "ForkSession"
_IDLE_SECONDS: Final = 2  # after which a session rests
_RECEIVE_LIMIT: Final = struct.pack("ll", _IDLE_SECONDS, 0)  # a time of the system
_TRIAL: Final = ".trial-"  # prefix of the folders of child processes that try an action
# the request message of each call of the interface
_REQUESTS: Final[dict[str, Any]] = {
    "GetVersion": pb.GetVersionRequest,
    "GetSpaces": pb.GetSpacesRequest,
    "StartSession": pb.StartSessionRequest,
    FORK: pb.ForkSessionRequest,
    "EndSession": pb.EndSessionRequest,
    "Step": pb.StepRequest,
    status.RESTART: pb.StartSessionRequest,
    status.METHOD: pb.StepRequest,
    status.WALKS: pb.StepRequest,
    status.STEPS: pb.StepRequest,
    "AddBenchmark": pb.AddBenchmarkRequest,
    "SendSessionParameter": pb.SendSessionParameterRequest,
}


def session_main(channel: socket.socket, payload: bytes, descriptors: tuple[int, ...]) -> None:
    # The payload is the order, as JSON; the descriptor is that of the file for its progress.
    order = json.loads(payload)
    logs.follow(order["debug"])
    with limits.extended_by(order["time_factor"]):
        _SessionWorker(channel, order, descriptors[0]).serve()


def warm_up() -> None:
    # Python loads some modules on first use; called in the zygote.
    for codec in ("ascii", "latin-1", "utf-8"):
        "".encode(codec)
    traceback.format_exception(ValueError("warm up"))
    Envelope.FromString(
        Envelope(payload=pb.StepRequest(action=[pb.Event()]).SerializeToString()).SerializeToString()
    )


class _SessionWorker:
    def __init__(self, channel: socket.socket, order: dict[str, Any], noted: int) -> None:
        self._channel = channel
        self._progress = SharedProgress(noted)
        self._unit = 0
        self._directory = Path(order["directory"])
        self._session_type: str = order["session_type"]
        self._confined: bool = order["confined"]
        self._cpu_seconds: float | None = None  # given with each call
        self._started = False
        self._is_trial = False
        self._has_run_program = False
        self._service = CompilerGymService(
            self._own_directory(),
            session_types.load_most(self._session_type),
            service_version="",
            before_work=self._begin_unit,
            before_program=self._arm_for,
            apart=self._compute_apart,
            records=False,
        )

    def serve(self) -> None:
        while True:
            self._answer_steps(self._channel)  # as far as the session does it by itself
            received = frames.receive_with_descriptors(self._channel)
            if received is None:
                break
            data, descriptors = received
            self._unit = 0
            self._arm()  # or what the last call left of its limit would hold for reading this one
            call_id = 0
            try:
                call = frames.PlainCall.unpacked(data) if frames.is_plain(data) else _envelope(data)
                call_id = call.call_id
                if self._cpu_seconds != (seconds := call.cpu_ms / 1000 or None):
                    self._cpu_seconds = seconds
                    self._arm()
                answer = self._answer(call, descriptors)
                if answer is None:
                    continue  # this is the copy, with a channel of its own, or all was answered
            except MemoryError:
                raise
            except BaseException as error:  # noqa: BLE001 # an interrupt too comes from session code: no user is here
                self._refuse(call_id, error if isinstance(error, RpcError) else rpc_error(error))
                continue
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)
            try:
                frames.send(self._channel, answer)
            except ValueError as error:
                self._refuse(call_id, RpcError(StatusCode.INTERNAL, f"The reply: {error}"))
            except BrokenPipeError:  # the client waits for it no more
                break
        self._arm()
        self._service.close()

    def _answer_steps(self, channel: socket.socket) -> None:
        if logger.isEnabledFor(logging.DEBUG):  # then the time of each step is a message
            return
        begin = time.monotonic()
        if not self._confined:
            channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _RECEIVE_LIMIT)
        for number, session in self._service.sessions().items():
            calls = PlainCalls(channel.fileno(), number, self._cpu_seconds, self._progress.address)
            session.answer_steps(calls)
        if time.monotonic() > begin + _IDLE_SECONDS and not frames.has_come(channel):
            # The last passes have left much free memory, and the next ones may be far away.
            _process.malloc_trim(0)

    def _refuse(self, call_id: int, error: RpcError) -> None:
        frames.send(self._channel, status.refusal_reply(call_id, error).SerializeToString())

    def _begin_unit(self) -> None:
        self._unit += 1
        self._progress.note(self._unit)
        self._arm()

    def _arm(self) -> None:
        arm_cpu_limit(self._cpu_seconds)

    def _arm_for(self, seconds: float) -> None:
        # A program on a workload has another CPU limit than an action.
        self._has_run_program = True
        arm_cpu_limit(None if self._cpu_seconds is None else seconds)

    def _compute_apart(
        self, compute: Callable[[], bytes | pb.Event], factor: float, remaining: float | None
    ) -> bytes | pb.Event:
        # In a child process, which alone is lost with its value. A confined session cannot fork, nor can one
        # that holds threads or devices, and a child that tries an action is lost anyway.
        cpu = None if self._cpu_seconds is None else min(self._cpu_seconds * factor, MOST_SECONDS)
        can_fork = not self._confined and self._service.session_type.fork_by == "process"
        if self._is_trial or not can_fork:
            arm_cpu_limit(cpu)
            with contextlib.nullcontext() if self._confined else more_memory(factor):
                return compute()
        if remaining is not None and remaining <= 0:
            raise status.lost_value(SessionTimeout("The time for this call is over"))
        usual = limits.seconds(limits.ACTION_WALL_SECONDS) * factor
        session = os.getpid()

        def work(_index: int, _noted: int) -> bytes:
            syscalls.die_with_parent(session)
            self._channel.close()
            self._is_trial = True
            limit_memory(grown_memory(factor))
            arm_cpu_limit(cpu)
            try:
                return frames.PlainOutcome(False, True, [compute()]).packed(status.TRIED)
            except MemoryError:
                raise
            except BaseException as error:  # noqa: BLE001 # as in serve()
                return status.refusal_reply(0, rpc_error(error)).SerializeToString()

        arm_cpu_limit(None if cpu is None else 0)  # the child has a limit of its own
        said = LookAhead([0], work, _SHARE * (usual if remaining is None else remaining)).answers()[0]
        self._arm()
        allowed = ProcessLimits(memory_bytes=grown_memory(factor), cpu_seconds_per_call=cpu)
        try:
            if not frames.is_plain(said):
                raise status.value_fault(Envelope.FromString(said), allowed)
            [value] = frames.PlainOutcome.unpacked(said, status.TRIED).values
        except (DecodeError, frames.MalformedFrame, status.Malformed, ValueError) as error:
            told = f"The process that computed the value gave an answer that cannot be read: {error}"
            raise status.lost_value(SessionCrashed(told)) from error
        return value

    def _own_directory(self) -> Path:
        path = self._directory / str(os.getpid())
        if not self._confined:
            path.mkdir(mode=0o700)
        elif session_types.load_most(self._session_type).tools() is not None:
            return HERE  # the rest of its path may be closed to the user of confined processes
        return path

    def _answer(self, call: Envelope | frames.PlainCall, descriptors: Sequence[int]) -> bytes | None:
        # None if there is nothing to send: in a copy, or if all was answered.
        if isinstance(call, frames.PlainCall):
            with logs.timed(logger, "%s", "Step"):
                reply, values = self._service.step_plainly(
                    call.step, CallDeadline(call.deadline_ms / 1000 or None)
                )
            return frames.PlainOutcome.of(reply, values).packed(call.call_id)
        payload = None
        if call.method == "StartSession" and self._started:
            raise RpcError(
                StatusCode.FAILED_PRECONDITION,
                "This process has had its session; open another connection for a new one",
            )
        if call.method == FORK:
            payload = self._fork(call, descriptors)
        elif call.method == status.RESTART:
            payload = self._restart(call)
        elif call.method == status.METHOD:
            payload = self._look_ahead(call)
        elif call.method == status.WALKS:
            payload = self._try_walks(call)
        elif call.method == status.STEPS:
            self._steps(call)
        else:
            request = _parse(call)
            with logs.timed(logger, "%s", call.method):
                answer = getattr(self._service, call.method)
                payload = answer(request, CallDeadline(call.deadline_ms / 1000 or None)).SerializeToString()
            self._started = self._started or call.method == "StartSession"
        return None if payload is None else _reply_to(call, payload)

    def _restart(self, call: Envelope) -> bytes:
        if self._has_run_program:  # it may have written anywhere
            raise RpcError(StatusCode.FAILED_PRECONDITION, "This process has run a program")
        self._service.begin_anew()
        folder = self._service.working_directory
        has_folder = not self._confined or folder == HERE  # a confined session without tools has none
        for file in folder.iterdir() if has_folder else ():
            if file.is_dir() and not file.is_symlink():
                shutil.rmtree(file, ignore_errors=True)
            else:
                file.unlink(missing_ok=True)
        deadline = CallDeadline(call.deadline_ms / 1000 or None)
        return self._service.StartSession(_parse(call), deadline).SerializeToString()

    def _steps(self, call: Envelope) -> None:
        # An error is the reply to its action.
        request = _parse(call)
        self._service.check_step(request)
        for action in request.action:
            self._unit = 0
            step = pb.StepRequest(session_id=request.session_id, action=[action])
            step.observation_space.extend(request.observation_space)
            reply = self._service.Step(step, CallDeadline(call.deadline_ms / 1000 or None))
            frames.send(self._channel, _reply_to(call, reply.SerializeToString()))
            if reply.end_of_session:
                break

    def _look_ahead(self, call: Envelope) -> bytes:
        request = self._parse_trials(call)
        self._service.check_step(request, each=True)
        arm_cpu_limit(None if self._cpu_seconds is None else 0)  # the children have limits of their own
        seconds = max(call.deadline_ms / 1000 - timeouts.LOOK_AHEAD_SLACK_SECONDS, 0.0) / len(request.action)
        session, files = os.getpid(), self._service.working_directory

        def work(index: int, noted: int) -> bytes:
            syscalls.die_with_parent(session)
            self._channel.close()
            self._progress, self._unit = SharedProgress(noted), 0
            self._is_trial = True
            return self._tried(request, index)

        try:
            quickly = self._tried_quickly(request, [[action] for action in request.action])
            tried = {index: answer for index, (answer,) in quickly.items()}
            rest = [index for index in range(len(request.action)) if index not in tried]
            tried |= LookAhead(rest, work, seconds, "Take the step, or observe less.").answers()
        finally:
            for left in files.glob(f"{_TRIAL}*"):  # by children that crashed
                shutil.rmtree(left, ignore_errors=True)
        return Envelope(payload=status.pack(status.in_order(tried))).SerializeToString()

    def _parse_trials(self, call: Envelope) -> pb.StepRequest:
        request: pb.StepRequest = _parse(call)
        if self._confined or self._service.session(request.session_id).fork_by != "process":
            raise RpcError(StatusCode.FAILED_PRECONDITION, "Sessions of this type cannot look ahead")
        return request

    def _try_walks(self, call: Envelope) -> bytes:
        # Each action of the request is a list of some, and each answer one of outcomes; or it is empty.
        request = self._parse_trials(call)
        walks = [action.event_list.event for action in request.action]
        listed = pb.StepRequest(session_id=request.session_id, action=[one for walk in walks for one in walk])
        listed.observation_space.extend(request.observation_space)
        self._service.check_step(listed)
        arm_cpu_limit(None if self._cpu_seconds is None else 0)  # as above
        tried = self._tried_quickly(request, walks)
        answers = [status.pack(tried[place]) if place in tried else b"" for place in range(len(walks))]
        return Envelope(payload=status.pack(answers)).SerializeToString()

    def _tried_quickly(
        self, request: pb.StepRequest, walks: Sequence[Sequence[pb.Event]]
    ) -> dict[int, list[bytes]]:
        # The session tries some walks in its own way.
        session = self._service.session(request.session_id)
        spaces = [session.observation_spaces[index] for index in request.observation_space]
        if not all(action.HasField("int64_value") for walk in walks for action in walk):
            return {}
        tried = CheckedSession(session).try_walks(
            [[action.int64_value for action in walk] for walk in walks],
            spaces,
            channel=self._channel.fileno(),
            cpu_seconds=self._cpu_seconds,
        )
        return {
            index: [frames.PlainOutcome(False, *step).packed(status.TRIED) for step in steps]
            for index, steps in tried.items()
        }

    def _tried(self, request: pb.StepRequest, index: int) -> bytes:
        # In a child process.
        step = pb.StepRequest(session_id=request.session_id, action=[request.action[index]])
        step.observation_space.extend(request.observation_space)
        try:
            own = self._enter_own_directory(request.session_id)
            reply = self._service.Step(step, CallDeadline(None))
            try:
                own.rmdir()  # it is mostly empty
            except OSError:
                shutil.rmtree(own, ignore_errors=True)
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 # as in serve()
            told = error if isinstance(error, RpcError) else rpc_error(error)
            return status.refusal_reply(self._unit, told).SerializeToString()
        return frames.PlainOutcome.of(reply).packed(status.TRIED)

    def _enter_own_directory(self, session_id: int) -> Path:
        # Go on with a copy of the session's files, inside their folder, which is removed with them.
        session, files = self._service.session(session_id), self._service.working_directory
        files.mkdir(mode=0o700, exist_ok=True)  # it may have been removed
        own = files / f"{_TRIAL}{os.getpid()}"
        if all(path.name.startswith(_TRIAL) for path in files.iterdir()):
            own.mkdir(mode=0o700)
        else:
            shutil.copytree(files, own, symlinks=True, ignore=shutil.ignore_patterns(f"{_TRIAL}*"))
        self._service.working_directory = session.working_directory = own
        return own

    def _fork(self, call: Envelope, descriptors: Sequence[int]) -> bytes | None:
        # None in the copy, which gets the channel and files that came with the call.
        session_id = _parse(call).session_id
        session = self._service.session(session_id)
        if session.fork_by != "process" or len(descriptors) != len(("channel", "stderr", "progress")):
            raise RpcError(StatusCode.FAILED_PRECONDITION, "Sessions of this type are copied by replay")
        # It may have been removed, with its content, while the session runs.
        self._service.working_directory.mkdir(mode=0o700, exist_ok=True)
        new_id = self._service.reserve_id()
        zygote = os.getppid()
        try:
            is_copy = fork_sibling()
        except OSError as error:
            message = "Cannot fork: no further process can be created"
            raise RpcError(StatusCode.INTERNAL, message) from error
        if not is_copy:
            return pb.ForkSessionReply(session_id=new_id).SerializeToString()
        try:
            syscalls.die_with_parent(zygote)
            self._become_copy(session_id, new_id, descriptors)
            send_greeting(self._channel, self._session_type, sandbox.unconfined())
        except BaseException as error:  # noqa: BLE001 # no answer, since the channel may still be the original's
            with contextlib.suppress(Exception):
                traceback.print_exception(error)
            os._exit(EXIT_OUT_OF_MEMORY if isinstance(error, MemoryError) else os.EX_SOFTWARE)
        return None

    def _become_copy(self, session_id: int, new_id: int, descriptors: Sequence[int]) -> None:
        channel, stderr, noted = descriptors
        supervision.unmark()
        syscalls.begin_session()
        os.dup2(stderr, 1)
        os.dup2(stderr, 2)
        self._progress = SharedProgress(noted)
        self._channel.close()
        self._channel = type(self._channel)(fileno=os.dup(channel))
        session = self._service.keep_only(session_id, new_id)
        directory = self._directory / str(os.getpid())
        directory.mkdir(mode=0o700)
        if any(self._service.working_directory.iterdir()):
            shutil.copytree(self._service.working_directory, directory, symlinks=True, dirs_exist_ok=True)
        self._service.working_directory = session.working_directory = directory


def _envelope(data: bytes) -> Envelope:
    try:
        return Envelope.FromString(data)
    except DecodeError as error:
        raise invalid(f"Malformed call: {error}") from error


def _reply_to(call: Envelope, payload: bytes) -> bytes:
    return Envelope(call_id=call.call_id, payload=payload).SerializeToString()


def _parse(call: Envelope) -> Any:  # noqa: ANN401 # one of eight messages, by name
    try:
        return _REQUESTS[call.method].FromString(call.payload)
    except KeyError:
        raise RpcError(StatusCode.UNIMPLEMENTED, f"Unknown call: {call.method}") from None
    except DecodeError as error:
        raise invalid(f"Malformed request for {call.method}: {error}") from error
