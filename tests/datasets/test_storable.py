"""Manifests that the database cannot hold: refused before anything is stored, each problem by its field."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from datasets.loading import load_dataset
from datasets.models import Blob, DatasetVersion
from optarena.errors import InvalidDocument
from optarena.specs.benchmark import RESERVED_NAMES
from tests.kit.manifests import entry

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

OPENAPI = Path(__file__).resolve().parents[2] / "docs/openapi.yaml"
CHANGES: dict[str, tuple[int | None, str, Any]] = {
    "NUL in a title": (0, "title", lambda _, one: one.update(title="a\0b")),
    "NUL in the description": (None, "description", lambda top, _: top.update(description="a\0b")),
    "NUL in a source": (0, "source.package", lambda _, one: one.update(source={"package": "a\0"})),
    "NUL in a name in a source": (0, r"source.a\x00", lambda _, one: one.update(source={"a\0": 1})),
    "NUL in a tag": (0, "tags[1]", lambda _, one: one.update(tags=["a", "a\0"])),
    "half a character in a title": (0, "title", lambda _, one: one.update(title="\ud800")),
    "half a character in a workload": (
        0,
        "workloads[0].stdin",
        lambda _, one: one["workloads"][0].update(stdin="\udfff"),
    ),
    "no number in a source": (0, "source.lines", lambda _, one: one.update(source={"lines": float("nan")})),
    "no number in the toolchain": (
        None,
        "toolchain.x[0]",
        lambda top, _: top["toolchain"].update(x=[float("inf")]),
    ),
    "a long title": (0, "title", lambda _, one: one.update(title="a" * 201)),
    "a long title of all": (None, "title", lambda top, _: top.update(title="a" * 201)),
    "a long licence of all": (None, "licence", lambda top, _: top.update(licence="a" * 101)),
    "a long domain": (0, "domain", lambda _, one: one.update(domain="a" * 61)),
    "a long language": (0, "language", lambda _, one: one.update(language="a" * 41)),
    "a long licence": (0, "licence", lambda _, one: one.update(licence="a" * 101)),
    "a long URI": (0, "uri", lambda _, one: one.update(uri="benchmark://tiny-v0/" + "a" * 300)),
    "a long path": (0, "name", lambda _, one: one.update(uri="benchmark://tiny-v0/" + "a" * 151)),
    "a long name of a workload": (
        0,
        "workloads[0].name",
        lambda _, one: one["workloads"][0].update(name="a" * 81),
    ),
    "an exit code that no process has": (
        0,
        "workloads[0].exit_code",
        lambda _, one: one["workloads"][0].update(exit_code=70_000),
    ),
    "a path twice": (1, "uri", lambda _, one: one.update(uri="benchmark://tiny-v0/beta?a=1")),
    "no path": (0, "uri", lambda _, one: one.update(uri="benchmark://tiny-v0")),
    "a path that the API has": (0, "uri", lambda _, one: one.update(uri="benchmark://tiny-v0/beta/bitcode")),
    "another one": (0, "uri", lambda _, one: one.update(uri="benchmark://tiny-v0/beta/results")),
}


@pytest.mark.parametrize("name", list(CHANGES))
def test_what_the_database_cannot_hold_is_named(folder: Any, name: str) -> None:
    row, field, change = CHANGES[name]
    change(folder.manifest, folder.manifest["benchmarks"][0])
    with pytest.raises(InvalidDocument) as raised:
        load_dataset(manifest_dir=folder.write())
    assert (row, field) in {(problem.row, problem.field) for problem in raised.value.problems}
    assert all(problem.remedy for problem in raised.value.problems)
    assert not DatasetVersion.objects.exists()
    assert not Blob.objects.exists()
    for problem in raised.value.problems:
        f"{problem.field}{problem.value}{problem.message}".encode()


def test_every_address_of_the_api_below_a_benchmark_is_reserved() -> None:
    words = re.findall(r"/benchmarks/\{path\}/(\w+)/", OPENAPI.read_text())
    assert sorted(words) == sorted(RESERVED_NAMES)


def test_all_of_them_are_named_at_once(folder: Any) -> None:
    alpha, beta, gamma = folder.manifest["benchmarks"]
    folder.manifest["title"] = "a" * 201
    alpha["title"], beta["domain"] = "a\0", "b" * 61
    (folder.path / gamma["file"]).unlink()
    with pytest.raises(InvalidDocument) as raised:
        load_dataset(manifest_dir=folder.write())
    assert {(problem.row, problem.field) for problem in raised.value.problems} == {
        (None, "title"),
        (0, "title"),
        (1, "domain"),
        (2, "file"),
    }


def test_the_longest_texts_fit(client: Client, folder: Any) -> None:
    program = b"BC\xc0\xde" + b"z" * 9
    (folder.path / "z.bc").write_bytes(program)
    long = entry("tiny-v0", "z", program)
    long |= {"title": "t" * 200, "domain": "d" * 60, "language": "l" * 40, "licence": "c" * 100}
    long |= {"uri": "benchmark://tiny-v0/" + "p" * 150, "description": "\U0001f600" * 3000}
    long["workloads"][0] |= {"name": "w" * 80, "exit_code": 255}
    folder.manifest["benchmarks"].append(long)
    folder.manifest |= {"title": "t" * 200, "licence": "c" * 100}
    load_dataset(manifest_dir=folder.write())
    assert client.get(f"/datasets/tiny-v0/{'p' * 150}/").status_code == 200
