"""Loading datasets: all or nothing, frozen for good, or refused with every problem; and deprecating them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from datasets import loading
from datasets.loading import load_dataset, load_range
from datasets.models import Baseline, Benchmark, Blob, DatasetVersion, Preview, Workload
from datasets.services import make_previews, statistics_of
from datasets.store import BlobDamagedError, DatasetFrozenError
from optarena.datasets import BUILTIN
from optarena.datasets.parametric import MAX_PARAMETER
from optarena.errors import InvalidDocument, InvalidInput
from optarena.limits import MAX_BENCHMARK_BYTES, WORKLOAD_OUTPUT_BYTES
from optarena.specs.benchmark import RESERVED_NAMES
from tests.kit.gcc import needs_gcc
from tests.kit.manifests import LOOPS, entry

if TYPE_CHECKING:
    from django.test import Client

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


def test_all_problems_are_reported_at_once_and_nothing_is_stored(folder: Any, blob_root: Path) -> None:
    alpha, beta, gamma = folder.manifest["benchmarks"]
    folder.manifest["title"] = "a" * 201
    (folder.path / alpha["file"]).write_bytes(b"something else")
    (folder.path / beta["file"]).unlink()
    beta["domain"] = "b" * 61
    gamma["workloads"][0]["expected_stdout"] = "nul \0 inside"
    assert problems(folder.write()).keys() == {
        (None, "title"),
        (0, "sha256"),
        (1, "domain"),
        (1, "file"),
        (2, "workloads[0].expected_stdout"),
    }
    assert not blob_root.exists()


@pytest.mark.parametrize("oz", [400, 401])
def test_a_program_that_is_not_larger_than_its_oz_form_is_refused(folder: Any, oz: int) -> None:
    folder.manifest["benchmarks"][1]["baselines"]["ir_instructions"]["Oz"] = oz
    assert [row for row, _ in problems(folder.write())] == [1]


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"manifest\.json"):
        load_dataset(manifest_dir=tmp_path)


def test_a_stored_benchmark_needs_a_blob_in_the_database_too(version: DatasetVersion) -> None:
    with pytest.raises(IntegrityError, match="datasets_benchmark_kind"), transaction.atomic():
        version.benchmarks.update(blob=None)


def test_the_command_names_every_problem(folder: Any) -> None:
    for one in folder.manifest["benchmarks"]:
        (folder.path / one["file"]).unlink()
    with pytest.raises(CommandError) as raised:
        call_command("load_dataset", str(folder.path))
    assert str(raised.value).count("\n") == 2
    assert "benchmark 2: file" in str(raised.value)


def test_a_range_is_loaded_as_one_row(loops_version: DatasetVersion) -> None:
    assert (loops_version.name, loops_version.version, loops_version.dataset.name) == ("loops-v0", 0, "loops")
    assert (loops_version.frozen, loops_version.licence) == (True, "MIT")
    row = loops_version.benchmarks.get()
    assert (row.uri, row.name, row.kind) == ("benchmark://loops-v0/{n}", "{n}", "parametric")
    assert (row.parameter_min, row.parameter_max, row.blob) == (1, 4096, None)
    assert (row.domain, row.language, row.description) == ("loops", "C", "A loop of n steps.")
    assert [blob.media_type for blob in Blob.objects.all()] == ["application/json"]


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


def test_the_command_says_what_the_storage_lost(folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> Blob:
        raise BlobDamagedError("The blob 00 is missing; load its dataset again.")

    monkeypatch.setattr("datasets.loading.store_archive", lost)
    with pytest.raises(CommandError, match="load its dataset again"):
        call_command("load_dataset", str(folder.path))


ODD: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
}


def problems(folder: Path) -> dict[tuple[int | None, str], str]:
    """What is wrong with a dataset, none of which is stored."""
    with pytest.raises(InvalidDocument) as caught:
        load_dataset(manifest_dir=folder)
    assert not DatasetVersion.objects.exists()
    for one in caught.value.problems:
        assert one.remedy
        f"{one.field}{one.value}{one.message}".encode()
    return {(one.row, one.field): one.message for one in caught.value.problems}


@pytest.mark.parametrize("kind", ODD)
def test_a_manifest_that_is_no_file_is_refused(folder: Any, kind: str) -> None:
    (folder.path / "manifest.json").unlink()
    ODD[kind](folder.path / "manifest.json")
    with pytest.raises(InvalidInput, match=r"has no readable manifest: it is not a regular file"):
        load_dataset(manifest_dir=folder.path)


@pytest.mark.parametrize("kind", ODD)
def test_a_deprecation_that_is_no_file_is_refused(folder: Any, kind: str) -> None:
    ODD[kind](folder.path / "deprecated.json")
    assert "it is not a regular file" in problems(folder.path)[None, "deprecated.json"]


def test_a_deprecation_that_is_too_long_is_refused(folder: Any) -> None:
    (folder.path / "deprecated.json").write_text(" " * 70_000)
    assert "it has more than 65536 bytes" in problems(folder.path)[None, "deprecated.json"]


def test_programs_that_are_no_files_of_the_folder_are_all_named(folder: Any, tmp_path: Path) -> None:
    alpha, beta, gamma = (folder.path / f"{name}.bc" for name in ("alpha", "beta", "gamma"))
    secret = tmp_path / "secret"
    beta.rename(secret)  # which has the very content
    beta.symlink_to(secret)
    alpha.unlink()
    os.mkfifo(alpha)
    os.truncate(gamma, MAX_BENCHMARK_BYTES + 1)
    assert problems(folder.path) == {
        (0, "file"): "The file cannot be read: it is not a regular file.",
        (1, "file"): "The file cannot be read: it is a link that leads out of the dataset's folder.",
        (2, "file"): f"A program has at most {MAX_BENCHMARK_BYTES} bytes.",
    }


def test_nothing_of_a_file_elsewhere_is_shown(folder: Any) -> None:
    (folder.path / "alpha.bc").unlink()
    (folder.path / "alpha.bc").symlink_to("/etc/passwd")
    with pytest.raises(CommandError) as caught:
        call_command("load_dataset", str(folder.path))
    assert "sha256" not in str(caught.value)


def test_links_inside_the_folder_and_to_the_folder_are_followed(folder: Any, tmp_path: Path) -> None:
    (folder.path / "programs").mkdir()
    (folder.path / "alpha.bc").rename(folder.path / "programs/a")
    (folder.path / "alpha.bc").symlink_to("programs/a")
    (tmp_path / "link").symlink_to(folder.path)
    assert load_dataset(manifest_dir=tmp_path / "link").benchmark_count == 3


def test_what_a_run_cannot_print_is_not_expected(folder: Any) -> None:
    first, second = folder.manifest["benchmarks"][:2]
    first["workloads"][0]["expected_stdout"] = "x" * WORKLOAD_OUTPUT_BYTES
    second["workloads"][0]["expected_stdout"] = "ä" * WORKLOAD_OUTPUT_BYTES
    size, most = 2 * WORKLOAD_OUTPUT_BYTES, WORKLOAD_OUTPUT_BYTES
    message = f"The output has {size} bytes; at most {most} are allowed."
    assert problems(folder.write()) == {(1, "workloads[0].expected_stdout"): message}


@pytest.mark.parametrize("character", ["\x1b", "\n", "\r", "\t", "\x7f", "\x9b", "\u2028"])
def test_a_line_of_text_has_no_control_characters(folder: Any, character: str) -> None:
    folder.manifest["title"] = f"Title{character}[2J"
    first = folder.manifest["benchmarks"][0]
    first["title"] = first["workloads"][0]["name"] = f"x{character}y"
    assert problems(folder.write()) == dict.fromkeys(
        ((None, "title"), (0, "title"), (0, "workloads[0].name")),
        "The text has a control character or a line break.",
    )


def test_a_title_may_have_any_letters(folder: Any) -> None:
    folder.manifest["title"] = "Größe\N{NO-BREAK SPACE}5 排序 \N{PILE OF POO}"
    folder.manifest["description"] = "Two\nlines."
    assert load_dataset(manifest_dir=folder.write()).title == folder.manifest["title"]


@pytest.mark.soak
def test_the_shipped_datasets_load() -> None:
    names = sorted(path.parent.name for path in BUILTIN.glob("*/manifest.json"))
    assert "kernels-v0" in names
    for name in names:
        call_command("load_dataset", name, no_previews=True)
    assert DatasetVersion.objects.count() == len(names)


@needs_gcc
def test_previews_warn_nobody_of_what_concerns_agents() -> None:
    # One of its functions has options of its own.
    call_command("load_dataset", "gcc-programs-v0", no_previews=True)
    Benchmark.objects.exclude(name="argon2").delete()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make_previews(version=DatasetVersion.objects.get()) == []
    assert Preview.objects.count() == 1


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
    assert (row, field) in problems(folder.write())
    assert not Blob.objects.exists()


def test_every_address_of_the_api_below_a_benchmark_is_reserved() -> None:
    words = re.findall(r"/benchmarks/\{path\}/(\w+)/", OPENAPI.read_text())
    assert sorted(words) == sorted(RESERVED_NAMES)


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


LIST = "/api/v1/datasets/"


@pytest.fixture
def deprecated(folder: Any, version: DatasetVersion) -> DatasetVersion:
    """The tiny dataset, of which there is a better version."""
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v0", "tiny-v1"))
    load_dataset(manifest_dir=folder.write())
    call_command("deprecate_dataset", "tiny-v0", reason="Its <b>outputs</b> were wrong.", successor="tiny-v1")
    version.refresh_from_db()
    return version


def test_lists_show_it_only_where_it_is_asked_for(client: Client, deprecated: DatasetVersion) -> None:
    def names(query: str) -> list[str]:
        return [row["name"] for row in client.get(f"{LIST}{query}").json()["results"]]

    assert names("") == names("?deprecated=false") == ["tiny-v1"]
    assert names("?deprecated=true") == ["tiny-v0", "tiny-v1"]
    rows = client.get(f"{LIST}?deprecated=true").json()["results"]
    assert [row["deprecated"] for row in rows] == ["Its <b>outputs</b> were wrong. Use tiny-v1 instead.", ""]


def test_it_is_still_there_by_name(client: Client, deprecated: DatasetVersion) -> None:
    body = client.get(f"{LIST}tiny-v0/").json()
    assert (body["successor"], body["deprecated"][:3]) == ("tiny-v1", "Its")
    assert client.get(f"{LIST}tiny-v0/benchmarks/").json()["results"]


def test_pages_say_why_and_lead_to_the_successor(client: Client, deprecated: DatasetVersion) -> None:
    listed = client.get("/datasets/").content.decode()
    assert "/datasets/tiny-v0/" not in listed
    assert "Show 1 deprecated dataset" in listed
    assert "/datasets/tiny-v0/" in client.get("/datasets/?deprecated=true").content.decode()
    for url in ("/datasets/tiny-v0/", "/datasets/tiny-v0/beta/"):
        text = client.get(url).content.decode()
        assert "Its &lt;b&gt;outputs&lt;/b&gt; were wrong." in text
        assert 'href="/datasets/tiny-v1/"' in text


def test_it_can_be_undone(
    client: Client, deprecated: DatasetVersion, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("deprecate_dataset", "tiny-v0", undo=True)
    assert "tiny-v0: not deprecated" in capsys.readouterr().out
    assert len(client.get(LIST).json()["results"]) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"reason": " "}, "reason: The value is missing"),
        ({"reason": "Old.", "successor": "tiny-v0"}, "its own successor"),
        ({"reason": "Old.", "successor": "tiny-v9"}, "tiny-v9.*tiny-v0"),
        ({"reason": "Old.", "undo": True}, "--undo"),
    ],
)
def test_what_makes_no_sense_is_refused(version: DatasetVersion, options: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("deprecate_dataset", "tiny-v0", **options)
    version.refresh_from_db()
    assert not version.deprecated


def test_an_unknown_dataset_is_named(version: DatasetVersion) -> None:
    with pytest.raises(CommandError, match=r"tiny-v7.*tiny-v0"):
        call_command("deprecate_dataset", "tiny-v7", reason="Old.")


def test_a_file_beside_the_manifest_says_it_too(folder: Any, version: DatasetVersion) -> None:
    told = {"reason": "Old.", "successor": "tiny-v1"}
    (folder.path / "deprecated.json").write_text(json.dumps(told))
    assert load_dataset(manifest_dir=folder.path).deprecation == "Old. Use tiny-v1 instead."


def test_loading_without_that_file_keeps_what_the_operator_said(
    folder: Any, deprecated: DatasetVersion
) -> None:
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v1", "tiny-v0"))
    assert load_dataset(manifest_dir=folder.write()).successor == "tiny-v1"


@pytest.mark.django_db(transaction=True)
def test_one_made_while_the_dataset_is_loaded_again_stays(
    folder: Any, version: DatasetVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deprecate() -> None:
        try:
            call_command("deprecate_dataset", "tiny-v0", reason="It is wrong.")
        finally:
            connection.close()

    operator = threading.Thread(target=deprecate)

    def meanwhile(manifest: Any) -> Any:
        operator.start()
        operator.join(1)  # until then it has either ended, or waits for the load
        return statistics_of(manifest)

    monkeypatch.setattr("datasets.loading.statistics_of", meanwhile)
    load_dataset(manifest_dir=folder.path)
    operator.join()
    version.refresh_from_db()
    assert version.deprecated == "It is wrong."


def _say(folder: Any, reason: str) -> str:
    """Load the dataset with a file that says so; returns what the server says then."""
    (folder.path / "deprecated.json").write_text(json.dumps({"reason": reason}))
    return load_dataset(manifest_dir=folder.path).deprecation


def test_what_an_operator_decided_stays_when_the_dataset_is_loaded_again(
    folder: Any, version: DatasetVersion
) -> None:
    assert (_say(folder, "Very old."), _say(folder, "Old.")) == ("Very old.", "Old.")
    call_command("deprecate_dataset", "tiny-v0", undo=True)
    assert (_say(folder, "Old."), _say(folder, "Very old.")) == ("", "")
    call_command("deprecate_dataset", "tiny-v0", reason="My own reason.")
    assert (_say(folder, "Very old."), _say(folder, "Wrong.")) == ("My own reason.", "My own reason.")


def test_an_undone_decision_of_an_operator_leaves_it_to_the_authors(
    folder: Any, version: DatasetVersion
) -> None:
    call_command("deprecate_dataset", "tiny-v0", reason="My own reason.")
    call_command("deprecate_dataset", "tiny-v0", undo=True)
    assert _say(folder, "Old.") == "Old."


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"reason": 5}', '{"reason": "Old.", "successor": 5}'])
def test_a_file_that_says_nothing_is_refused(folder: Any, content: str) -> None:
    (folder.path / "deprecated.json").write_text(content)
    with pytest.raises(InvalidDocument):
        load_dataset(manifest_dir=folder.path)
    assert not DatasetVersion.objects.exists()


@pytest.mark.parametrize("successor", ["a/b", "x" * 150, "a\0-v1", "a b?c", "\ud800", "tiny-v0", "tiny-v01"])
def test_a_successor_that_is_no_other_dataset_is_refused(
    folder: Any, version: DatasetVersion, successor: str
) -> None:
    (folder.path / "deprecated.json").write_text(json.dumps({"reason": "Old.", "successor": successor}))
    with pytest.raises(InvalidDocument, match=r"deprecated\.json\.successor"):
        load_dataset(manifest_dir=folder.path)
    with pytest.raises(CommandError, match=r"successor|succeed"):
        call_command("deprecate_dataset", "tiny-v0", reason="Old.", successor=successor)
    version.refresh_from_db()
    assert not version.deprecated


@pytest.mark.parametrize("reason", ["a\0", "\ud800", " "])
def test_a_reason_that_is_no_text_is_refused(folder: Any, version: DatasetVersion, reason: str) -> None:
    (folder.path / "deprecated.json").write_text(json.dumps({"reason": reason}))
    with pytest.raises(InvalidDocument, match=r"deprecated\.json\.reason"):
        load_dataset(manifest_dir=folder.path)
    with pytest.raises(CommandError, match="reason"):
        call_command("deprecate_dataset", "tiny-v0", reason=reason)


def test_a_successor_that_is_not_loaded_is_named_without_a_link(client: Client, folder: Any) -> None:
    told = {"reason": "Old.", "successor": "tiny-v9"}
    (folder.path / "deprecated.json").write_text(json.dumps(told))
    load_dataset(manifest_dir=folder.path)
    for url in ("/datasets/tiny-v0/", "/datasets/tiny-v0/beta/"):
        text = client.get(url).content.decode()
        assert "Use tiny-v9 instead." in text
        assert "/datasets/tiny-v9/" not in text
