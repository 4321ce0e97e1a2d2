"""The dataset of a suite's base, of which a derived suite takes what was recorded there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from datasets.builder.errors import DatasetRefused, Refusal
from datasets.builder.lock import locked_manifest
from datasets.builder.output import manifest_digest
from optarena import limits, paths
from optarena.datasets.manifest import MANIFEST_NAME, parse_manifest, read_plain
from optarena.datasets.registry import BUILTIN

if TYPE_CHECKING:
    from datasets.builder.suite import Suite
    from optarena.datasets.manifest import ManifestBenchmark


def base_programs(suite: Suite) -> dict[str, ManifestBenchmark]:
    """The entries of the base's dataset by name; it must be the one that the base's lock file describes.

    Raises:
        DatasetRefused: There is no base, its dataset is not built, or is another one.
        InvalidDocument: The dataset's manifest is not valid.
    """
    if suite.base is None:
        raise _refused(
            suite, "a suite for GCC needs a base for clang, whose dataset has the expected outputs"
        )
    name = suite.base.name
    places = [folder / name / MANIFEST_NAME for folder in (BUILTIN, paths.site_data() / "datasets")]
    place = next((one for one in places if one.is_file()), None)
    if place is None:
        raise _refused(suite, f"its base {name} is not built yet: build it first, without --output")
    document = read_plain(place, limits.MAX_MANIFEST_BYTES)
    manifest = parse_manifest(document)
    if manifest_digest(json.loads(document)) != locked_manifest(suite.base.folder):
        raise _refused(suite, f"its base {place.parent} is not the dataset of its lock file: build it again")
    entries = {entry.name: entry for entry in manifest.benchmarks}
    if missing := sorted({program.name for program in suite.built} - entries.keys()):
        raise _refused(suite, f"its base {name} has no {', '.join(missing)}")
    return entries


def _refused(suite: Suite, reason: str) -> DatasetRefused:
    return DatasetRefused([Refusal(suite.name, reason)])
