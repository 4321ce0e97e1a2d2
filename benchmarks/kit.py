"""What the benchmarks share: tables, programs of known sizes, a database, and a web server."""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from optarena.datasets import datasets
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from datasets.models import DatasetVersion
    from leaderboard.models import Board

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

_BATCH: Final = 2_000


def milliseconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1000


def show(name: str, value: float, remark: str = "", unit: str = "ms") -> None:
    print(f"  {name:52}{value:10.3f} {unit}  {remark}".rstrip(), flush=True)


def aim(value: float, limit: float) -> str:
    return f"aim <= {limit:g}: {'met' if value <= limit else 'MISSED'}"


# Instructions of the programs that CompilerGym's figures were measured with.
SIZES: Final = (242, 675, 6117, 10805)
_CLOSE: Final = 1.03
_DEFINITION: Final = re.compile(r"^define .*?^}\n", re.MULTILINE | re.DOTALL)
_LINKAGE: Final = re.compile(r"\b(internal|private|dso_local|local_unnamed_addr|unnamed_addr) ")


def sized_programs(sizes: Sequence[int] = SIZES) -> dict[int, bytes]:
    # Always the same. Small programs are kernels without some of their functions, large ones are several
    # kernels in one.
    kernels = [benchmark.program() for benchmark in datasets()["kernels-v0"]]
    found = {}
    for size in sizes:
        with Module.parse(_reduced(kernels, size)) as module:
            found[module.instruction_count()] = module.bitcode()
    return found


def _reduced(kernels: list[bytes], size: int) -> bytes:
    # Without some functions of the last kernel, to reach the size.
    with Module.parse(kernels[0]) as module:
        for number, kernel in enumerate(kernels[1:], start=1):
            if module.instruction_count() >= size:
                break
            with Module.parse(kernel) as other:
                module.link(other.text().replace("@main(", f"@main{number}(").encode())
        text, count = module.text(), module.instruction_count()
    for match in reversed(list(_DEFINITION.finditer(text))):
        head = match[0].partition("\n")[0]
        declaration = _LINKAGE.sub("", head.replace("define", "declare", 1)).removesuffix(" {") + "\n"
        with Module.parse(text.replace(match[0], declaration).encode()) as smaller:
            if smaller.instruction_count() >= size:
                text, count = smaller.text(), smaller.instruction_count()
        if count <= size * _CLOSE:
            break
    return text.encode()


@contextmanager
def scratch_database(kept: Path | None = None) -> Iterator[None]:
    # PostgreSQL and Valkey, which Django of this process uses; empty, and gone afterwards unless `kept`.
    from leaderboard.embedded import EmbeddedStack  # noqa: PLC0415 - needs the extra `embedded`

    folder = kept or Path(tempfile.mkdtemp(prefix="optarena-benchmark-"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o711)
    try:
        with EmbeddedStack(folder / "state", durable=False) as stack:
            os.environ.update(stack.environment() | {"OPTARENA_LOG_LEVEL": "WARNING"})
            import django  # noqa: PLC0415 - its settings are read from the variables above
            from django.conf import settings  # noqa: PLC0415 - as above
            from django.core.management import call_command  # noqa: PLC0415 - as above
            from django.db import connection  # noqa: PLC0415 - as above

            django.setup()
            settings.ALLOWED_HOSTS = ["testserver"]
            call_command("migrate", verbosity=0)
            try:
                yield
            finally:
                connection.close_pool()  # type: ignore[attr-defined] # PostgreSQL's has one
    finally:
        if kept is None:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def counted_queries() -> Iterator[list[None]]:
    from django.db import connection  # noqa: PLC0415 - needs Django

    queries: list[None] = []

    def count(execute: Callable[..., object], *arguments: object) -> object:
        queries.append(None)
        return execute(*arguments)

    with connection.execute_wrapper(count):
        yield queries


def make_board(name: str, programs: int) -> Board:
    # Nobody runs the programs; all have 400 instructions unoptimised and 100 at -Oz.
    from tests import factories  # noqa: PLC0415 - needs Django

    counts = {"domains": {"sorting": programs}, "languages": {"c": programs}, "licences": {"MIT": programs}}
    version = factories.make_version(
        f"{name}-v0",
        statistics={**counts, "splits": {}, "workloads": 0, "runnable": 0, "metrics": {}, "packages": []},
        benchmark_count=programs,
    )
    _add_programs(version, programs)
    return factories.make_board(slug=name, title=name, description=name, dataset=version.name)


def _add_programs(version: DatasetVersion, programs: int) -> None:
    from datasets.models import Baseline, Benchmark, Blob  # noqa: PLC0415 - needs Django
    from optarena.specs.benchmark import workloads_digest  # noqa: PLC0415 - as above

    hashes = [hashlib.sha256(f"{version.name}/{number}".encode()).hexdigest() for number in range(programs)]
    blobs = Blob.objects.bulk_create(
        [Blob(sha256=one, size_bytes=10, media_type="x/y", storage_key=one) for one in hashes], _BATCH
    )
    benchmarks = Benchmark.objects.bulk_create(
        [
            Benchmark(
                version=version,
                position=number,
                uri=f"benchmark://{version.name}/{number}",
                name=str(number),
                title=str(number),
                domain="sorting",
                language="c",
                licence="MIT",
                kind=Benchmark.Kind.STORED,
                sha256=blob.sha256,
                size_bytes=10,
                blob=blob,
                workloads_sha256=workloads_digest(()),
            )
            for number, blob in enumerate(blobs)
        ],
        _BATCH,
    )
    Baseline.objects.bulk_create(
        [
            Baseline(benchmark=one, metric="ir_instructions", level=level, value=value)
            for one in benchmarks
            for level, value in (("O0", 400), ("Oz", 100))
        ],
        _BATCH,
    )


_HOST: Final = "127.0.0.1"
_WAIT_SECONDS: Final = 60.0
_BACK_ENDS: Final = """
SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


@dataclass(frozen=True)
class Cost:
    wall: float  # milliseconds until the last byte arrived; depends on whatever else the machine does
    busy: tuple[float, float]  # processor time of the web server and of PostgreSQL


class WebServer:
    def __init__(self) -> None:
        self._socket = socket.create_server((_HOST, 0))
        descriptor = self._socket.fileno()
        self._process = subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, "-m", "leaderboard.web_server", "--fd", str(descriptor)],
            cwd=ROOT,
            pass_fds=[descriptor],
        )
        self._connection = http.client.HTTPConnection(
            _HOST, self._socket.getsockname()[1], timeout=_WAIT_SECONDS
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.wait()
        self._socket.close()

    def ask(self, path: str, cookies: str = "") -> Cost:
        before = self._busy()
        start = time.perf_counter()
        self._connection.request("GET", path, headers={"Cookie": cookies} if cookies else {})
        answer = self._connection.getresponse()
        content = answer.read()
        wall = 1000 * (time.perf_counter() - start)
        if answer.status != http.HTTPStatus.OK:
            raise SystemExit(f"{path}: {answer.status} {content[:500]!r}")
        web, database = (after - since for after, since in zip(self._busy(), before, strict=True))
        return Cost(wall, (web, database))

    def _busy(self) -> tuple[float, float]:
        from django.db import connection  # noqa: PLC0415 - needs Django

        with connection.cursor() as cursor:
            cursor.execute(_BACK_ENDS)
            back_ends = [pid for (pid,) in cursor.fetchall()]
        return _processor_milliseconds([self._process.pid]), _processor_milliseconds(back_ends)


def _processor_milliseconds(processes: Iterable[int]) -> float:
    nanoseconds = 0
    for process in processes:
        for thread in Path(f"/proc/{process}/task").iterdir():
            nanoseconds += int((thread / "schedstat").read_text().split()[0])
    return nanoseconds / 1e6
