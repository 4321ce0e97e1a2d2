"""The lock file of a suite: what its dataset is, in hashes: any machine can tell whether it made the same.

It lies beside ``suite.toml`` and is part of the repository, also where the dataset itself is too large to be.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from datasets.builder.errors import DatasetRefused, Refusal
from datasets.builder.files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.builder.output import BuiltDataset
    from datasets.builder.suite import Suite

LOCK_FILE: Final = "lock.json"


def locked(suite: Suite, built: BuiltDataset) -> dict[str, Any]:
    """The lock of a dataset: the packages it is made of, and each benchmark's hashes."""
    used = {program.package for program in suite.built} | {suite.toolchain.headers}
    return {
        "dataset": suite.name,
        "sha256": built.manifest["sha256"],
        "packages": {one.purl: one.sha256 for one in suite.packages if one.name in used},
        "benchmarks": {
            entry["name"]: {"ir_sha256": entry["ir_sha256"], "sha256": entry["sha256"]}
            for entry in built.manifest["benchmarks"]
        },
    }


def check_lock(folder: Path, suite: Suite, built: BuiltDataset, *, update: bool = False) -> None:
    """Compares a dataset with the suite's lock file; writes the file where there is none, or to update it.

    Raises:
        DatasetRefused: The dataset is another one than the lock file says; names each benchmark.
    """
    path, fresh = folder / LOCK_FILE, locked(suite, built)
    known: dict[str, Any] | None = None
    if path.exists():
        known = json.loads(path.read_text(encoding="utf-8"))
    if known == fresh:
        return
    if known is None or (update and not suite.released):
        write_whole(path, (json.dumps(fresh, indent=1) + "\n").encode())
        return
    refusals = [Refusal(name, "it differs from the lock file") for name in _changed(known, fresh)]
    remedy = "--update-lock takes the new ones"
    if suite.released:
        remedy = f"{suite.name} was released on {suite.released} and never changes: publish a new version"
    raise DatasetRefused([*refusals, Refusal(str(path.name), remedy)])


def _changed(known: dict[str, Any], fresh: dict[str, Any]) -> list[str]:
    old, new = known.get("benchmarks", {}), fresh["benchmarks"]
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    packages = known.get("packages"), fresh["packages"]
    return names if packages[0] == packages[1] else [*names, "packages"]
