"""The lock file of a suite: the hashes of its dataset, with which any machine can check its own build.

The file is beside ``suite.toml`` and part of the repository, even if the dataset itself is too large for it.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from datasets.builder.errors import DatasetRefused, Refusal
from datasets.builder.files import whole_file
from datasets.builder.output import manifest_digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from datasets.builder.output import BuiltDataset
    from datasets.builder.suite import Suite

LOCK_FILE: Final = "lock.json"


def locked(suite: Suite, built: BuiltDataset) -> dict[str, Any]:
    """The lock of a dataset: its manifest, the packages of its sources, and each benchmark's hashes."""
    return {
        "dataset": suite.name,
        "sha256": built.manifest["sha256"],
        "manifest": manifest_digest(built.manifest),
        "packages": {one.purl: one.sha256 for one in suite.used_packages},
        "benchmarks": {
            entry["name"]: {"ir_sha256": entry["ir_sha256"], "sha256": entry["sha256"]}
            for entry in built.manifest["benchmarks"]
        },
    }


def lock_differences(folder: Path, suite: Suite, built: BuiltDataset) -> list[str]:
    """The differences between a dataset and the suite's lock file; empty if there are none.

    Raises:
        DatasetRefused: The file cannot be read.
    """
    known, fresh = _known(folder), locked(suite, built)
    if known is None:
        return [f"{LOCK_FILE} is missing"]
    old, new = known.get("benchmarks"), fresh["benchmarks"]
    old = old if isinstance(old, dict) else {}
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    found = [f"{name}: it differs from the lock file" for name in names]
    return found + [
        f"{LOCK_FILE}: {field} differs"
        for field in sorted((known.keys() | fresh.keys()) - {"benchmarks"})
        if known.get(field) != fresh.get(field)
    ]


def check_known(folder: Path, suite: Suite, *, update: bool = False) -> None:
    """Checks, before anything is built, that a released suite has its lock file.

    Raises:
        DatasetRefused: It has none, and ``update`` is false; or it cannot be read.
    """
    if _known(folder) is None and suite.released and not update:
        remedy = (
            f"{suite.name} is released: take the file from the repository, or create it with --update-lock"
        )
        raise DatasetRefused([Refusal(LOCK_FILE, f"it is missing, and {remedy}")])


def check_lock(folder: Path, suite: Suite, built: BuiltDataset, *, update: bool = False) -> None:
    """Checks that a dataset may be written: it matches the lock file, or may replace it.

    Raises:
        DatasetRefused: It may not; the message names each benchmark that differs, and what to do.
    """
    check_known(folder, suite, update=update)
    found = lock_differences(folder, suite, built)
    if not found or _known(folder) is None or (update and not suite.released):
        return
    remedy = "use --update-lock to write the new values"
    if suite.released:
        remedy = f"{suite.name} was released on {suite.released} and never changes: publish a new version"
    raise DatasetRefused([Refusal(suite.name, one) for one in found] + [Refusal(LOCK_FILE, remedy)])


def locked_manifest(folder: Path) -> str:
    """The digest of the manifest that the lock file in a suite's folder describes; empty if there is none.

    Raises:
        DatasetRefused: The file cannot be read.
    """
    return str((_known(folder) or {}).get("manifest", ""))


@contextmanager
def lock_written(folder: Path, suite: Suite, built: BuiltDataset) -> Iterator[None]:
    """Writes the lock file of a dataset, unless it says the same; it gets its name at the block's end.

    Raises:
        DatasetRefused: The existing file cannot be read.
        OSError: It cannot be written; before the block, which writes the dataset.
    """
    fresh = locked(suite, built)
    if _known(folder) == fresh:
        yield
        return
    with whole_file(folder / LOCK_FILE, (json.dumps(fresh, indent=1) + "\n").encode(), sync=True):
        yield


def _known(folder: Path) -> dict[str, Any] | None:
    try:
        known = json.loads((folder / LOCK_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        reason = f"it cannot be read: {error}. Take it from the repository, or remove it"
        raise DatasetRefused([Refusal(str(folder / LOCK_FILE), reason)]) from error
    if not isinstance(known, dict):
        raise DatasetRefused([Refusal(str(folder / LOCK_FILE), "it is not a JSON object: remove it")])
    return known
