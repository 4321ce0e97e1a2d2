"""Identities that results depend on: a stored result keeps its meaning only while these stay as they are."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from optarena.datasets import BUILTIN, datasets
from optarena.specs import environment_spec

RELEASED = json.loads((Path(__file__).parent / "data/digests.json").read_text())


@pytest.mark.parametrize(("slug", "digest"), RELEASED["environments"].items())
def test_the_version_of_an_environment_stays(slug: str, digest: str) -> None:
    assert environment_spec(slug).digest == digest


@pytest.mark.parametrize(("name", "digest"), RELEASED["datasets"].items())
def test_the_content_of_a_dataset_stays(name: str, digest: str) -> None:
    manifest = BUILTIN / name / "manifest.json"
    if manifest.exists():
        found = hashlib.sha256(manifest.read_bytes()).hexdigest()
    else:
        found = datasets()[name].definition()["sha256"]
    assert found == digest
