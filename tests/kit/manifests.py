"""Folders of datasets written by hand: manifests as those who publish a dataset would write them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from optarena.datasets import ParametricDataset

if TYPE_CHECKING:
    from pathlib import Path

LEVELS: Final = ("O0", "O1", "O2", "O3", "Oz")
LOOPS: Final = ParametricDataset(
    name="loops-v0",
    title="Loops <n>",
    description="A loop of n steps.",
    licence="MIT",
    domain="loops",
    language="C",
    low=1,
    high=4096,
)


def entry(dataset: str, name: str, program: bytes, **changes: Any) -> dict[str, Any]:
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
            {
                "name": "input",
                "args": [],
                "stdin": "äöü\n",
                "expected_stdout": "äöü\n",
                "exit_code": 3,
                "files": FILES,
            },
        ],
        **changes,
    }


# The content of a workload's file, in base 64.
FILES = {"data/a.txt": "YQD/"}


def manifest(dataset: str, entries: Sequence[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    return {
        "schema": 1,
        "dataset": dataset,
        "title": "Tiny programs",
        "description": "Three programs for tests.",
        "licence": "MIT",
        "toolchain": {"clang": "22.1.8", "flags": ["-Oz", "-nostdlibinc"]},
        "sha256": "",
        "benchmarks": list(entries),
        **changes,
    }


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


def tiny_folder(parent: Path) -> Folder:
    """The dataset tiny-v0 of three programs, which nobody can run, as a folder."""
    path = parent / "tiny-v0"
    path.mkdir()
    programs = {name: b"BC\xc0\xde" + name.encode() * 50 for name in ("alpha", "beta", "gamma")}
    for name, program in programs.items():
        (path / f"{name}.bc").write_bytes(program)
    made = Folder(path, manifest("tiny-v0", [entry("tiny-v0", *one) for one in programs.items()]))
    made.write()
    return made
