"""``python -m leaderboard.web_server``: serve the application on an address, or on an inherited socket."""

from __future__ import annotations

import argparse
import gc
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from types import FrameType
from typing import Final

from django.core.exceptions import ImproperlyConfigured

# A request waits no longer for a connection to the database; workers and commands are more patient.
DATABASE_WAIT_SECONDS: Final = "5"
# No statement of a request takes so long unless the database hangs; workers and commands wait longer.
DATABASE_ANSWER_SECONDS: Final = "10"
# One for each thread, for each that waits until a client reads more, and one to spare.
DATABASE_CONNECTIONS: Final = "12"
SPARE_DESCRIPTORS: Final = 512
QUIET_SECONDS: Final = 1.0  # Most likely, nobody waits for a collection after so long without a request.
# Collections of the younger objects after which a full one is worth its time; Python's own number.
MOST_YOUNG: Final = 10
# Collections of the younger objects after which a full one does not wait for a moment of rest.
MOST_OVERDUE: Final = 100
MOST_EXAMINED: Final = 100_000  # Objects that a collection examines in some ten milliseconds.
# A thread back from a system call waits so long for one that computes. The loop makes several calls for each
# request; with Python's own 5 ms it was full at some 50 requests a second while pages were made.
SWITCH_SECONDS: Final = 0.0005


def listening_socket(options: argparse.Namespace) -> socket.socket:
    if options.fd is not None:
        return socket.socket(fileno=options.fd)
    host, port = options.bind
    is_six = ":" in host
    family = socket.AF_INET6 if is_six else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, dualstack_ipv6=host == "::")
    except OSError as error:
        raise SystemExit(f"It cannot listen on {host}, port {port}: {error.strerror}.") from error


def address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not (port.isdecimal() and 0 < int(port) < 65536):  # noqa: PLR2004 - ports are 16 bits wide
        raise argparse.ArgumentTypeError(f"{text!r} is not an address and a port, such as 127.0.0.1:8000")
    return host.removeprefix("[").removesuffix("]"), int(port)


def load() -> None:
    # The first requests would wait for views and templates; no collection examines what is loaded here.
    from django.apps import apps  # noqa: PLC0415 - needs the settings
    from django.template.loader import get_template  # noqa: PLC0415 - as above
    from django.urls import resolve  # noqa: PLC0415 - as above

    from datasets.site.formats import highlighted  # noqa: PLC0415 - as above
    from optarena.specs import environment_specs  # noqa: PLC0415 - loads the compilers' descriptions

    resolve("/")
    for language in {spec.state_language for spec in environment_specs()}:
        highlighted("", language)
    for app in apps.get_app_configs():
        if app.name.partition(".")[0] in {"datasets", "leaderboard", "runner"}:
            folder = Path(app.path, "templates")
            for path in folder.rglob("*.html"):
                get_template(path.relative_to(folder).as_posix())
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, MOST_OVERDUE)


def collect_at_rest(quiet_seconds: float) -> None:
    # All requests wait for a full collection. Once caches make it long, later ones no longer examine what is
    # there. What is exempt and refers to itself would never be freed, so this, too, is done only at rest.
    if quiet_seconds >= QUIET_SECONDS and gc.get_count()[2] >= MOST_YOUNG:
        gc.collect()
        if len(gc.get_objects()) > MOST_EXAMINED:
            gc.freeze()


def raise_descriptor_limit(connections: int) -> None:
    # A file for each connection, besides its socket.
    wanted = 2 * connections + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def main() -> None:
    parser = argparse.ArgumentParser(prog="leaderboard.web_server", description=__doc__)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--bind", type=address, help="address and port, for example 127.0.0.1:8000 or [::]:8000"
    )
    where.add_argument("--fd", type=int, help="number of an inherited listening socket")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    os.environ.setdefault("OPTARENA_DATABASE_WAIT_SECONDS", DATABASE_WAIT_SECONDS)
    os.environ.setdefault("OPTARENA_DATABASE_ANSWER_SECONDS", DATABASE_ANSWER_SECONDS)
    os.environ.setdefault("OPTARENA_DATABASE_POOL_SIZE", DATABASE_CONNECTIONS)
    try:
        from leaderboard.wsgi import application  # noqa: PLC0415 - loads the apps, which the next import needs
    except ImproperlyConfigured as error:  # a setting cannot be used; the text names it and says what can
        raise SystemExit(f"error: {error}") from None
    from django.conf import settings  # noqa: PLC0415 - as above

    from leaderboard.web_server.server import THREADS, WebServer, configured_limits  # noqa: PLC0415 - as above

    if pool := settings.DATABASES["default"]["OPTIONS"].get("pool"):
        pool["min_size"] = min(THREADS, pool["max_size"])  # a page that needs one more waits until it is made
    listener = listening_socket(options)
    limits = configured_limits()
    raise_descriptor_limit(limits.connections)
    load()
    sys.setswitchinterval(SWITCH_SECONDS)
    server = WebServer(application, listener, limits=limits, at_rest=collect_at_rest)

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's signature
        server.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    server.run()


if __name__ == "__main__":
    main()
