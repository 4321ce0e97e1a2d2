"""The real servers behind the tests: started when the first test needs them, stopped after the last one.

With ``OPTARENA_DATABASE_URL`` set, that database (and ``OPTARENA_BROKER_URL``) is used instead.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import heapq
import itertools
import logging
import os
import shutil
import signal
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from operator import itemgetter
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.kit import training
from tests.kit.background import BACKGROUND, BUILD_CPP_SERVICE, MYPY, lock_file
from tests.kit.examples import examples
from tests.kit.folders import MEMORY, remove_short_folders, short_folder
from tests.kit.stack import Stack, with_plugins
from tests.kit.tools import GRPC_CPP, in_ci

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import TransactionTestCase
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

    from leaderboard.embedded import EmbeddedStack

TEST_SECRET_KEY = "only-for-tests-" + "0123456789" * 4
SERVERS = {"db", "transactional_db", "embedded", "broker", "stack"}
"""Fixtures that start PostgreSQL or Valkey."""
SLOWEST = 10
"""Files that are named at the end of a run."""
RUNNING = ExitStack()
"""The whole server of this process."""
# No test fails because the machine is slow, and tests may draw examples against one database.
settings.register_profile(
    "suite",
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
settings.load_profile("suite")


def pytest_configure() -> None:
    """Give Django a secret key; pytest-django has read the settings before this file."""
    from django.conf import settings  # noqa: PLC0415 - as above
    from django.test import TransactionTestCase  # noqa: PLC0415 - as above

    # Tests leave few cycles of objects, and the search for them would take a twentieth of the time.
    gc.set_threshold(50_000)
    # Hundreds of polls in a failure's report would hide what went wrong.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    if "OPTARENA_SECRET_KEY" not in os.environ:
        settings.SECRET_KEY = TEST_SECRET_KEY
    # Most tests start no Valkey, and one that runs on this machine is somebody else's.
    settings.CACHES = {**settings.CACHES, "default": settings.CACHES["local"]}
    # Only tests about it wait for the calibration of this machine.
    settings.OPTARENA_CALIBRATION_SECONDS = 0
    # Hashing a password takes a quarter of a second by design; tests that are not about it need not wait.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Django's flush takes longer than most tests: it makes every table anew, and all permissions.
    pytest.MonkeyPatch().setattr(TransactionTestCase, "_fixture_teardown", _delete_rows)
    # Each client of a test makes the middleware anew, which would look for all static files.
    settings.WHITENOISE_AUTOREFRESH = True
    # Started by a script in the background, or by nohup: what tests start and interrupt would not notice.
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and "OPTARENA_TRANSIENT_CACHE" not in os.environ:
        # Tests look for what they have left there, and would find what those of the other process use.
        in_memory = {"parent": MEMORY} if os.access(MEMORY, os.W_OK) else {}
        os.environ["OPTARENA_TRANSIENT_CACHE"] = str(short_folder(0o700, **in_memory))
    if worker and "OPTARENA_LOCKS" not in os.environ:
        # A replay of one process that has the machine for itself must not hold up those of another's tests.
        os.environ["OPTARENA_LOCKS"] = str(short_folder(0o1777))
    if not worker:
        atexit.register(remove_short_folders)  # the other processes of an interrupted run cannot


def _delete_rows(_: TransactionTestCase) -> None:
    """Delete what a test without a transaction around it has written."""
    from django.apps import apps  # noqa: PLC0415 - settings are ready only once pytest-django is
    from django.db import connection  # noqa: PLC0415 - as above

    from optarena.specs import environment_specs  # noqa: PLC0415 - as above
    from runner.models import EnvironmentVersion  # noqa: PLC0415 - as above
    from runner.queue.wakeups import sync_environment_versions  # noqa: PLC0415 - as above

    kept = {"django_content_type", "auth_permission", EnvironmentVersion._meta.db_table}
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)} - kept
    filled = " UNION ALL ".join(f"SELECT '{one}' WHERE EXISTS (SELECT FROM {one})" for one in tables)  # noqa: S608 - our tables
    with connection.cursor() as cursor:
        cursor.execute(filled)
        names = [name for (name,) in cursor.fetchall()]
        # Without foreign keys, which ask for an order, and triggers, which keep what may not be deleted.
        deletions = "".join(f"DELETE FROM {name};" for name in names)  # noqa: S608 - as above
        cursor.execute(f"SET session_replication_role = replica;{deletions}RESET session_replication_role")
    EnvironmentVersion.objects.exclude(digest__in=[spec.digest for spec in environment_specs()]).delete()
    sync_environment_versions()


@pytest.fixture(scope="session")
def state_folder() -> Iterator[Path]:
    """A folder for servers' state that `nobody` can reach and whose path is short enough for sockets."""
    path = short_folder(0o711)
    yield path
    shutil.rmtree(path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Have tests that share servers done by one process of the run, and the rest file by file."""
    from tests.scheduling import RoomScheduling  # noqa: PLC0415 - only where there are several processes

    return RoomScheduling(config, log)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs servers, so that ``./run test --fast`` leaves it out."""
    needs = SERVERS.intersection(getattr(item, "fixturenames", ()))
    if needs or item.get_closest_marker("django_db") or item.get_closest_marker("stack"):
        item.add_marker("server")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where several processes share the tests, have no processor wait in the end."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        from tests.scheduling import sort_by_file  # noqa: PLC0415 - only where there are several processes

        sort_by_file(items)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Of several processes, have one collect before the others: it compiles what all of them import."""
    gc.disable()  # until the end of the collection: all that it makes is kept
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return (yield)
    chosen = {path.rstrip("/") for path in session.config.args}
    option = session.config.option
    has_quality = chosen & {"tests", "tests/quality"} and not option.markexpr.startswith("soak")
    if _is_last() and has_quality and not option.keyword:
        BACKGROUND.begin(MYPY)
    with lock_file("collecting").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        return (yield)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin at once what some of the chosen tests will wait for."""
    gc.enable()
    if session.config.option.collectonly:
        return
    # Thousands of tests are collected; each full collection of garbage would examine them all.
    gc.collect()
    gc.freeze()
    if not _is_last():
        return  # of several processes one is enough; the first ones are busy with servers
    if any("cpp_service" in getattr(item, "fixturenames", ()) for item in session.items) and GRPC_CPP.find():
        BACKGROUND.begin(_build_cpp_service(session.config))
    if any(item.nodeid.endswith("::test_types_agree") for item in session.items):
        BACKGROUND.begin(MYPY)
    if any(item.get_closest_marker("rl") for item in session.items):
        BACKGROUND.begin(training.command(training.folder(session.config)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Stop the whole server after its last test: it looks for work as long as it runs."""
    try:
        return (yield)
    finally:
        if nextitem is not None and "PYTEST_XDIST_WORKER" in os.environ:
            from tests.scheduling import shares_server  # noqa: PLC0415 - only where there are several processes

            if shares_server(item.nodeid) and not shares_server(nextitem.nodeid):
                RUNNING.close()


def _is_last() -> bool:
    number = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) - 1
    return os.environ.get("PYTEST_XDIST_WORKER", f"gw{number}") == f"gw{number}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the files that took longest, so that a test which slows the run down is seen."""
    seconds: dict[str, float] = defaultdict(float)
    for report in itertools.chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    terminalreporter.section(f"slowest {SLOWEST} of {len(seconds)} files")
    for file, duration in heapq.nlargest(SLOWEST, seconds.items(), key=itemgetter(1)):
        terminalreporter.write_line(f"{duration:7.1f} s  {file}")


def pytest_unconfigure() -> None:
    """Leave nothing running."""
    BACKGROUND.end()


def _build_cpp_service(config: pytest.Config) -> tuple[str, ...]:
    return (*BUILD_CPP_SERVICE, f"OUT={_cpp_folder(config)}")


def _cpp_folder(config: pytest.Config) -> Path:
    """A folder of the whole run: several processes may need what is built there."""
    factory: pytest.TempPathFactory = config._tmp_path_factory  # what the fixture of that name gives
    own = factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cpp-service"


@pytest.fixture(scope="session")
def cpp_service(request: pytest.FixtureRequest) -> Path:
    """The service in C++ of the examples, built once for the whole run: an executable."""
    if GRPC_CPP.find() is None:
        reason = f"gRPC for C++ is not installed: apt-get install {' '.join(GRPC_CPP.packages)}"
        pytest.fail(reason) if in_ci() else pytest.skip(reason)
    code, output = BACKGROUND.result(_build_cpp_service(request.config))
    assert code == 0, output
    return _cpp_folder(request.config) / "stack_service"


@pytest.fixture(scope="session")
def embedded(state_folder: Path) -> Iterator[EmbeddedStack]:
    """PostgreSQL and Valkey for the whole run."""
    from leaderboard.embedded import EmbeddedStack  # noqa: PLC0415 - only when a test needs it

    with EmbeddedStack(state_folder / "session", durable=False) as stack:
        yield stack


@pytest.fixture(scope="session")
def broker(request: pytest.FixtureRequest) -> str:
    """The address of a real Valkey, set in the settings and in the Celery application."""
    from django.conf import settings  # noqa: PLC0415 - settings are ready only once pytest-django is

    from leaderboard.celery import app  # noqa: PLC0415 - as above

    given = os.environ.get("OPTARENA_BROKER_URL")
    address: str = given or request.getfixturevalue("embedded").valkey.url
    settings.CELERY_BROKER_URL = address
    app.conf.broker_url = address
    app.pool.force_close_all()
    app.set_current()
    return address


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    """Lead Django to the embedded PostgreSQL before pytest-django makes its test database there."""
    if "OPTARENA_DATABASE_URL" in os.environ:
        return
    from django.db import connections  # noqa: PLC0415 - settings are ready only once pytest-django is

    stack: EmbeddedStack = request.getfixturevalue("embedded")
    target = connections.settings["default"]
    at = stack.postgres.client_environment()
    names = {"HOST": "PGHOST", "USER": "PGUSER", "PASSWORD": "PGPASSWORD", "NAME": "PGDATABASE"}
    target.update({"PORT": "", **{setting: at[variable] for setting, variable in names.items()}})
    # Threads of tests come and go, and one that ends with a connection would take it from a pool for good.
    target["OPTIONS"] = {name: value for name, value in target["OPTIONS"].items() if name != "pool"}


@pytest.fixture(scope="session")
def stack(state_folder: Path) -> Iterator[Stack]:
    """Web, worker, sweeper, PostgreSQL and Valkey, with the shipped dataset and board, and plug-ins'."""
    from leaderboard.embedded import EmbeddedStack  # noqa: PLC0415 - only when a test needs it
    from leaderboard.embedded.server import Server, listen  # noqa: PLC0415 - as above

    with RUNNING:
        embedded_stack = RUNNING.enter_context(EmbeddedStack(state_folder / "stack"))
        environment = {
            **with_plugins(embedded_stack.environment()),
            "OPTARENA_LEASE_SECONDS": "6",
            "OPTARENA_HEARTBEAT_SECONDS": "2",
            "OPTARENA_SWEEP_SECONDS": "3",
            "OPTARENA_IDLE_PRESSURE": "100",
            "OPTARENA_PUZZLES": "0",  # to find one, it would search for minutes
            "OPTARENA_MINIMISE": "0",  # beside other tests, the worker would minimise all that they submit
            "OPTARENA_THROTTLE_SIGNUP": "1000/min",
            "OPTARENA_THROTTLE_LOGIN": "3/hour",  # a test reaches it, and each try hashes a password
        }
        server = Server(embedded_stack, listener=listen(18000), environment=environment)
        RUNNING.callback(server.stop)
        server.start()
        yield Stack(embedded_stack, server)
