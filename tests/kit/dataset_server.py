"""A small HTTP server that has datasets as one of OptArena has them, and misbehaves when it is told to."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from optarena.datasets import DatasetProgram, ParametricDataset, Workload, write_manifest

if TYPE_CHECKING:
    from pathlib import Path

LOOPS = ParametricDataset(
    name="loops-v0",
    title="Loops",
    description="A loop of n steps.",
    licence="MIT",
    domain="loops",
    language="C",
    low=3,
    high=7,
)
PROBLEM = {"type": "/problems/#not-found", "title": "Not found", "status": 404}


class Answer(NamedTuple):
    """What is sent."""

    status: int
    body: bytes
    etag: str = ""
    length: int | None = None
    pause: float = 0.0
    """Seconds between any two bytes."""


class DatasetServer:
    """Serves manifests, archives and programs from documents in memory; remembers what it was asked.

    Attributes:
        url: Its address.
        manifests: The bytes of each dataset's manifest.
        programs: The bytes of each benchmark's program, by dataset and path.
        archives: The bytes of each dataset's archive; none where it has none.
        deprecated: Why a dataset is deprecated.
        seconds: How long it waits before it sends a program.
        spoilt: Given the path and the answer, gives another answer.
        asked: The paths that it was asked for, with what it answered.
    """

    def __init__(self) -> None:
        self.url = ""
        self.manifests: dict[str, bytes] = {}
        self.programs: dict[tuple[str, str], bytes] = {}
        self.archives: dict[str, bytes] = {}
        self.deprecated: dict[str, str] = {}
        self.seconds = 0.0
        self.spoilt: Callable[[str, Answer], Answer] = lambda _path, answer: answer
        self.asked: list[tuple[str, int]] = []
        self.headers: list[dict[str, str]] = []

    def add(self, folder: Path) -> None:
        name = folder.name
        self.manifests[name] = (folder / "manifest.json").read_bytes()
        files = {}
        for entry in json.loads(self.manifests[name])["benchmarks"]:
            path = entry["uri"].partition(f"{name}/")[2]
            files[entry["file"]] = self.programs[name, path] = (folder / entry["file"]).read_bytes()
        members = {"manifest.json": self.manifests[name], **files}
        self.archives[name] = archive({f"{name}/{file}": content for file, content in members.items()})

    def count(self, ending: str) -> int:
        """How many requests there were of paths that end so."""
        return sum(path.endswith(ending) for path, _ in self.asked)

    def answer(self, path: str, match: str) -> Answer:
        parts = unquote(path).removeprefix("/api/v1/").strip("/").split("/")
        found: bytes | None = None
        match parts:
            case ["datasets"]:
                rows = [self._row(name) for name in sorted(self.manifests)]
                return Answer(200, json.dumps({"results": rows, "next": None, "previous": None}).encode())
            case ["datasets", name] if name in self.manifests:
                return Answer(200, json.dumps(self._row(name)).encode())
            case ["datasets", name, "manifest"]:
                found = self.manifests.get(name)
            case ["datasets", name, "archive"]:
                found = self.archives.get(name)
            case ["datasets", name, "benchmarks", *rest] if rest and rest[-1] == "bitcode":
                time.sleep(self.seconds)
                found = self.programs.get((name, "/".join(rest[:-1])))
        if found is None:
            return Answer(404, json.dumps(PROBLEM).encode())
        etag = f'"{hashlib.sha256(found).hexdigest()}"'
        return Answer(304, b"", etag) if match == etag else Answer(200, found, etag)

    def _row(self, name: str) -> dict[str, object]:
        raw = json.loads(self.manifests[name])
        return {
            "name": name,
            **{key: raw.get(key, "") for key in ("title", "licence")},
            "licences": sorted({one["licence"] for one in raw.get("benchmarks", ())}),
            "kind": raw.get("kind", "stored"),
            "benchmark_count": len(raw.get("benchmarks", ())),
            "deprecated": self.deprecated.get(name, ""),
        }


class _Quiet(ThreadingHTTPServer):
    """Clients of tests close connections early; the tests' own standard error stays empty."""

    def handle_error(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def serving(*folders: Path) -> Iterator[DatasetServer]:
    """A server on a free port with the datasets of some folders."""
    known = DatasetServer()
    for folder in folders:
        known.add(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            planned = known.answer(self.path, self.headers.get("If-None-Match", ""))
            sent = known.spoilt(self.path, planned)
            known.asked.append((self.path, sent.status))
            known.headers.append(dict(self.headers))
            self.send_response(sent.status)
            self.send_header("Content-Type", "application/json")
            if sent.status != 304:
                self.send_header(
                    "Content-Length", str(len(sent.body) if sent.length is None else sent.length)
                )
            if sent.etag:
                self.send_header("ETag", sent.etag)
            self.end_headers()
            for piece in [sent.body] if not sent.pause else (bytes([one]) for one in sent.body):
                time.sleep(sent.pause)
                self.wfile.write(piece)

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    with _Quiet(("127.0.0.1", 0), Handler) as server:
        known.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield known
        finally:
            server.shutdown()
            thread.join()


def archive(members: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return made.getvalue()


def make_dataset(folder: Path, *names: str, size: int = 1000) -> Path:
    """A dataset whose programs are ``size`` bytes each, the same for the same name."""
    folder.mkdir(parents=True)
    programs = []
    for index, name in enumerate(names):
        file = f"blobs/{name.replace('/', '-')}.bc"
        (folder / "blobs").mkdir(exist_ok=True)
        (folder / file).write_bytes(b"BC\xc0\xde" + name.encode().ljust(size - 4, b"."))
        programs.append(
            DatasetProgram(
                file=file,
                name=name,
                domain=("sorting", "hashing")[index % 2],
                language="C",
                licence=("MIT", "Zlib")[index % 2],
                split=("train", "test")[index % 2],
                tags=("small",),
                source={"package": "lz4", "files": ["a.c", "b.c"]},
                baselines={"ir_instructions": {"O0": 100 + index, "Oz": 50}},
                workloads=(Workload(name="w", args=("1", "2"), expected_stdout=b"3\n"),),
            )
        )
    write_manifest(
        folder,
        title="Remote & programs",
        description="Programs of a server.",
        licence="MIT",
        programs=programs,
        toolchain={"clang": "22.1.8"},
        released="2026-11-21",
        upstream="https://arena.example.org/",
    )
    return folder
