"""What is stored of datasets: blobs, rows, counts; and how benchmarks are found and handed to the runner."""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from datasets import bulk_inserts, store
from datasets import selectors as dataset_selectors
from datasets.bulk_inserts import insert_rows
from datasets.loading import load_dataset, load_range
from datasets.models import Benchmark, Blob, DatasetVersion
from datasets.store import BlobDamagedError
from optarena.datasets import ParametricDataset, datasets
from optarena.errors import InvalidInput, UnknownName
from runner.models import Payer, Verification
from tests.factories import make_work
from tests.kit.manifests import LOOPS
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoAssertNumQueries, Settings

pytestmark = pytest.mark.django_db


def test_a_blob_is_stored_once_and_reads_back_as_written(blob_root: Path) -> None:
    blob = store.store(b"some bytes")
    assert blob.sha256 == hashlib.sha256(b"some bytes").hexdigest()
    assert store.read(blob) == b"some bytes"
    assert store.store(b"some bytes") == blob
    assert Blob.objects.count() == 1
    assert len([path for path in blob_root.rglob("*") if path.is_file()]) == 1


def test_damaged_bytes_are_never_returned(blob_root: Path) -> None:
    blob = store.store(b"some bytes")
    (blob_root / blob.storage_key).write_bytes(b"evil bytes")
    with pytest.raises(BlobDamagedError, match="damaged"):
        store.read(blob)
    (blob_root / blob.storage_key).unlink()
    with pytest.raises(BlobDamagedError, match="load its dataset again"):
        store.read(blob)


def test_a_benchmark_is_found_by_its_uri(version: DatasetVersion, loops: Benchmark) -> None:
    for uri in ("benchmark://tiny-v0/beta", "tiny-v0/beta"):
        found = dataset_selectors.find_benchmark(uri)
        assert found.name == "beta"
    for number in (1, 1024, 8 * 2**20):
        assert dataset_selectors.find_benchmark(f"benchmark://loops-v0/{number}") == loops
    assert dataset_selectors.find_in_dataset(loops.version, "{n}") == loops
    assert dataset_selectors.find_in_dataset(loops.version, "5") == loops


def test_a_file_is_stored_as_its_bytes_are(blob_root: Path) -> None:
    path = blob_root.parent / "file"
    path.write_bytes(b"some bytes")
    with path.open("rb") as file:
        blob = store.store_file(file, kind="x/y")
    assert store.read(blob) == b"some bytes"
    assert store.store(b"some bytes") == blob
    assert Blob.objects.get().media_type == "x/y"


def test_the_command_names_every_blob_that_is_not_as_it_was(
    version: DatasetVersion, blob_root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("check_blobs")
    assert "5 blobs" in capsys.readouterr().out
    lost, damaged, longer = Blob.objects.filter(benchmarks__isnull=False).order_by("sha256")
    (blob_root / lost.storage_key).unlink()
    (blob_root / damaged.storage_key).write_bytes(b"x" * damaged.size_bytes)
    (blob_root / longer.storage_key).write_bytes(b"x" * (longer.size_bytes + 1))
    with pytest.raises(CommandError) as raised:
        call_command("check_blobs")
    assert raised.value.returncode == 1
    lines = str(raised.value).splitlines()
    assert all(one.sha256 in line for one, line in zip((lost, damaged, longer), lines, strict=True))
    assert ["missing" in line for line in lines] == [True, False, False]
    assert all("It belongs to: tiny-v0." in line for line in lines)


def test_a_file_appears_whole_or_not_at_all(blob_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = store.store(b"some bytes")
    path = blob_root / blob.storage_key
    path.write_bytes(b"half")

    def looked(number: int) -> None:
        seen.append(path.read_bytes())
        flush(number)

    seen: list[bytes] = []
    flush = os.fsync
    monkeypatch.setattr(os, "fsync", looked)
    store.store(b"some bytes")
    assert seen == [b"half", b"some bytes"]
    assert [file.name for file in blob_root.rglob("*") if file.is_file()] == [path.name]


def test_what_another_writer_left_half_written_harms_nobody(blob_root: Path) -> None:
    sha256 = hashlib.sha256(b"some bytes").hexdigest()
    part = blob_root / sha256[:2] / f"{sha256}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"ha")
    assert store.read(store.store(b"some bytes")) == b"some bytes"
    assert part.read_bytes() == b"ha"


@pytest.fixture
def leftover(folder: Any, blob_root: Path) -> Path:
    """A program of a load that failed after it had written its files."""
    load_dataset(manifest_dir=folder.path)
    blob = store.write(b"left over")
    return blob_root / blob.storage_key


def told(capsys: pytest.CaptureFixture[str], **options: bool) -> str:
    call_command("check_blobs", **options)
    return capsys.readouterr().out


def test_the_command_lists_what_nothing_refers_to(leftover: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unused = store.store(b"with a row")
    out = told(capsys)
    assert f"{leftover.parent.name}/{leftover.name}: nothing refers to it" in out
    assert f"{unused.storage_key}: nothing refers to it" in out
    assert out.count("nothing refers") == 2
    assert leftover.exists()


def test_the_command_removes_what_is_old(
    leftover: Path, blob_root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unused = store.store(b"with a row")
    out = told(capsys, remove_unused=True)
    assert out.count("younger than an hour") == 2
    assert leftover.exists()
    for path in (file for file in blob_root.rglob("*") if file.is_file()):
        os.utime(path, (1e9, 1e9))
    store.store(b"left over")  # a load that begins now counts on it
    assert "1 blobs" not in (out := told(capsys, remove_unused=True))
    assert f"{unused.storage_key}: removed" in out
    assert (leftover.exists(), Blob.objects.filter(pk=unused.pk).exists()) == (True, False)
    os.utime(leftover, (1e9, 1e9))
    assert "5 blobs" in told(capsys, remove_unused=True)
    assert not leftover.exists()


def test_the_commands_name_a_folder_that_cannot_be_used(
    folder: Any, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "no-folder"
    file.write_bytes(b"")
    keep_blobs_in(settings, file)
    message = f"OPTARENA_BLOB_ROOT: the stored programs in {re.escape(str(file))} cannot be .* can be written"
    for command in (["load_dataset", str(folder.path)], ["check_blobs"]):
        with pytest.raises(CommandError, match=message):
            call_command(*command)


ARRAYS = [
    None,
    [],
    ["size"],
    ["size", "time"],
    [""],
    ["NULL", "null"],
    ['"', "\\", "{a,b}"],
    ["a b", "é", "\n"],
]
DOCUMENTS: list[object] = [[1], [True], [1.5], ["1"], [], {}, {"a": None}, "text"]


@pytest.fixture(params=[1, 3, 100], ids="in statements of {}".format)
def _batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_inserts, "_BATCH", request.param)


def verifications(number: int) -> list[Verification]:
    """Rows that are like a stored one, but not the same work."""
    given = Verification.objects.filter(pk=make_work().pk).values().get()
    return [
        Verification(**given | {"id": uuid.uuid4(), "actions_sha256": f"{place:064}"})
        for place in range(number)
    ]


@pytest.mark.usefixtures("_batches")
def test_all_values_of_all_rows_are_stored() -> None:
    rows = verifications(len(ARRAYS))
    for row, array, document in zip(rows, ARRAYS, DOCUMENTS, strict=True):
        row.wanted_metrics, row.actions, row.detail = array, document, f"'{array}' %s"
    assert insert_rows(iter(rows)) == rows
    fields = [field.attname for field in Verification._meta.concrete_fields]
    for row in rows:
        stored = Verification.objects.get(pk=row.pk)
        assert [repr(getattr(stored, name)) for name in fields] == [
            repr(getattr(row, name)) for name in fields
        ]
        assert not row._state.adding


def test_documents_that_compare_equal_are_not_taken_for_one() -> None:
    rows = verifications(2)
    rows[0].actions, rows[1].actions = [1, 0], [True, False]
    insert_rows(rows)
    assert repr(Verification.objects.get(pk=rows[1].pk).actions) == "[True, False]"


@pytest.mark.usefixtures("_batches")
def test_keys_that_the_database_counts_are_those_of_the_rows_in_their_order() -> None:
    rows = [Payer(name=f"user:{number}", counted_at=timezone.now()) for number in range(7)]
    insert_rows(rows)
    keys = [Payer.objects.get(name=row.name).pk for row in rows]
    assert [row.pk for row in rows] == keys == sorted(keys)


@pytest.mark.usefixtures("_batches")
def test_a_row_that_is_there_undoes_all_or_is_left_out() -> None:
    Payer.objects.create(name="user:2", counted_at=timezone.now())
    names = [f"user:{number}" for number in range(4)]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Payer(name=name, counted_at=timezone.now()) for name in names)
    assert Payer.objects.filter(name__in=names).count() == 1
    more = (Payer(name=name, counted_at=timezone.now()) for name in names)
    assert insert_rows(more, ignore_conflicts=True) == []  # their keys are counted, so nothing tells
    assert Payer.objects.filter(name__in=names).count() == 4


@pytest.mark.usefixtures("_batches")
def test_those_that_were_not_there_are_told_by_their_own_keys() -> None:
    rows = verifications(5)
    rows[1].save()
    rows[3].pk = Verification.objects.exclude(pk=rows[1].pk).get().pk
    new = insert_rows(rows, ignore_conflicts=True)
    assert new == [rows[0], rows[2], rows[4]]
    assert not any(row._state.adding for row in new)
    assert Verification.objects.count() == 5


@pytest.fixture
def loops() -> Benchmark:
    """A dataset whose programs are computed: one row for 1 to 8·2^20."""
    return load_range(dataset=replace(LOOPS, high=8 * 2**20)).benchmarks.get()


@pytest.mark.parametrize(
    "uri",
    [
        "benchmark://tiny-v0/none",
        "benchmark://tiny-v1/beta",
        "generator://tiny-v0/beta",
        "benchmark://tiny-v0",
        "benchmark://tiny-v0/../beta",
        "file:///etc/passwd",
        "not a uri",
        "",
        "benchmark://tiny-v0/beta?x=1",
    ],
)
def test_what_does_not_exist_is_not_found(version: DatasetVersion, uri: str) -> None:
    assert dataset_selectors.find_benchmark(uri) is None


@pytest.mark.parametrize("path", ["0", str(8 * 2**20 + 1), "01", "-1", "1.0", "{n}", "9" * 30, "x/1", "1/2"])
def test_what_is_outside_the_range_is_not_found(loops: Benchmark, path: str) -> None:
    assert dataset_selectors.find_benchmark(f"benchmark://loops-v0/{path}") is None


def test_finding_costs_one_query(loops: Benchmark, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        found = dataset_selectors.find_benchmark("benchmark://loops-v0/77")
        assert found.version.name == "loops-v0"


def test_the_runner_gets_the_program_and_its_workloads(version: DatasetVersion, folder: object) -> None:
    row = version.benchmarks.get(name="beta")
    given = dataset_selectors.benchmark_for_replay(row)
    assert given.program() == b"BC\xc0\xde" + b"beta" * 50
    assert given.uri == "benchmark://tiny-v0/beta"
    assert given.baseline("ir_instructions", "Oz") == 200
    assert [(one.name, one.args, one.stdin, one.exit_code) for one in given.workloads] == [
        ("small", ("10", "a b"), b"", 0),
        ("input", (), "äöü\n".encode(), 3),
    ]
    assert [one.files for one in given.workloads] == [{}, {"data/a.txt": b"a\0\xff"}]


def test_the_runner_never_gets_a_damaged_program(version: DatasetVersion, blob_root: Path) -> None:
    row = version.benchmarks.select_related("blob").get(name="beta")
    (blob_root / row.blob.storage_key).write_bytes(b"other")
    with pytest.raises(Exception, match="damaged"):
        dataset_selectors.benchmark_for_replay(row).program()


@pytest.mark.parametrize("uri", ["", "benchmark://loops-v0/0", "benchmark://tiny-v0/alpha"])
def test_the_runner_refuses_what_is_no_member(loops: Benchmark, version: DatasetVersion, uri: str) -> None:
    with pytest.raises(InvalidInput, match="not a member"):
        dataset_selectors.benchmark_for_replay(loops, uri=uri)


def test_versions_are_counted_and_weighed(version: DatasetVersion, loops: Benchmark) -> None:
    rows = {row.name: row for row in dataset_selectors.dataset_versions()}
    assert (rows["tiny-v0"].benchmark_count, rows["loops-v0"].benchmark_count) == (3, 1)
    assert (rows["tiny-v0"].member_count, rows["loops-v0"].member_count) == (3, 8 * 2**20)
    assert (rows["tiny-v0"].kind, rows["loops-v0"].kind) == ("stored", "parametric")
    assert (rows["tiny-v0"].parameter_max, rows["loops-v0"].parameter_max) == (None, 8 * 2**20)
    assert rows["tiny-v0"].size_bytes == sum(len(n) * 50 + 4 for n in ("alpha", "beta", "gamma"))


def test_the_server_and_the_package_have_the_same_members() -> None:
    dataset = datasets()["loop_tool-cpu-v0"]
    assert isinstance(dataset, ParametricDataset)
    row = load_range(dataset=dataset).benchmarks.get()
    for number in ("1", "1024", "8388608"):
        here, there = dataset_selectors.member_in_dataset(row, number), dataset.benchmark(number)
        assert here == there
        assert here.program() == there.program()
        assert dataset_selectors.benchmark_for_replay(row, uri=there.uri) == there
    for path in ("0", "01", "8388609", "{n}", "", "1/1", "x", " 1", "\u0661", "1?a=b", "\0"):
        assert dataset_selectors.member_in_dataset(row, path) is None
        assert (
            dataset_selectors.find_benchmark(f"{dataset.uri.removesuffix('{n}')}{path}") is None
            or path == " 1"
        )


def test_a_range_has_a_first_benchmark_and_examples(loops: Benchmark, version: DatasetVersion) -> None:
    assert dataset_selectors.first_uri("loops-v0") == "benchmark://loops-v0/1"
    assert dataset_selectors.first_uri("tiny-v0") == "benchmark://tiny-v0/alpha"
    assert dataset_selectors.first_uri("none-v0") == ""
    assert dataset_selectors.example_numbers(loops) == [1, 2**10, 2**14, 2**17, 2**20, 2**23]
    loops.parameter_min = loops.parameter_max = 5
    assert dataset_selectors.example_numbers(loops) == [5]


def test_a_generated_member_is_made_for_the_runner_alone() -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    row = load_range(dataset=dataset).benchmarks.get()
    assert row.uri == "generator://synthetic-v0/{n}"
    assert dataset_selectors.find_benchmark("generator://synthetic-v0/42") == row
    assert dataset_selectors.find_benchmark("benchmark://synthetic-v0/42") is None
    shown = dataset_selectors.member_in_dataset(row, "42")
    assert (shown.uri, shown.sha256, shown.size_bytes) == ("generator://synthetic-v0/42", "", 0)
    given = dataset_selectors.benchmark_for_replay(row, uri="generator://synthetic-v0/42")
    assert given == dataset.benchmark("42")
    assert len(given.program()) == given.size_bytes > 0
    with pytest.raises(InvalidInput, match="not a member"):
        dataset_selectors.benchmark_for_replay(row, uri="generator://synthetic-v0/042")


def test_a_generator_that_is_not_installed_is_named() -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    row = load_range(dataset=dataset).benchmarks.get()
    row.version.name = "elsewhere-v0"
    with pytest.raises(UnknownName, match="elsewhere-v0"):
        dataset_selectors.benchmark_for_replay(row, uri="generator://synthetic-v0/42")


@pytest.fixture
def mixed(db: None, folder: Any) -> DatasetVersion:
    entries = folder.manifest["benchmarks"]
    for entry, split, licence in zip(
        entries, ("test", "train", "train"), ("MIT", "Zlib", "MIT"), strict=True
    ):
        entry |= {"split": split, "licence": licence, "tags": ["floating-point"]}
        entry["source"] = {
            "package": "lz4",
            "version": "4.4.4",
            "purl": "pkg:generic/lz4@4.4.4",
            "upstream": "https://example.org/lz4",
            "archive": "lz4-4.4.4.tar.gz",
            "archive_sha256": "a" * 64,
        }
    entries[2]["baselines"]["ir_instructions"]["O0"] = 4000
    folder.manifest["released"] = "2026-11-21"
    return load_dataset(manifest_dir=folder.write())


def test_everything_is_counted_at_load(mixed: DatasetVersion) -> None:
    mixed.refresh_from_db()
    told = mixed.statistics
    assert (mixed.benchmark_count, mixed.member_count, mixed.released) == (3, 3, date(2026, 11, 21))
    assert mixed.size_bytes == sum(4 + len(name) * 50 for name in ("alpha", "beta", "gamma"))
    assert (told["domains"], told["languages"]) == ({"sorting": 3}, {"C": 3})
    assert (told["licences"], told["splits"]) == ({"MIT": 2, "Zlib": 1}, {"train": 2, "test": 1})
    assert mixed.split_counts == [("train", 2), ("test", 1)]
    assert (told["workloads"], told["runnable"]) == (6, 3)
    (package,) = told["packages"]
    assert (package["package"], package["benchmarks"], package["licences"]) == (
        "lz4",
        3,
        {"MIT": 2, "Zlib": 1},
    )


def test_metrics_are_summed_up_by_level(mixed: DatasetVersion) -> None:
    metric = mixed.statistics["metrics"]["ir_instructions"]
    assert metric["levels"]["O0"] == {"min": 400, "median": 400, "max": 4000}
    assert (metric["last"], metric["count"]) == ("Oz", 3)
    assert metric["sizes"][0] == [256, 512, 2]
    assert metric["sizes"][-1] == [2048, 4096, 1]
    assert sum(count for *_, count in metric["sizes"]) == 3
    assert sum(count for *_, count in metric["shares"]) == 3


def test_a_share_on_an_edge_is_in_the_bin_that_begins_there(folder: Any, db: None) -> None:
    shares = [0.15, 0.3, 0.35, 0.6, 0.7, 0.95, 2.1, 7.0, 1.0]
    folder.grow("tiny-v0", len(shares))
    for one, share in zip(folder.manifest["benchmarks"], shares, strict=True):
        # Without Oz, so that shares may be above 1.
        one["baselines"] = {"cost": {"O0": 100, "O3": 100 * share}}
    # A share that no float can be.
    folder.manifest["benchmarks"][-1]["baselines"] = {"cost": {"O0": 1e-320, "O3": 2**53}}
    told = load_dataset(manifest_dir=folder.write()).statistics["metrics"]["cost"]["shares"]
    found = [(low, count) for low, _, count in told if count]
    assert found == [(0.15, 1), (0.3, 1), (0.35, 1), (0.6, 1), (0.7, 1), (0.95, 1), (2.0, 3)]


def test_loading_again_fills_what_is_lost(folder: Any, mixed: DatasetVersion, blob_root: Path) -> None:
    before = list(Benchmark.objects.order_by("pk").values())
    DatasetVersion.objects.update(
        manifest_blob=None, archive_blob=None, statistics={}, benchmark_count=0, released=None, size_bytes=0
    )
    Blob.objects.filter(benchmarks__isnull=True).delete()
    filled = load_dataset(manifest_dir=folder.path)
    filled.refresh_from_db()
    assert filled.pk == mixed.pk
    assert filled.statistics["licences"] == {"MIT": 2, "Zlib": 1}
    assert (filled.benchmark_count, filled.size_bytes, filled.released) == (
        3,
        mixed.size_bytes,
        mixed.released,
    )
    assert (filled.manifest_blob, filled.archive_blob) == (mixed.manifest_blob, mixed.archive_blob)
    assert list(Benchmark.objects.order_by("pk").values()) == before


def test_facets_of_a_version_without_statistics_are_counted(mixed: DatasetVersion) -> None:
    told = dataset_selectors.facets_of(mixed)
    mixed.statistics = {}
    assert dataset_selectors.facets_of(mixed) == told
    assert told["licence"] == {"MIT": 2, "Zlib": 1}
