"""Identities that results depend on: a stored result keeps its meaning only while these stay as they are."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from optarena.datasets import Dataset, datasets
from optarena.specs import environment_spec

RELEASED = json.loads((Path(__file__).parent / "data/digests.json").read_text())


@pytest.mark.parametrize(("slug", "digest"), RELEASED["environments"].items())
def test_the_version_of_an_environment_stays(slug: str, digest: str) -> None:
    assert environment_spec(slug).digest == digest


@pytest.mark.parametrize(("name", "digest"), RELEASED["datasets"].items())
def test_the_content_of_a_dataset_stays(name: str, digest: str) -> None:
    dataset = datasets()[name]
    if isinstance(dataset, Dataset):
        found = hashlib.sha256((dataset.folder / "manifest.json").read_bytes()).hexdigest()
    else:
        found = dataset.definition()["sha256"]
    assert found == digest


def test_every_environment_and_dataset_of_the_package_is_held() -> None:
    """In a process of its own: other tests register more."""
    listing = (
        "import json; from optarena.datasets import datasets; from optarena.specs import environment_specs; "
        "print(json.dumps([[spec.slug for spec in environment_specs()], list(datasets().names)]))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPTARENA_")}
    environment["OPTARENA_SITE_DATA"] = os.devnull
    done = subprocess.run(
        [sys.executable, "-c", listing], env=environment, capture_output=True, text=True, check=True
    )
    slugs, names = json.loads(done.stdout)
    assert set(slugs) == set(RELEASED["environments"])
    assert set(names) == set(RELEASED["datasets"])
