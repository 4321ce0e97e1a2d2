"""Measures building, running, loading, listing and downloading datasets, beside lower bounds of the machine.

    python benchmarks/dataset_times.py [--only build|run|list|download] [--suite NAME] [--rows N]
        [--repeats N]

*build* builds a suite from the packages' archives, without any other cached files, and prints the seconds of
each program. *run* runs all workloads of some programs, and prints the times beside those of compiling the
program again for every workload. *list* loads a dataset of N benchmarks (100,000) and one of 1,000 into a
scratch server, asks the same pages of both in turns, and prints the queries, the times, and their ratio.
*download* asks that server for the archive of the large one, and prints the speed beside that of reading the
bytes from a file.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest import mock

from measuring import medians, show

from optarena.datasets import DatasetProgram, datasets, write_manifest
from optarena.llvm import execution
from optarena.machine_code.objects import MAX_BYTES, ObjectCache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leaderboard.embedded import EmbeddedStack
    from leaderboard.embedded.server import Server
    from optarena.datasets import Benchmark

ROOT: Final = Path(__file__).resolve().parents[1]
FEW: Final = 1_000
RUNS: Final = 3
BASE: Final = "few-v0"
MANY: Final = "many-v0"
PROGRAMS: Final = ("siphash", "lua", "lz4", "sqlite")
_DOMAINS: Final = ("compression", "crypto", "parsing", "sorting")
_SPLITS: Final = ("train", "train", "validation", "test")


def build(suite: str) -> None:
    """Build a suite with a cache that holds only the archives."""
    from datasets.builder.build import build_suite  # noqa: PLC0415 - needs the extra `build`
    from datasets.builder.build_context import Workshop  # noqa: PLC0415 - needs the extra `build`
    from datasets.builder.reading import read_suite  # noqa: PLC0415 - needs the extra `build`
    from datasets.builder.units import build_units  # noqa: PLC0415 - needs the extra `build`

    described = read_suite(ROOT / "datasets/suites" / suite)
    kept = Workshop.of(described)
    for package in described.used_packages:
        kept.sources.archive(package)
    folder = Path(tempfile.mkdtemp(prefix="optarena-benchmark-"))
    try:
        if described.used_packages:
            (folder / "archives").symlink_to(kept.folder / "archives")
        print(f"build of {suite}, {os.cpu_count()} processors")
        start = time.perf_counter()
        (build_units if described.units else build_suite)(
            Workshop.of(described, folder),
            on_program=lambda program, seconds: show(program.name, seconds, unit="s "),
        )
        show("all, in parallel", time.perf_counter() - start, unit="s ")
    finally:
        shutil.rmtree(folder)


def run(repeats: int) -> None:
    """Run the workloads of programs of some sizes, compiling each program once, and once for each."""

    def run_all(benchmark: Benchmark, kept_bytes: int) -> None:
        with mock.patch.object(execution, "objects", ObjectCache(kept_bytes)):
            for workload in benchmark.workloads:
                ended = execution.run_program(benchmark.program(), args=workload.args, stdin=workload.stdin)
                assert execution.failure_of(ended) is None, f"{benchmark.uri} {workload.name}"  # noqa: S101 - a check of the measurement

    print("run of all workloads; ratio to compiling the program for each of them")
    for name in PROGRAMS:
        benchmark = datasets().benchmark(f"benchmark://programs-v0/{name}")
        sizes = {"each": 0, "once": MAX_BYTES}
        times = medians(
            {how: lambda one=benchmark, size=size: run_all(one, size) for how, size in sizes.items()}, repeats
        )
        remark = f"{times['once'] / times['each']:.2f} x {times['each']:.0f} ms"
        show(f"{name}, {len(benchmark.workloads)} workloads", times["once"], remark)


def write_dataset(parent: Path, name: str, count: int) -> Path:
    """A dataset of small programs that differ in every property that lists show."""
    folder = parent / name
    folder.mkdir()
    programs = []
    for number in range(count):
        file = f"p{number:06}.txt"
        (folder / file).write_text(f"program {number} of {name}\n")
        programs.append(
            DatasetProgram(
                file=file,
                domain=_DOMAINS[number % len(_DOMAINS)],
                split=_SPLITS[number % len(_SPLITS)],
                baselines={"ir_instructions": {"O0": 1000 + number % 5000, "Oz": 500 + number % 400}},
            )
        )
    about = f"{count} programs of a benchmark"
    write_manifest(folder, title=about, description=about, licence="MIT", programs=programs)
    return folder


@contextmanager
def scratch_server() -> Iterator[tuple[EmbeddedStack, Server]]:
    """A server with an empty database; Django of this process uses the same."""
    from leaderboard.embedded import EmbeddedStack  # noqa: PLC0415 - needs the extra `embedded`
    from leaderboard.embedded.server import Server, listen  # noqa: PLC0415 - needs the extra `embedded`

    folder = Path(tempfile.mkdtemp(prefix="optarena-benchmark-"))
    try:
        with EmbeddedStack(folder / "state", durable=False) as stack:
            os.environ.update(stack.environment() | {"OPTARENA_LOG_LEVEL": "WARNING"})
            server = Server(stack, listener=listen(18700))
            server.bootstrap()
            import django  # noqa: PLC0415 - its settings are read from the variables above

            django.setup()
            try:
                yield stack, server
            finally:
                server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def load(name: str, count: int) -> None:
    """Make and load a dataset."""
    from datasets.services import load_dataset  # noqa: PLC0415 - needs a database

    with tempfile.TemporaryDirectory() as parent:
        folder = write_dataset(Path(parent), name, count)
        start = time.perf_counter()
        load_dataset(manifest_dir=folder)
        show(f"load {count:,} benchmarks", time.perf_counter() - start, unit="s ")


def listing(rows: int, repeats: int) -> None:
    """Request the same pages of a large and of a small dataset."""
    from django.conf import settings  # noqa: PLC0415 - needs a database
    from django.db import connection  # noqa: PLC0415 - needs a database
    from django.test import Client  # noqa: PLC0415 - needs a database
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415 - needs a database

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    pages = {
        "dataset page": "/datasets/{name}/",
        "dataset page, a filter": "/datasets/{name}/?split=test&domain=sorting",
        "dataset page, a search": "/datasets/{name}/?search=00042",
        "benchmark page": "/datasets/{name}/p000042/",
        "API, first page": "/api/v1/datasets/{name}/benchmarks/",
        "API, a filter": "/api/v1/datasets/{name}/benchmarks/?split=test",
        "API, one benchmark": "/api/v1/datasets/{name}/benchmarks/p000042/",
        "list of datasets": "/datasets/",
    }
    print(f"list: {rows:,} benchmarks beside {FEW:,}; milliseconds, queries, ratio of the times")
    for title, page in pages.items():
        addresses = {name: page.format(name=name) for name in (BASE, MANY)}
        queries = {}
        for name, address in addresses.items():
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(address)
            assert answer.status_code == 200, f"{address}: {answer.status_code}"  # noqa: S101, PLR2004 - OK
            queries[name] = len(captured)
        times = medians(
            {name: lambda address=a: client.get(address) for name, a in addresses.items()}, repeats
        )
        ratio = f"{times[MANY] / times[BASE]:.2f} x {times[BASE]:.1f} ms"
        show(title, times[MANY], f"{queries[MANY]} queries (few: {queries[BASE]}), {ratio}")


def downloading(url: str, repeats: int) -> None:
    """Download the archive of the large dataset over HTTP."""
    address = f"{url}/api/v1/datasets/{MANY}/archive/"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "archive.tar"
        with urllib.request.urlopen(address) as answer, file.open("wb") as out:  # noqa: S310 - the server above
            shutil.copyfileobj(answer, out, 1 << 20)
        size = file.stat().st_size / 1e6

        def fetch() -> None:
            with urllib.request.urlopen(address) as answer:  # noqa: S310 - the server started above
                while answer.read(1 << 20):
                    pass

        def read() -> None:
            with file.open("rb") as content:
                while content.read(1 << 20):
                    pass

        times = medians({"disk": read, "http": fetch}, repeats)
    print(f"download of {size:.0f} MB from the web server")
    show("reading the file", size / times["disk"] * 1000, unit="MB/s")
    ratio = times["disk"] / times["http"]
    show("HTTP", size / times["http"] * 1000, f"{ratio:.2f} of the file's speed", unit="MB/s")


def main() -> None:
    """Run the requested parts."""
    sys.path.insert(0, str(ROOT))  # before this file's folder, where this file hides a package of its name
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=("build", "run", "list", "download"))
    parser.add_argument("--suite", default="programs-v0", help="the suite to build (%(default)s)")
    parser.add_argument("--rows", type=int, default=100_000, help="size of the large dataset (%(default)s)")
    parser.add_argument("--repeats", type=int, default=20)
    given = parser.parse_args()
    if given.only in (None, "build"):
        build(given.suite)
    if given.only in (None, "run"):
        run(RUNS)
    if given.only in ("build", "run"):
        return
    with scratch_server() as (_, server):
        load(BASE, FEW)
        load(MANY, given.rows)
        if given.only in (None, "list"):
            listing(given.rows, given.repeats)
        if given.only in (None, "download"):
            server.start()
            downloading(server.url, given.repeats)


if __name__ == "__main__":
    main()
