"""Loading a folder that somebody else filled: what is no plain file of it, and what can never be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command

from datasets.loading import load_dataset
from datasets.models import DatasetVersion
from optarena.datasets import BUILTIN
from optarena.errors import InvalidDocument, InvalidInput
from optarena.limits import MAX_BENCHMARK_BYTES, WORKLOAD_OUTPUT_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(60)]

ODD: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
}


def problems(folder: Path) -> dict[tuple[int | None, str], str]:
    """What is wrong with a dataset, none of which is stored."""
    with pytest.raises(InvalidDocument) as caught:
        load_dataset(manifest_dir=folder)
    assert not DatasetVersion.objects.exists()
    assert all(one.remedy for one in caught.value.problems)
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


def test_the_shipped_datasets_load() -> None:
    names = sorted(path.parent.name for path in BUILTIN.glob("*/manifest.json"))
    assert "kernels-v0" in names
    for name in names:
        call_command("load_dataset", name)
    assert DatasetVersion.objects.count() == len(names)
