"""Runs a service's process: listens, announces its endpoint, serves, and removes its files at the end.

Call it from a program's main thread: it sets signal handlers and does not restore them.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena import logs
from optarena.errors import InvalidInput
from optarena.limits import MAX_MESSAGE_BYTES, MAX_SESSIONS
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.processes import folders
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.runtime.isolated_service import IsolatedService
from optarena.service.session_process import session_types
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from optarena.service.runtime.serve_options import ServeOptions
    from optarena.service.session import CompilationSession

GRACE_SECONDS: Final = 5.0
_JOIN_SECONDS: Final = 1.0
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
_LEAST_DEBUG_LEVEL: Final = 1
_SHELL_SIGNAL_EXIT: Final = 128
_LOOK_SECONDS: Final = 1.0


def serve(session_type: str | type[CompilationSession], options: ServeOptions) -> int:
    """Run a service until SIGTERM or SIGINT; a second one ends it at once.

    Prints ``listening on ENDPOINT`` when it can be called.

    Args:
        session_type: The compiler, by name; or the class itself, to run in this process.
        options: How to run the service.

    Returns:
        The exit code of the process.

    Raises:
        InvalidInput: An option cannot be used: a port is taken, a token unreadable.
        UnknownName, PlatformNotSupported, SandboxUnavailable, ServiceError: See each class.
    """
    signals = _Signals()
    token = options.token()
    logs.configure(_LEAST_DEBUG_LEVEL + max(0, options.verbosity) * 2)
    with ExitStack() as stack:
        service = _service(session_type, options, stack)
        stack.callback(service.close)
        size = options.max_message_bytes or MAX_MESSAGE_BYTES
        server = GrpcServer(service, token=token, max_message_bytes=size, files_for_all=options.allow_files)
        endpoint = _listen(server, options, stack)
        signals.at_once(server.remove_socket)
        grace = GRACE_SECONDS if options.grace_seconds is None else options.grace_seconds
        server.start()
        stack.callback(server.stop, grace)
        if options.is_public and not token:
            _warn_of_strangers(endpoint)
        if options.working_dir is not None:
            stack.enter_context(_handshake(options.working_dir, endpoint, signals))
        print(f"listening on {endpoint}", flush=True)  # noqa: T201 # what the caller waits for
        signals.wait()
    if not server.join(_JOIN_SECONDS):  # a session in this process does not end
        os._exit(0)  # leaving normally would wait for it
    return 0


def _warn_of_strangers(endpoint: str) -> None:
    print(  # noqa: T201 # a service reports on standard error
        f"warning: other machines can reach {endpoint}, and there is no token. "
        f"Set ${TOKEN_VARIABLE} or give --token-file.",
        file=sys.stderr,
    )


def _service(
    session_type: str | type[CompilationSession], options: ServeOptions, stack: ExitStack
) -> CompilerGymService | IsolatedService:
    files = options.allow_files or not (options.is_public or options.sandbox)
    if options.in_process:
        loaded = session_types.load(session_type) if isinstance(session_type, str) else session_type
        return CompilerGymService(options.working_dir or _own_folder(stack), loaded, files=files)
    return IsolatedService(
        session_type if isinstance(session_type, str) else session_types.name_of(session_type),
        sandbox=options.sandbox,
        max_sessions=options.max_sessions or MAX_SESSIONS,
        idle_seconds=options.ends_idle_after,
        files=files,
    )


def _listen(server: GrpcServer, options: ServeOptions, stack: ExitStack) -> str:
    if options.transport == "tcp":
        return server.bind(options.address, options.port or 0)
    if options.unix is not None:
        return server.bind_unix(options.unix.absolute())
    return server.bind_unix(_own_folder(stack) / "endpoint" / "socket")  # the folder itself stays locked


def _own_folder(stack: ExitStack) -> Path:
    """A private folder, removed at the end, or by a later service if this one is killed."""
    folder, lock = folders.make_directory()
    stack.callback(os.close, lock)
    stack.callback(folders.remove_directory, folder)
    return Path(folder)


@contextmanager
def _handshake(folder: Path, endpoint: str, signals: _Signals) -> Iterator[None]:
    """The files that tell the process that started the service where it can be called."""
    port = "" if endpoint.startswith("unix:") else endpoint.rpartition(":")[2]
    contents = {"pid.txt": str(os.getpid()), "port.txt": port}
    paths = [folder / name for name, text in contents.items() if text]

    def remove() -> None:
        for path in paths:
            path.unlink(missing_ok=True)

    signals.at_once(remove)
    try:
        _write(folder, paths, contents)
        yield
    finally:
        with suppress(OSError):  # the folder was removed
            remove()


def _write(folder: Path, paths: Sequence[Path], contents: Mapping[str, str]) -> None:
    """Write each file atomically, in order: clients wait for the last one."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in paths:
            unfinished = folder / f".{path.name}.{os.getpid()}"
            unfinished.write_text(contents[path.name], encoding="ascii")
            unfinished.rename(path)
    except OSError as error:
        raise InvalidInput(
            f"--working_dir {folder} cannot be used: {error.strerror}.",
            field="working_dir",
            value=str(folder),
            remedy="Give a folder that this user may write to.",
        ) from error


class _Signals:
    """Signals to end: the first ends the process in order, the second at once."""

    def __init__(self) -> None:
        self._arrived: queue.SimpleQueue[int] = queue.SimpleQueue()  # its put may interrupt anything
        self._last_words: list[Callable[[], None]] = []
        self._count = 0
        for number in _SIGNALS:
            signal.signal(number, self._handle)

    def at_once(self, action: Callable[[], None]) -> None:
        """Add an action that runs even on an immediate end, such as removing files."""
        self._last_words.append(action)

    def wait(self) -> int:
        """Wait for the first signal.

        The system may give a signal to another thread, gRPC's for example. Then nothing wakes this one, which
        is the one that runs handlers, so it looks from time to time.
        """
        while True:
            with suppress(queue.Empty):
                return self._arrived.get(timeout=_LOOK_SECONDS)

    def _handle(self, number: int, _frame: object) -> None:
        self._count += 1
        if self._count == 1:
            self._arrived.put(number)
            return
        for action in self._last_words:
            with suppress(OSError):
                action()
        os._exit(_SHELL_SIGNAL_EXIT + number)  # the sessions' processes end with this one
