"""Previews of real programs; one that LLVM cannot read costs its own preview and nothing else."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from datasets.loading import load_dataset
from datasets.models import Benchmark, DatasetVersion, Preview
from datasets.services import HEAD_LINES, LINE_LENGTH, make_previews
from datasets.site.highlighting import highlighted
from optarena.datasets import datasets
from optarena.datasets.dataset import PACKED, pack
from optarena.errors import PlatformNotSupported
from optarena.gcc import units
from tests.kit.gcc import needs_gcc
from tests.kit.manifests import entry

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

PROGRAM = datasets().benchmark("kernels-v0/regex").program()


def mutated(seed: int) -> bytes:
    """The program with twenty bytes changed: LLVM refuses such bitcode, or dies of it."""
    numbers, program = random.Random(seed), bytearray(PROGRAM)  # noqa: S311 - no secrets
    for _ in range(20):
        program[numbers.randrange(100, len(program))] = numbers.randrange(256)
    return bytes(program)


@pytest.fixture
def mixed(folder: Any) -> DatasetVersion:
    """A dataset of one good program, bitcode that is none, some that was damaged, and a text."""
    programs = {"good": PROGRAM, "cut": PROGRAM[: len(PROGRAM) // 2], "text": b"5 3 1\n"}
    programs |= {f"damaged{seed}": mutated(seed) for seed in range(4)}
    for name, program in programs.items():
        (folder.path / f"{name}.bc").write_bytes(program)
    folder.manifest["benchmarks"] = [entry("tiny-v0", name, program) for name, program in programs.items()]
    return load_dataset(manifest_dir=folder.write())


def test_a_program_has_the_beginning_of_its_text_and_its_features(mixed: DatasetVersion) -> None:
    refused = make_previews(version=mixed)
    made = Preview.objects.select_related("benchmark").get(benchmark__name="good")
    lines = made.ir_head.splitlines()
    assert "target triple" in made.ir_head
    assert len(lines) == HEAD_LINES < made.ir_lines
    assert max(map(len, lines)) <= LINE_LENGTH + 1
    assert made.features["InstCount"]["TotalInstsCount"] > 1000
    assert made.features["Autophase"]["TotalInsts"] > 1000
    assert {one.name for one in refused} >= {"cut"}
    assert all(one.reason for one in refused)
    assert not Preview.objects.filter(benchmark__name="text").exists()


def test_a_preview_is_made_once(mixed: DatasetVersion) -> None:
    make_previews(version=mixed)
    before = set(Preview.objects.values_list("pk", flat=True))
    make_previews(version=mixed)
    assert set(Preview.objects.values_list("pk", flat=True)) == before


def test_the_command_names_what_has_none_and_does_not_fail(
    mixed: DatasetVersion, folder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("load_dataset", str(folder.path))
    told = capsys.readouterr()
    assert "tiny-v0: 7 benchmarks" in told.out
    assert "tiny-v0/cut has no preview: " in told.err
    assert Preview.objects.filter(benchmark__name="good").exists()


def test_previews_can_be_left_out(mixed: DatasetVersion, folder: Any) -> None:
    call_command("load_dataset", str(folder.path), no_previews=True)
    assert not Preview.objects.exists()


def test_the_page_shows_text_and_features(client: Client, mixed: DatasetVersion) -> None:
    make_previews(version=mixed)
    text = client.get("/datasets/tiny-v0/good/").content.decode()
    assert '<span class="hl-keyword">target</span>' in text
    assert f"The first {HEAD_LINES} of " in text
    assert "TotalInstsCount" in text
    assert "style=" not in text
    assert "LLVM IR of" not in client.get("/datasets/tiny-v0/cut/").content.decode()


def test_a_programs_text_is_never_markup(client: Client, version: DatasetVersion) -> None:
    evil = 'c"<script>alert(1)</script>" ; </code><img src=x>\n<b>'
    row = Benchmark.objects.get(name="beta")
    Preview.objects.create(benchmark=row, ir_head=evil, ir_lines=2, features={"<i>": {"<u>": 1, "<s>": 0}})
    text = client.get("/datasets/tiny-v0/beta/").content.decode()
    for tag in ("<script>alert", "<img src=x", "<b>", "<i>", "<u>", "<s>"):
        assert tag not in text
    assert "&lt;script&gt;" in text


def test_without_llvm_a_dataset_is_loaded_without_previews(
    folder: Any, version: DatasetVersion, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPTARENA_LIBLLVM", "/nonexistent/libLLVM.so")
    with pytest.raises(PlatformNotSupported):
        make_previews(version=version)
    call_command("load_dataset", str(folder.path))
    told = capsys.readouterr()
    assert "tiny-v0: 3 benchmarks" in told.out
    assert "tiny-v0 has no previews of programs: $OPTARENA_LIBLLVM names /nonexistent/libLLVM.so" in told.err
    assert not Preview.objects.exists()


def test_a_text_is_marked_once() -> None:
    assert highlighted("target x", "llvm") is highlighted("target x", "llvm")


@needs_gcc
def test_a_program_of_units_shows_its_sources_and_is_sent_with_its_type(folder: Any, client: Client) -> None:
    program = units.pack(
        [units.Unit("a/main.c", b"int main(void) { return 0; }\n"), units.Unit("b/other.c", b"int y;\n")]
    )
    (folder.path / f"good.bc{PACKED}").write_bytes(pack(program))
    folder.manifest["benchmarks"] = [entry("tiny-v0", "good", program)]
    version = load_dataset(manifest_dir=folder.write())
    assert make_previews(version=version) == []
    made = Preview.objects.get(benchmark__name="good")
    assert made.ir_head.splitlines()[1:4] == [
        "// unit 29 a/main.c",
        "int main(void) { return 0; }",
        "// unit 7 b/other.c",
    ]
    assert made.features == {}
    page = client.get("/datasets/tiny-v0/good/").content.decode()
    assert "b/other.c" in page
    sent = client.get("/api/v1/datasets/tiny-v0/benchmarks/good/bitcode/")
    assert b"".join(sent) == program
    assert sent["Content-Type"] == units.MEDIA_TYPE
    assert sent["Content-Disposition"].endswith('tiny-v0-good.units"')
