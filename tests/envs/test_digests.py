"""What must stay as it is: identities of results, the shipped IR of our C sources, the length of a step."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest

import optarena
from optarena.datasets import Dataset, datasets
from optarena.native import compile_source
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from types import FrameType

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


PACKAGE = Path(optarena.__file__).parent
SOURCES = sorted(PACKAGE.rglob("native/*.c"))


def test_three_rooms_have_sources() -> None:
    assert {source.relative_to(PACKAGE).parts[0] for source in SOURCES} == {
        "gpu_kernels",
        "llvm",
        "loop_tool",
    }


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(PACKAGE)))
def test_the_shipped_ir_is_what_the_pinned_clang_makes_of_the_source(source: Path, clang: Path) -> None:
    assert compile_source(source, clang) == source.with_suffix(".ll").read_text()


MOST_FILES = 6
MOST_CALLS = 45


def test_a_step_makes_few_calls_in_few_files() -> None:
    calls: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and Path(code.co_filename).is_relative_to(PACKAGE):
            calls.append((str(Path(code.co_filename).relative_to(PACKAGE)), code.co_qualname))

    made: Any = gymnasium.make("optarena/llvm-ic-v0", observation_space="Autophase")
    with made:
        env = made.unwrapped
        env.reset()
        for action in (3, 5, 7):  # what is asked for the first time takes more calls
            env.step(action)
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            env.step(11)
        finally:
            sys.setprofile(before)
    assert len({file for file, _ in calls}) <= MOST_FILES, calls
    assert len(calls) <= MOST_CALLS, calls
