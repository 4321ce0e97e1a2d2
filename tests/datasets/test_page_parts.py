"""Parts of the dataset pages: their names, what a phone shows, what is folded and what can be copied."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.utils.html import escape

from datasets.loading import load_dataset
from tests.kit.manifests import entry

if TYPE_CHECKING:
    from django.test import Client

    from datasets.models import DatasetVersion

pytestmark = pytest.mark.django_db

PACKAGE = {"package": "lz4", "version": "4.4.4", "archive": "a.tar.gz", "archive_sha256": "ab" * 32}


def page(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def source_line(client: Client, folder: Any, source: dict[str, Any]) -> str:
    """What a benchmark's page says of its source, without markup."""
    folder.manifest["benchmarks"][0]["source"] = source
    load_dataset(manifest_dir=folder.write())
    found = re.search(r"<dt>Source</dt><dd>(.*?)</dd>", page(client, "/datasets/tiny-v0/alpha/"))
    return re.sub("<[^>]*>", "", found[1]) if found else ""


def test_the_title_names_the_version(
    client: Client, version: DatasetVersion, loops_version: DatasetVersion
) -> None:
    for one in (version, loops_version):
        title = f"<title>{escape(one.title)} · {one.name} · OptArena</title>"
        assert title in page(client, one.get_absolute_url())


def test_the_size_of_a_dataset_is_called_so(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/")
    assert "<dt>Size</dt>" in text
    assert "<dt>Programs</dt>" not in text


def test_programs_of_a_range_are_computed(client: Client, loops_version: DatasetVersion) -> None:
    assert "<dt>Programs</dt><dd>computed</dd>" in page(client, "/datasets/loops-v0/")


@pytest.mark.parametrize(
    "url",
    ["/datasets/tiny-v0/", "/datasets/tiny-v0/alpha/", "/datasets/loops-v0/", "/datasets/loops-v0/7/"],
)
def test_every_snippet_can_be_copied(
    client: Client, version: DatasetVersion, loops_version: DatasetVersion, url: str
) -> None:
    text = page(client, url)
    snippets = re.findall(r"(.{30})<pre [^>]*aria-label=\"(?!LLVM IR)", text)
    assert snippets
    assert all(before.endswith('<div class="copy" data-copy>') for before in snippets)
    assert "site/copy.js" in text
    assert "site/site.css" in text


def test_baselines_name_their_level_in_each_cell(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/beta/")
    cells = re.findall(r'data-label="(O.)">([\d,]+) <br><small>(\d+) %', text)
    assert ("O0", "400", "100") in cells
    assert ("Oz", "200", "50") in cells


def test_a_phone_shows_a_benchmark_with_its_values_alone(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/")
    table = text.partition('<table class="named-rows">')[2].partition("</table>")[0]
    head = table.partition("</thead>")[0]
    shown = re.findall(r'<th scope="col"(?: class="(?:named|num)")?>(?:<abbr[^>]*>)?([^<]+)', head)
    assert shown == ["Benchmark", "O0", "Oz", "Oz / O0"]
    rows = [re.findall(r"<t[hd]( [^>]*)?>", row) for row in table.split("<tr>")[1:]]
    assert len({len(row) for row in rows}) == 1
    assert len({sum("for-wide" in cell for cell in row) for row in rows}) == 1


@pytest.mark.parametrize(("count", "state"), [(2, "<details open>"), (9, "<details>")])
def test_many_source_packages_are_folded(client: Client, folder: Any, count: int, state: str) -> None:
    folder.grow("tiny-v0", count)
    for number, one in enumerate(folder.manifest["benchmarks"]):
        one["source"] = {**PACKAGE, "package": f"p{number}"}
    load_dataset(manifest_dir=folder.write())
    after = page(client, "/datasets/tiny-v0/").partition('id="packages"')[2]
    assert f"{state}\n<summary>{count} packages</summary>" in after


def test_a_flag_is_one_word(client: Client, folder: Any) -> None:
    folder.manifest["benchmarks"][0]["source"] = {"flags": ["-std=gnu17", "-DX=<b>"]}
    load_dataset(manifest_dir=folder.write())
    flags = '<span class="word">-std=gnu17</span> <span class="word">-DX=&lt;b&gt;</span>'
    assert flags in page(client, "/datasets/tiny-v0/alpha/")
    assert '<span class="word">-nostdlibinc</span>' in page(client, "/datasets/tiny-v0/")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (
            {"lines": 1157, "translation_units": 2, "files": ["a.c"], "driver": "d.c"},
            "1,157 lines in the listed file and the driver, without what they include",
        ),
        (
            {"lines": 157, "files": ["a.c", "b.c"]},
            "157 lines in the listed files, without what they include",
        ),
        ({"lines": 1, "translation_units": 3}, "1 line in 3 files, without what they include"),
        ({"lines": 12, "path": "src/a.c"}, "src/a.c, 12 lines"),
        ({"lines": "<b>"}, ""),
        ({"lines": -5}, ""),
    ],
)
def test_lines_are_those_of_the_listed_files(
    client: Client, folder: Any, source: dict[str, Any], line: str
) -> None:
    assert source_line(client, folder, source) == line
    assert ">Lines<" not in page(client, "/datasets/tiny-v0/")


def toolchain_rows(client: Client, folder: Any, toolchain: dict[str, Any]) -> list[tuple[str, str]]:
    """The rows of a dataset page's provenance between its licence and its hash."""
    folder.manifest["toolchain"] = toolchain
    load_dataset(manifest_dir=folder.write())
    facts = page(client, "/datasets/tiny-v0/").partition('id="provenance"')[2].partition("<dt>Content")[0]
    rows = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", facts, re.DOTALL)
    return [(label, re.sub("<[^>]*>", "", value).strip()) for label, value in rows[2:]]


def test_a_toolchain_names_the_compiler_and_what_is_of_the_base(client: Client, folder: Any) -> None:
    compiler = {"name": "Other 1.2", "programs": {"as": "ab" * 32}}
    toolchain = {"front_end": "Front 3", "cpu": "x86-64", "flags": ["-Oz"], "compiler": compiler}
    assert toolchain_rows(client, folder, toolchain) == [
        ("Compiler", "Other 1.2"),
        ("Front end of the base", "Front 3"),
        ("Processor of the base", "x86-64"),
        ("Flags of the base", "-Oz"),
    ]


def test_a_toolchain_names_its_headers_and_has_no_empty_row(client: Client, folder: Any) -> None:
    headers = {"purl": "pkg:pypi/headers@1", "sha256": "ab" * 32, "folders": ["include"]}
    toolchain = {
        "compiler": "Other 1.2",
        "headers": headers,
        "seed": {"a": 1},
        "target": "",
        "front_end": "x",
    }
    assert toolchain_rows(client, folder, toolchain) == [
        ("Compiler", "Other 1.2"),
        ("Front end", "x"),
        ("Headers", f"pkg:pypi/headers@1 sha256 {'ab' * 32}"),
    ]


def test_a_filter_that_finds_nothing_is_shown_as_chosen(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/?domain=nonexistent")
    assert '<option value="nonexistent" selected>nonexistent (0)</option>' in text
    assert '<option value="sorting">sorting (3)</option>' in text


def test_the_one_licence_of_all_programs_is_shown(client: Client, folder: Any) -> None:
    for one in folder.manifest["benchmarks"]:
        one["licence"] = "GPL-3.0-only"
    load_dataset(manifest_dir=folder.write())
    assert " · GPL-3.0-only" in page(client, "/datasets/")
    text = page(client, "/datasets/tiny-v0/")
    assert "<dt>Licence</dt><dd>GPL-3.0-only</dd>" in text
    assert "<dt>Licence</dt><dd>MIT for our own content; GPL-3.0-only for the programs</dd>" in text


def test_a_dataset_of_one_licence_says_it_once(client: Client, version: DatasetVersion) -> None:
    assert page(client, "/datasets/tiny-v0/").count("<dt>Licence</dt><dd>MIT</dd>") == 2


@pytest.mark.parametrize(
    ("program", "baselines", "environment"),
    [
        (b"int main", {"ir_instructions": {"O0": 4}, "text_size_bytes": {"O0": 4}}, "optarena/llvm-ic-v0"),
        (b"int main", {"load_size_bytes": {"O0": 4}, "text_size_bytes": {"O0": 4}}, "optarena/gcc-v0"),
        (b"int main", {"points": {"O0": 4}}, ""),
        (b"int main", {}, ""),
        (b"BC\xc0\xde", {}, "optarena/llvm-ic-v0"),
        (b"// optarena: translation units, format 1\n", {"points": {"O0": 4}}, "optarena/gcc-v0"),
    ],
)
def test_the_example_has_an_environment_that_can_read_the_programs(
    client: Client, folder: Any, program: bytes, baselines: dict[str, Any], environment: str
) -> None:
    folder.manifest["benchmarks"] = [entry("tiny-v0", "alpha", program, baselines=baselines)]
    (folder.path / "alpha.bc").write_bytes(program)
    load_dataset(manifest_dir=folder.write())
    for url in ("/datasets/tiny-v0/", "/datasets/tiny-v0/alpha/"):
        text = page(client, url)
        assert re.findall(r"(?:&quot;|\")(optarena/[^&\"]*)", text) == ([environment] if environment else [])
        assert "curl" in text or "optarena datasets download" in text
