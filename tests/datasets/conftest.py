"""Small real datasets in folders, and a blob storage of the test's own."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from datasets.services import load_dataset, load_range
from optarena.datasets import ParametricDataset

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from datasets.models import DatasetVersion

LEVELS = ("O0", "O1", "O2", "O3", "Oz")


@dataclass
class Folder:
    """A dataset on disk, which a test may change before it loads it."""

    path: Path
    manifest: dict[str, Any] = field(default_factory=dict)

    def write(self) -> Path:
        """Write the manifest with its digest; the folder."""
        lines = sorted(f"{entry['uri']} {entry['ir_sha256']}\n" for entry in self.manifest["benchmarks"])
        self.manifest["sha256"] = hashlib.sha256("".join(lines).encode()).hexdigest()
        (self.path / "manifest.json").write_text(json.dumps(self.manifest))
        return self.path

    def grow(self, name: str, count: int) -> None:
        """Make it another dataset of ``count`` benchmarks, all with the program of the first."""
        first = self.manifest["benchmarks"][0]
        self.manifest["dataset"] = name
        self.manifest["benchmarks"] = [
            {**first, "name": f"p{n}", "uri": f"benchmark://{name}/p{n}"} for n in range(count)
        ]


def entry(dataset: str, name: str, program: bytes) -> dict[str, Any]:
    """One benchmark of a manifest."""
    return {
        "uri": f"benchmark://{dataset}/{name}",
        "name": name,
        "title": f"The {name} program",
        "description": f"What {name} does.",
        "domain": "sorting",
        "language": "C",
        "licence": "MIT",
        "kind": "stored",
        "file": f"{name}.bc",
        "sha256": hashlib.sha256(program).hexdigest(),
        "size_bytes": len(program),
        "ir_sha256": hashlib.sha256(name.encode()).hexdigest(),
        "source": {"path": f"src/{name}.c", "sha256": "0" * 64, "lines": 120},
        "baselines": {
            "ir_instructions": dict(zip(LEVELS, (400, 210, 230, 260, 200), strict=True)),
            "text_size_bytes": dict(zip(LEVELS, (1600, 900, 950, 1100, 800), strict=True)),
        },
        "run_seconds": 0.25,
        "workloads": [
            {"name": "small", "args": ["10", "a b"], "stdin": "", "expected_stdout": "ok\n", "exit_code": 0},
            {"name": "input", "args": [], "stdin": "äöü\n", "expected_stdout": "äöü\n", "exit_code": 3},
        ],
    }


@pytest.fixture(autouse=True)
def blob_root(settings: SettingsWrapper, tmp_path: Path) -> Path:
    """Blobs are kept in the test's own folder."""
    root = tmp_path / "blobs"
    backend = dict(settings.STORAGES["blobs"])
    backend["OPTIONS"] = {**backend["OPTIONS"], "location": root}
    settings.STORAGES = {**settings.STORAGES, "blobs": backend}
    return root


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A dataset of three programs, not loaded yet."""
    path = tmp_path / "tiny-v0"
    path.mkdir()
    names = ("alpha", "beta", "gamma")
    programs = {name: b"BC\xc0\xde" + name.encode() * 50 for name in names}
    for name, program in programs.items():
        (path / f"{name}.bc").write_bytes(program)
    manifest = {
        "schema": 1,
        "dataset": "tiny-v0",
        "title": "Tiny programs",
        "description": "Three programs for tests.",
        "licence": "MIT",
        "toolchain": {"clang": "22.1.8", "flags": ["-Oz", "-nostdlibinc"]},
        "sha256": "",
        "benchmarks": [entry("tiny-v0", name, programs[name]) for name in names],
    }
    made = Folder(path, manifest)
    made.write()
    return made


@pytest.fixture
def version(db: None, folder: Folder) -> DatasetVersion:
    """The tiny dataset, loaded."""
    return load_dataset(manifest_dir=folder.path)


LOOPS = ParametricDataset(
    name="loops-v0",
    title="Loops <n>",
    description="A loop of n steps.",
    licence="MIT",
    domain="loops",
    language="C",
    low=1,
    high=4096,
)


@pytest.fixture
def loops_version(db: None) -> DatasetVersion:
    """A dataset whose programs are computed: one row for 1 to 4096."""
    return load_range(dataset=LOOPS)
