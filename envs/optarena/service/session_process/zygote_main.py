"""The zygote: a small, single-threaded process that forks workers and reports their end.

It answers one client, the process that started it, over a control socket (JSON, one message per packet, with
descriptors), and ends with it: it watches the client by a pidfd, since a death signal would come when the
client's *thread* ends. It is a subreaper, so that copies of sessions, which fork themselves, become its
children too. It imports no numpy, no gymnasium and no grpc.

Packets from the client::

    {"session_type": …, "sys_path": […]}                              once → {"compiler_version": …}, or {}
        beside it: the spaces, if it is a session type of this package  and then → {"ready": true}
    {"op": "spawn", "request": r, "entry": …, "limits": {…}, "sandbox": …, "payload": …, "files": …,
     "traps": …, "group": …}                                          → {"worker": n, …}
        beside it: channel, standard error, status pipe, payload and files if any, further descriptors
    {"op": "adopt", "request": r, "pid": p}, beside it: status pipe   → {"worker": n}
    {"op": "keep", "request": r}                                      → {}, and its folder exists
    {"op": "kill", "worker": n}                                       no answer

An answer repeats the number of its request, since the client may have given up an earlier one. It may be
``{"error": class, "message": text, "field": …, "errno": …}``. A status pipe gets one JSON ExitStatus.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import shutil
import signal
import socket
import stat
import sys
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from optarena import logs
from optarena.errors import InvalidInput
from optarena.isolation import syscalls
from optarena.isolation.limits import ProcessLimits, raise_open_files
from optarena.isolation.syscalls import GroupLimit
from optarena.service import timeouts
from optarena.service.processes import supervision
from optarena.service.processes.exit_status import ExitStatus
from optarena.service.protocol import frames
from optarena.service.session_process import child, session_main, session_types
from optarena.service.session_process.child import error_report

_PACKET_BYTES: Final = 1 << 17
_UNCLAIMED: Final = 1000  # ended processes that are kept without being adopted
_POLL_SECONDS: Final = 0.001
_REST_MS: Final = 200  # without orders, after which it prepares what few sessions need


def main(control: int, directory: int, client: int) -> None:
    # `directory` is the descriptor of the folder for working directories, which is locked while it is open.
    os.set_inheritable(control, False)
    os.set_inheritable(directory, False)
    sock = socket.socket(fileno=control)
    syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)
    raise_open_files()
    watch = _watch(client)
    try:
        sock.settimeout(timeouts.ZYGOTE_ANSWER_SECONDS)
        packet, _ = frames.receive_descriptors(sock, _PACKET_BYTES)
        sock.settimeout(None)
        order = json.loads(packet)
        session_type = order["session_type"]
        _describe(sock, order)
        _prepare(session_type)
    except Exception as error:  # noqa: BLE001 # reported to the client by name, and the zygote ends
        _answer(sock, error_report(error, str(error)))
        return
    _answer(sock, {"ready": True})
    _Zygote(sock, session_type, directory).serve(client, watch)


def _watch(client: int) -> int | None:
    # None if the kernel or container offers no pidfd.
    try:
        watch = os.pidfd_open(client)
    except OSError:
        watch = None
    if os.getppid() != client:
        os._exit(os.EX_UNAVAILABLE)
    return watch


def _describe(sock: socket.socket, order: dict[str, Any]) -> None:
    # Types of other packages are loaded in each worker.
    logs.configure()
    sys.path[:] = order["sys_path"]
    if not session_types.is_own(order["session_type"]):
        _answer(sock, {})
        return
    offered = session_types.load_first(order["session_type"])
    spaces = os.memfd_create("spaces")
    with os.fdopen(spaces, "wb") as file:
        file.write(session_types.spaces_of(offered).SerializeToString())
        file.flush()
        _answer(sock, {"compiler_version": offered.compiler_version}, [spaces])


def _prepare(session_type: str) -> None:
    # Forking a worker is cheap if it shares all modules.
    session_main.warm_up()
    if session_types.is_own(session_type):
        session_types.load_most(session_type)
    threads = len(list(Path("/proc/self/task").iterdir()))
    if threads != 1:
        raise RuntimeError(f"{session_type} has started {threads - 1} threads in preload()")
    gc.freeze()  # with little garbage, for which to look takes longer than a session's start
    gc.enable()


def _answer(sock: socket.socket, answer: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
    # The client has ended, perhaps without reading an earlier answer; the main loop notices.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        frames.send_descriptors(sock, json.dumps(answer).encode(), descriptors)


class _Zygote:
    def __init__(self, control: socket.socket, session_type: str, directory: int) -> None:
        self._control = control
        self._session_type = session_type
        self._directory = Path(f"/proc/self/fd/{directory}").readlink()
        self._directory_lock = directory
        self._pid = os.getpid()
        self._pids: dict[int, int] = {}
        self._workers: dict[int, tuple[int, int]] = {}
        self._unclaimed: OrderedDict[int, ExitStatus] = OrderedDict()
        self._last_worker = 0
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def serve(self, client: int, watch: int | None) -> None:
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        for descriptor in (self._control.fileno(), self._wake_read, watch):
            if descriptor is not None:
                poll.register(descriptor, select.POLLIN)
        pause = None if watch is not None else 1000 * timeouts.CLIENT_CHECK_SECONDS
        alive, has_rest = True, session_types.is_own(self._session_type)
        while alive:
            ready = {descriptor for descriptor, _ in poll.poll(_REST_MS if has_rest else pause)}
            if has_rest and not ready and self._last_worker:
                with contextlib.suppress(Exception):  # the session that needs it says so
                    session_types.load(self._session_type)
                has_rest = False
            if self._wake_read in ready:
                os.read(self._wake_read, _PACKET_BYTES)
                self._reap()
            alive = watch not in ready and os.getppid() == client
            if alive and self._control.fileno() in ready:
                alive = self._receive()
        self._end()

    def _receive(self) -> bool:
        # False if the client has closed the control socket.
        try:
            packet, descriptors = frames.receive_descriptors(self._control, _PACKET_BYTES)
        except ConnectionError:
            return False
        if not packet:
            return False
        order = json.loads(packet)

        def reply(answer: dict[str, Any]) -> None:
            _answer(self._control, {**answer, "request": order["request"]})

        try:
            if order["op"] == "kill":
                if order["worker"] in self._workers:  # not yet reaped, so its process id is still its own
                    _kill_group(self._workers[order["worker"]][0])
                return True
            if order["op"] == "keep":
                self._keep_directory()
                reply({})
            else:
                reply((self._spawn if order["op"] == "spawn" else self._adopt)(order, descriptors))
        except InvalidInput as error:
            reply(error_report(error, str(error)))
        except OSError as error:
            report = error_report(error, f"A process cannot be started: {error}")
            reply({**report, "error": "InfrastructureFault"})
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        return True

    def _spawn(self, order: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        channel, stderr, status, *rest = descriptors
        poll = select.poll()
        poll.register(channel, 0)
        if any(events & select.POLLHUP for _, events in poll.poll(0)):
            return {"error": "ServiceError", "message": "The client has abandoned this process."}
        self._keep_directory()
        if order["sandbox"] and session_types.is_own(self._session_type):
            try:
                session_types.load(self._session_type)  # or each confined process would have to
            except Exception as error:  # noqa: BLE001 # reported to the client by name
                return error_report(error, str(error))
        task = child.ChildTask(
            session_type=self._session_type,
            entry=order["entry"],
            limits=ProcessLimits(**order["limits"]),
            confined=order["sandbox"],
            directory=self._directory,
            group=GroupLimit(**order["group"]) if order["group"] else None,
            channel=channel,
            stderr=stderr,
            payload=rest.pop(0) if order["payload"] else None,
            files=rest.pop(0) if order["files"] else None,
            traps=order["traps"],
            descriptors=tuple(rest),
        )
        pid = os.fork()
        if pid == 0:
            self._control.detach()  # closed by number; the object must not close a later file of that number
            child.run(task, self._pid)
        return {"worker": self._register(pid, status), "pid": pid}

    def _keep_directory(self) -> None:
        # The zygote removed the folder while no session ran, or another process did; others may have created
        # one at its path.
        try:
            info = self._directory.lstat()
        except OSError:
            info = None
        if info is None or not stat.S_ISDIR(info.st_mode) or info.st_uid != os.geteuid():
            from optarena.service.processes import folders  # noqa: PLC0415 # rarely needed, and slow to load

            folders.keep_directory(self._directory, self._directory_lock)

    def _adopt(self, order: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        (status,) = descriptors
        pid: int = order["pid"]
        ended = self._unclaimed.pop(pid, None)
        if ended is None and (pid in self._pids or _parent_of(pid) != self._pid):
            return {"error": "ServiceError", "message": f"Process {pid} is not a copy of a session."}
        number = self._register(pid, status)
        if ended is not None:
            self._tell(pid, ended)
        return {"worker": number}

    def _register(self, pid: int, status: int) -> int:
        self._last_worker += 1
        self._workers[self._last_worker] = (pid, os.dup(status))
        self._pids[pid] = self._last_worker
        supervision.mark(pid, self._last_worker)
        return self._last_worker

    def _reap(self) -> None:
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None:
                break
            if ended.si_pid in self._pids:
                _kill_group(ended.si_pid)  # processes that the worker left running
            _, status, usage = os.wait4(ended.si_pid, 0)
            self._tell(ended.si_pid, ExitStatus.from_wait(status, usage))
        # Kill the children that descend from ended workers, whatever their process group. A child that is not
        # a worker may also be a copy that has yet to be adopted, or a descendant of a running worker. When a
        # stray ends, the zygote inherits its children, and their end causes the next call.
        for pid in supervision.children() - self._pids.keys():
            number = supervision.worker_of(pid)
            if number is not None and number not in self._workers:
                _kill_group(pid)

    def _tell(self, pid: int, status: ExitStatus) -> None:
        number = self._pids.pop(pid, None)
        path = self._directory / str(pid)
        try:
            path.rmdir()
        except FileNotFoundError:
            pass
        except OSError:
            shutil.rmtree(path, ignore_errors=True)  # the rest is removed with the zygote's own folder
        if not self._pids:
            self._remove_own_directory()
        if number is None:
            self._unclaimed[pid] = status
            if len(self._unclaimed) > _UNCLAIMED:
                self._unclaimed.popitem(last=False)
            return
        _, pipe = self._workers.pop(number)
        with contextlib.suppress(BrokenPipeError):  # the client has closed the status pipe
            os.write(pipe, json.dumps(asdict(status)).encode())
        os.close(pipe)

    def _remove_own_directory(self) -> None:
        with contextlib.suppress(OSError):  # removed before, or a copy has yet to be adopted
            self._directory.rmdir()
        if self._directory.parent.name == "services":  # of all processes of this user
            with contextlib.suppress(OSError):  # it has other folders
                self._directory.parent.rmdir()

    def _end(self) -> None:
        for pid in self._pids:
            _kill_group(pid)
        deadline = time.monotonic() + timeouts.DESCENDANTS_END_SECONDS
        while (left := supervision.children()) and time.monotonic() < deadline:
            for pid in left:
                _kill_group(pid)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(_POLL_SECONDS)
        shutil.rmtree(self._directory, ignore_errors=True)  # the client removes it too
        self._remove_own_directory()


def _kill_group(pid: int) -> None:
    # Each worker leads a group of its own.
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all ended, or it leads no group
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _parent_of(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    except FileNotFoundError:
        return None
