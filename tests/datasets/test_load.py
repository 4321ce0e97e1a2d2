"""Loading datasets: idempotent, all or nothing, and frozen for good."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from datasets import loading
from datasets.loading import load_dataset, load_range
from datasets.models import Baseline, Benchmark, Blob, DatasetVersion, Workload
from datasets.store import BlobDamagedError, DatasetFrozenError
from optarena.datasets.parametric import MAX_PARAMETER
from optarena.errors import InvalidDocument, InvalidInput
from tests.kit.manifests import LOOPS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def test_a_loaded_dataset_has_every_row_of_its_manifest(version: DatasetVersion) -> None:
    assert (version.name, version.version, version.dataset.name) == ("tiny-v0", 0, "tiny")
    assert version.frozen
    rows = list(version.benchmarks.order_by("position"))
    assert [row.name for row in rows] == ["alpha", "beta", "gamma"]
    assert rows[0].uri == "benchmark://tiny-v0/alpha"
    assert rows[0].baselines.get(metric="ir_instructions", level="Oz").value == 200
    assert Baseline.objects.count() == 3 * 2 * 5
    workload = rows[1].workloads.get(name="input")
    assert (workload.stdin, workload.exit_code, workload.position) == ("äöü\n", 3, 1)


def test_loading_twice_changes_nothing(folder: Any, version: DatasetVersion) -> None:
    before = set(Benchmark.objects.values_list("pk", flat=True))
    again = load_dataset(manifest_dir=folder.path)
    assert again.pk == version.pk
    assert set(Benchmark.objects.values_list("pk", flat=True)) == before
    assert Workload.objects.count() == 6


def test_loading_again_restores_lost_and_damaged_blobs(
    folder: Any, version: DatasetVersion, blob_root: Path
) -> None:
    lost, damaged = Blob.objects.filter(benchmarks__isnull=False).order_by("sha256")[:2]
    (blob_root / lost.storage_key).unlink()
    (blob_root / damaged.storage_key).write_bytes(b"half")
    load_dataset(manifest_dir=folder.path)
    assert (blob_root / lost.storage_key).stat().st_size == lost.size_bytes
    assert (blob_root / damaged.storage_key).stat().st_size == damaged.size_bytes


def test_a_frozen_version_refuses_another_manifest(folder: Any, version: DatasetVersion) -> None:
    folder.manifest["title"] = "Other"
    with pytest.raises(DatasetFrozenError, match="new version"):
        load_dataset(manifest_dir=folder.write())
    version.refresh_from_db()
    assert version.title == "Tiny programs"


def test_a_draft_takes_another_manifest(folder: Any) -> None:
    load_dataset(manifest_dir=folder.path, frozen=False)
    folder.manifest["benchmarks"].pop()
    version = load_dataset(manifest_dir=folder.write())
    assert version.frozen
    assert version.benchmarks.count() == 2
    assert DatasetVersion.objects.count() == 1


def test_all_problems_are_reported_at_once_and_nothing_is_stored(folder: Any, blob_root: Path) -> None:
    alpha, beta, gamma = folder.manifest["benchmarks"]
    (folder.path / alpha["file"]).write_bytes(b"something else")
    (folder.path / beta["file"]).unlink()
    gamma["workloads"][0]["expected_stdout"] = "nul \0 inside"
    with pytest.raises(InvalidDocument) as raised:
        load_dataset(manifest_dir=folder.write())
    assert {(problem.row, problem.field) for problem in raised.value.problems} == {
        (0, "sha256"),
        (1, "file"),
        (2, "workloads[0].expected_stdout"),
    }
    assert all(problem.remedy for problem in raised.value.problems)
    assert not DatasetVersion.objects.exists()
    assert not blob_root.exists()


@pytest.mark.parametrize("oz", [400, 401])
def test_a_program_that_is_not_larger_than_its_oz_form_is_refused(folder: Any, oz: int) -> None:
    folder.manifest["benchmarks"][1]["baselines"]["ir_instructions"]["Oz"] = oz
    with pytest.raises(InvalidDocument) as raised:
        load_dataset(manifest_dir=folder.write())
    assert [problem.row for problem in raised.value.problems] == [1]
    assert not DatasetVersion.objects.exists()


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"manifest\.json"):
        load_dataset(manifest_dir=tmp_path)


def test_the_same_program_in_two_datasets_is_stored_once(folder: Any, version: DatasetVersion) -> None:
    text = json.dumps(folder.manifest).replace("tiny-v0", "other-v1")
    folder.manifest = json.loads(text)
    other = load_dataset(manifest_dir=folder.write())
    assert (other.dataset.name, other.version) == ("other", 1)
    assert Blob.objects.filter(media_type="application/x-llvm-bitcode").count() == 3


def test_a_stored_benchmark_needs_a_blob_in_the_database_too(version: DatasetVersion) -> None:
    with pytest.raises(IntegrityError, match="datasets_benchmark_kind"), transaction.atomic():
        version.benchmarks.update(blob=None)


def test_the_command_loads_a_folder_and_says_what_it_did(
    folder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("load_dataset", str(folder.path))
    assert "tiny-v0: 3 benchmarks" in capsys.readouterr().out


def test_the_command_names_every_problem(folder: Any) -> None:
    for one in folder.manifest["benchmarks"]:
        (folder.path / one["file"]).unlink()
    with pytest.raises(CommandError) as raised:
        call_command("load_dataset", str(folder.path))
    assert str(raised.value).count("\n") == 2
    assert "benchmark 2: file" in str(raised.value)


def test_the_command_names_near_matches_of_an_unknown_dataset() -> None:
    with pytest.raises(CommandError, match="no-such-dataset-v0"):
        call_command("load_dataset", "no-such-dataset-v0")


def test_a_range_is_loaded_as_one_row(loops_version: DatasetVersion) -> None:
    assert (loops_version.name, loops_version.version, loops_version.dataset.name) == ("loops-v0", 0, "loops")
    assert (loops_version.frozen, loops_version.licence) == (True, "MIT")
    row = loops_version.benchmarks.get()
    assert (row.uri, row.name, row.kind) == ("benchmark://loops-v0/{n}", "{n}", "parametric")
    assert (row.parameter_min, row.parameter_max, row.blob) == (1, 4096, None)
    assert (row.domain, row.language, row.description) == ("loops", "C", "A loop of n steps.")
    assert [blob.media_type for blob in Blob.objects.all()] == ["application/json"]


def test_loading_a_range_twice_changes_nothing(loops_version: DatasetVersion) -> None:
    row = loops_version.benchmarks.get()
    assert load_range(dataset=replace(LOOPS)).pk == loops_version.pk
    assert Benchmark.objects.get().pk == row.pk


@pytest.mark.parametrize("change", [{"high": 4097}, {"title": "Other"}, {"language": "Ada"}])
def test_a_frozen_range_refuses_another_definition(
    loops_version: DatasetVersion, change: dict[str, Any]
) -> None:
    with pytest.raises(DatasetFrozenError, match="new version"):
        load_range(dataset=replace(LOOPS, **change))
    assert loops_version.benchmarks.get().parameter_max == 4096


def test_a_draft_of_a_range_takes_another_definition() -> None:
    load_range(dataset=LOOPS, frozen=False)
    version = load_range(dataset=replace(LOOPS, high=9))
    assert version.frozen
    assert version.benchmarks.get().parameter_max == 9
    assert DatasetVersion.objects.count() == 1


def test_a_stored_dataset_and_a_range_do_not_replace_each_other(
    folder: Any, loops_version: DatasetVersion
) -> None:
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v0", "loops-v0"))
    with pytest.raises(DatasetFrozenError):
        load_dataset(manifest_dir=folder.write())
    assert loops_version.benchmarks.get().kind == "parametric"


@pytest.mark.parametrize("name", ["tiny-v00", "tiny-v01", "tiny-v10000", "ti.ny-v0", "t" * 62 + "-v0"])
def test_a_name_with_another_spelling_of_a_version_is_refused(
    folder: Any, version: DatasetVersion, name: str
) -> None:
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v0", name))
    with pytest.raises(CommandError, match=r"dataset: .*'kernels-v0'"):
        call_command("load_dataset", str(folder.write()))
    assert list(DatasetVersion.objects.all()) == [version]


def test_a_version_that_is_stored_keeps_its_name(folder: Any, version: DatasetVersion) -> None:
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v0", "tiny-v00"))
    sha256 = hashlib.sha256((folder.write() / "manifest.json").read_bytes()).hexdigest()
    DatasetVersion.objects.update(name="tiny-v00", manifest_sha256=sha256)
    assert load_dataset(manifest_dir=folder.path).pk == version.pk


@pytest.mark.parametrize("name", ["loop_tool-cpu-v0", "loop_tool-cuda-v0"])
def test_the_command_loads_a_range_and_says_what_it_did(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        call_command("load_dataset", name)
        assert f"{name}: benchmark://{name}/{{n}}, n from 1 to 8388608" in capsys.readouterr().out
    row = Benchmark.objects.get()
    assert (row.version.name, row.parameter_min, row.parameter_max) == (name, 1, 8 * 2**20)


def test_the_largest_range_fits_the_database() -> None:
    row = load_range(dataset=replace(LOOPS, low=MAX_PARAMETER, high=MAX_PARAMETER)).benchmarks.get()
    row.refresh_from_db()
    assert row.parameter_max == 10**18 - 1


def test_a_draft_is_frozen_by_loading_it_once_more(folder: Any) -> None:
    draft = load_dataset(manifest_dir=folder.path, frozen=False)
    assert not DatasetVersion.objects.get().frozen
    load_dataset(manifest_dir=folder.path, frozen=True)
    assert DatasetVersion.objects.get().frozen
    load_dataset(manifest_dir=folder.path, frozen=False)
    assert DatasetVersion.objects.get().frozen
    assert DatasetVersion.objects.get().pk == draft.pk


def test_a_draft_of_a_range_is_frozen_by_loading_it_once_more() -> None:
    load_range(dataset=LOOPS, frozen=False)
    load_range(dataset=LOOPS)
    assert DatasetVersion.objects.get().frozen


def test_a_draft_with_another_manifest_is_the_same_version(folder: Any) -> None:
    before = load_dataset(manifest_dir=folder.path, frozen=False)
    call_command("deprecate_dataset", "tiny-v0", reason="Old.")
    folder.manifest["title"] = "Other"
    folder.manifest["benchmarks"].pop()
    after = load_dataset(manifest_dir=folder.write(), frozen=False)
    assert (after.pk, after.created_at, after.deprecated) == (before.pk, before.created_at, "Old.")
    assert (after.title, after.benchmark_count, after.benchmarks.count()) == ("Other", 2, 2)
    assert after.manifest_sha256 == hashlib.sha256((folder.path / "manifest.json").read_bytes()).hexdigest()
    assert after.archive_blob != before.archive_blob


def test_a_draft_may_become_a_range_and_come_back(folder: Any) -> None:
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v0", "loops-v0"))
    load_dataset(manifest_dir=folder.write(), frozen=False)
    computed = load_range(dataset=LOOPS, frozen=False)
    assert (computed.kind, computed.size_bytes, computed.archive_blob) == ("parametric", 0, None)
    stored = load_dataset(manifest_dir=folder.path)
    assert (stored.kind, stored.parameter_max, stored.member_count) == ("stored", None, 3)
    assert stored.archive_blob is not None


def test_a_file_that_changes_while_it_is_read_is_refused(
    folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = loading.checked_manifest

    def checked(text: bytes, manifest_dir: Path) -> Any:
        manifest = read(text, manifest_dir)
        (folder.path / "beta.bc").write_bytes(b"another program")
        return manifest

    monkeypatch.setattr("datasets.loading.checked_manifest", checked)
    with pytest.raises(InvalidDocument, match="row 1: file: The file changed"):
        load_dataset(manifest_dir=folder.path)
    assert not DatasetVersion.objects.exists()


def test_many_benchmarks_are_written_in_batches(folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.loading.BATCH", 2)
    version = load_dataset(manifest_dir=folder.path)
    assert [row.position for row in version.benchmarks.order_by("position")] == [0, 1, 2]
    assert (Baseline.objects.count(), Workload.objects.count()) == (30, 6)


def test_the_command_says_what_the_storage_lost(folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> Blob:
        raise BlobDamagedError("The blob 00 is missing; load its dataset again.")

    monkeypatch.setattr("datasets.loading.store_archive", lost)
    with pytest.raises(CommandError, match="load its dataset again"):
        call_command("load_dataset", str(folder.path))
