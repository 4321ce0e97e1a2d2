"""The dataset pages: complete without JavaScript, the same number of queries however long they get."""

from __future__ import annotations

import hashlib
import html
import random
import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from datasets.loading import load_dataset, load_range
from datasets.models import Benchmark, DatasetVersion, Preview
from datasets.services import HEAD_LINES, LINE_LENGTH, make_previews
from optarena.datasets import cite, datasets
from optarena.datasets.citing import content_sha256
from optarena.datasets.dataset import PACKED, pack
from optarena.errors import PlatformNotSupported
from optarena.gcc import units
from optarena.gpu_kernels import build_dataset
from tests.kit.gcc import needs_gcc
from tests.kit.manifests import LOOPS, entry

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def page(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def test_an_empty_server_says_how_to_load_a_dataset(client: Client) -> None:
    assert "manage.py load_dataset kernels-v0" in page(client, "/datasets/")


def test_the_list_links_to_each_dataset(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/")
    assert 'href="/datasets/tiny-v0/"' in text
    assert "3 benchmarks" in text


def test_a_dataset_page_has_table_chart_provenance_and_example(
    client: Client, version: DatasetVersion
) -> None:
    text = page(client, "/datasets/tiny-v0/")
    assert text.count('href="/datasets/tiny-v0/beta/"') == 1
    assert "50 %" in text
    assert "beta at -O0: 400 instructions, 100 % of -O0" in text
    assert version.manifest_sha256 in text
    assert "-Oz -nostdlibinc" in re.sub("<[^>]*>", "", text)
    assert (
        "benchmark=&quot;benchmark://tiny-v0/alpha&quot;" in text
        or 'benchmark="benchmark://tiny-v0/alpha"' in text
    )


def test_a_benchmark_page_has_baselines_workloads_and_download(
    client: Client, version: DatasetVersion
) -> None:
    with CaptureQueriesContext(connection) as queries:
        text = page(client, "/datasets/tiny-v0/beta/")
    assert "data/a.txt" in text
    assert not any('"datasets_workload"."files",' in one["sql"] for one in queries)  # their content
    assert "/api/v1/datasets/tiny-v0/benchmarks/beta/bitcode/" in text
    assert "1,600" in text
    assert "10 a b" in text
    assert "src/beta.c" in text


def test_a_dataset_that_is_a_range_shows_its_ends_and_how_to_name_a_member(
    client: Client, loops_version: DatasetVersion
) -> None:
    listed = page(client, "/datasets/")
    assert "4,096 benchmarks · computed" in listed
    assert "0\xa0bytes" not in listed
    text = page(client, "/datasets/loops-v0/")
    assert "<dd>4,096</dd>" in text
    assert "number from 1 to 4,096" in text
    assert "benchmark://loops-v0/{n}" in text
    assert "loops-v0&quot;]" in text or 'loops-v0"]' in text
    assert loops_version.manifest_sha256[:16] in text
    for nonsense in ("0\xa0bytes", "Workloads", "O0", "gymnasium.make", "<n>"):
        assert nonsense not in text
    for number in (1, 1024, 4096):
        assert f'href="/datasets/loops-v0/{number}/"' in text
        assert client.get(f"/datasets/loops-v0/{number}/").status_code == 200


def test_a_member_has_a_page_of_its_own(client: Client, loops_version: DatasetVersion) -> None:
    text = page(client, "/datasets/loops-v0/1025/")
    assert "benchmark://loops-v0/1025" in text
    assert hashlib.sha256(b"benchmark://loops-v0/1025").hexdigest() in text
    assert "/api/v1/datasets/loops-v0/benchmarks/1025/" in text
    assert "from 1 to 4,096" in text
    assert "{n}" not in text
    for path in ("0", "4097", "007", "+5", "1e3", "%205", "x", "5/5"):
        assert client.get(f"/datasets/loops-v0/{path}/").status_code == 404


def test_a_range_of_one_member_offers_no_others(client: Client, db: None) -> None:
    load_range(dataset=replace(LOOPS, low=0, high=0))
    assert "The number 0 is a benchmark" in page(client, "/datasets/loops-v0/")
    text = page(client, "/datasets/loops-v0/0/")
    assert "benchmark://loops-v0/0" in text
    assert "Others" not in text
    assert "from 0 to 0" not in text


def test_the_form_leads_to_a_member_or_says_what_may_be_asked(
    client: Client, loops_version: DatasetVersion
) -> None:
    answer = client.get("/datasets/loops-v0/", {"n": " 77 "})
    assert (answer.status_code, answer["Location"]) == (302, "/datasets/loops-v0/77/")
    for wrong in ("0", "4097", "1,024", "{n}", "<b>", "../tiny-v0/alpha", "9" * 5000, "//evil.example"):
        answer = client.get("/datasets/loops-v0/", {"n": wrong})
        assert answer.status_code == 422
        text = answer.content.decode()
        assert "from 1 to 4096" in text
        assert "<b>" not in text
    assert client.get("/datasets/loops-v0/", {"n": ""}).status_code == 200


@pytest.mark.parametrize("url", ["/datasets/none-v0/", "/datasets/tiny-v0/none/"])
def test_what_does_not_exist_is_a_page_that_leads_back(
    client: Client, version: DatasetVersion, url: str
) -> None:
    response = client.get(url)
    assert response.status_code == 404
    assert 'href="/datasets/"' in response.content.decode()


@pytest.mark.parametrize("place", ["/datasets/", "/api/v1/datasets/"])
def test_what_a_wrong_name_probably_means_is_named(
    client: Client, version: DatasetVersion, place: str
) -> None:
    within = "benchmarks/" if "api" in place else ""
    for wrong, meant in (("tny-v0/", "tiny-v0"), (f"tiny-v0/{within}alhpa/", "alpha")):
        said = html.unescape(client.get(f"{place}{wrong}").content.decode())
        assert f"Did you mean '{meant}'?" in said, wrong


def test_a_wrong_name_in_a_range_has_no_known_ones(client: Client, loops_version: DatasetVersion) -> None:
    said = html.unescape(client.get(f"{loops_version.get_absolute_url()}abc/").content.decode())
    assert f"There is no benchmark 'abc' in {loops_version.name}. The dataset's page lists them." in said


def test_text_from_a_manifest_is_never_markup(client: Client, folder: Any) -> None:
    folder.manifest["benchmarks"][0]["title"] = "<script>alert(1)</script>"
    folder.manifest["title"] = "<b>bold</b>"
    load_dataset(manifest_dir=folder.write())
    for url in ("/datasets/", "/datasets/tiny-v0/", "/datasets/tiny-v0/alpha/"):
        text = page(client, url)
        assert "<script>alert" not in text
        assert "<b>bold" not in text


def test_a_long_dataset_comes_in_pages(client: Client, folder: Any) -> None:
    folder.grow("tiny-v0", 90)
    load_dataset(manifest_dir=folder.write())
    first = page(client, "/datasets/tiny-v0/")
    assert "?after=39#benchmarks" in first
    assert "1 to 40 of 90" in first
    last = page(client, "/datasets/tiny-v0/?after=79")
    assert 'href="/datasets/tiny-v0/p89/"' in last
    assert "81 to 90 of 90" in last
    assert "?before=80#benchmarks" in last
    assert "41 to 80 of 90" in page(client, "/datasets/tiny-v0/?before=80")
    for nonsense in ("after=x", "after=" + "9" * 5000, "before=-1", "after=1000", "before=0"):
        page(client, f"/datasets/tiny-v0/?{nonsense}")


@pytest.fixture
def unit_dataset(folder: Any) -> DatasetVersion:
    """A hundred translation units of two packages, more than are drawn one by one."""
    folder.grow("units-v0", 100)
    for number, one in enumerate(folder.manifest["benchmarks"]):
        package = ("lz4", "zlib")[number % 2]
        one |= {
            "split": ("train", "train", "test")[number % 3],
            "licence": ("BSD-2-Clause", "Zlib")[number % 2],
        }
        one["source"] = {
            "package": package,
            "version": "4.4.4",
            "purl": f"pkg:generic/{package}@4.4.4",
            "upstream": "https://example.org/lz4" if number % 2 == 0 else "javascript:alert(1)",
            "archive": f"{package}-4.4.4.tar.gz",
            "archive_sha256": "ab" * 32,
            "archive_bytes": 12345,
            "file": f"src/<i>{number}.c",
            "files": ["src/a.c", "src/<u>.c"],
            "flags": ["-Oz", "-DX"],
            "licence_files": ["LICENSE"],
            "lines": 1234,
        }
    folder.manifest |= {
        "upstream": "https://example.org/units",
        "changelog": [{"version": "units-v0", "date": "2026-11-21", "text": "First <b>release</b>."}],
    }
    return load_dataset(manifest_dir=folder.write())


def test_a_large_dataset_shows_the_distribution_of_sizes_and_names_packages_licences_and_changes(
    client: Client, unit_dataset: DatasetVersion
) -> None:
    text = page(client, "/datasets/units-v0/")
    assert "<title>256 to 512: 100</title>" in text
    assert "<title>50 % to 55 %: 100</title>" in text
    assert "<circle" not in text
    assert "Median" in text
    assert text.count("<rect ") == 2 * 2 * 2
    assert "train 67" in text
    assert "pkg:generic/zlib@4.4.4" in text
    assert 'href="https://example.org/lz4"' in text
    assert 'href="https://example.org/units"' in text
    assert "javascript:" not in text
    assert "First &lt;b&gt;release&lt;/b&gt;." in text
    for licence in ("BSD-2-Clause", "Zlib"):
        assert licence in text
    assert "@misc{units-v0," in text
    assert unit_dataset.manifest_sha256 in text
    assert "optarena datasets download units-v0" in text
    assert "/api/v1/datasets/units-v0/archive/" in text
    assert "/api/v1/datasets/units-v0/manifest/" in text


@pytest.mark.parametrize("name", ["programs-smoke-v0", "synthetic-v0"])
def test_a_page_cites_as_the_package_does(client: Client, name: str) -> None:
    call_command("load_dataset", name, no_previews=True)
    text = unescape(page(client, f"/datasets/{name}/"))
    assert cite(datasets()[name], "http://testserver").bibtex in text
    assert text.count(f"sha256 {content_sha256(datasets()[name])}") == 2, "in the entry, and to compare with"


def test_benchmarks_can_be_chosen(client: Client, unit_dataset: DatasetVersion) -> None:
    for asked, summary, count in (
        ({"split": "test"}, "33 of 100", 33),
        ({"search": "P9"}, "11 of 100", 11),
        ({"search": "nothing"}, "No benchmark matches", 0),
        ({"domain": "<b>x"}, "No benchmark matches", 0),
        ({"search": "  "}, "1 to 40 of 100", 40),
    ):
        text = client.get("/datasets/units-v0/", asked).content.decode()
        assert summary in text
        assert text.count('<a class="wrap" href="/datasets/units-v0/p') == count
        assert "<b>x" not in text
    assert "?split=train&amp;search=p&amp;after=" in page(client, "/datasets/units-v0/?split=train&search=p")


def test_a_benchmark_says_where_it_comes_from(client: Client, unit_dataset: DatasetVersion) -> None:
    text = re.sub(r"</?span[^>]*>", "", page(client, "/datasets/units-v0/p0/"))
    for part in (
        "lz4 4.4.4",
        "pkg:generic/lz4@4.4.4",
        "lz4-4.4.4.tar.gz",
        "ab" * 32,
        "-Oz -DX",
        "1,234 lines",
    ):
        assert part in text
    assert "src/&lt;u&gt;.c" in text
    assert "split: train" in text
    assert "javascript:" not in page(client, "/datasets/units-v0/p1/")


@pytest.mark.parametrize("source", [{"files": 5, "flags": "x", "lines": "many"}, {"package": ["x"]}, {}])
def test_a_source_of_another_form_is_left_out(client: Client, folder: Any, source: dict[str, Any]) -> None:
    folder.manifest["benchmarks"][0]["source"] = source
    load_dataset(manifest_dir=folder.write())
    page(client, "/datasets/tiny-v0/")
    page(client, "/datasets/tiny-v0/alpha/")


@pytest.mark.parametrize("count", [3, 70])
def test_numbers_of_any_size_are_a_page(client: Client, folder: Any, count: int) -> None:
    folder.grow("tiny-v0", count)
    first = folder.manifest["benchmarks"][0]
    first["source"] = {"archive": "a.tar.gz", "archive_bytes": 10**400, "lines": 10**400}
    first["baselines"] = {"cost": {"O0": 1e-320, "O1": 0.000123, "O3": 2**53}}
    load_dataset(manifest_dir=folder.write())
    page(client, "/datasets/tiny-v0/")
    assert "a.tar.gz" in page(client, "/datasets/tiny-v0/p0/")


@pytest.mark.parametrize("path", ["", "42/"])
def test_pages_of_a_generator_make_nothing(client: Client, db: None, path: str) -> None:
    call_command("load_dataset", "synthetic-v0")
    text = page(client, f"/datasets/synthetic-v0/{path}")
    assert "generator://synthetic-v0/" in text
    assert "the same bytes on every machine" in text
    assert hashlib.sha256(b"generator://synthetic-v0/42").hexdigest() not in text


def test_the_admin_shows_datasets_and_changes_nothing(admin_client: Client, version: DatasetVersion) -> None:
    row = version.benchmarks.get(name="beta")
    assert admin_client.get("/admin/datasets/benchmark/").status_code == 200
    url = f"/admin/datasets/benchmark/{row.pk}/change/"
    assert admin_client.get(url).status_code == 200
    assert admin_client.post(url, {"title": "x"}).status_code == 403
    assert admin_client.get("/admin/datasets/datasetversion/add/").status_code == 403


def test_a_page_that_does_not_exist_leads_to_the_first_and_no_link_leads_to_one(
    client: Client, folder: Any
) -> None:
    folder.grow("tiny-v0", 130)
    load_dataset(manifest_dir=folder.write())
    for asked in ("after=999999999", "after=129", "before=0", "before=0&domain=sorting"):
        text = page(client, f"/datasets/tiny-v0/?{asked}")
        assert "This page does not exist." in text
        assert "no benchmarks" not in text
        assert "No benchmark matches" not in text
        choice = "domain=sorting" if "domain" in asked else ""
        assert f'href="?{choice}#benchmarks">First page' in text
    last = page(client, "/datasets/tiny-v0/?before=1000")
    assert ('rel="next"' in last, 'rel="prev"' in last) == (False, True)
    assert 'rel="prev"' not in page(client, "/datasets/tiny-v0/?after=5&search=p7")


def test_a_range_has_one_page_whatever_is_asked(client: Client, loops_version: DatasetVersion) -> None:
    for asked in ("after=5", "before=0", "search=x", "domain=x&after=99"):
        text = page(client, f"/datasets/loops-v0/?{asked}")
        assert "Every whole number from 1 to 4,096" in text
        assert "No benchmark" not in text


def test_the_numbers_of_a_chart_stand_in_a_table_below_it(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/")
    chart, _, numbers = text.partition(" in numbers</summary>")
    assert "The numbers are in the table below." in chart
    for value in ('<td class="num">210</td>', '<td class="num">230</td>', '<td class="num">1,100</td>'):
        assert value in numbers


def test_hashes_are_there_in_full(client: Client, folder: Any) -> None:
    source = {"package": "lz4", "archive": "a.tar.gz", "archive_sha256": "ab" * 32}
    source |= {"driver": "drivers/lz4.c", "driver_sha256": "cd" * 32}
    folder.manifest["benchmarks"][0]["source"] = source
    load_dataset(manifest_dir=folder.write())
    visible = re.sub(r'title="[^"]*"', "", page(client, "/datasets/tiny-v0/"))
    assert "ab" * 32 in visible
    assert "cd" * 32 in page(client, "/datasets/tiny-v0/alpha/")


PACKAGE = {"package": "lz4", "version": "4.4.4", "archive": "a.tar.gz", "archive_sha256": "ab" * 32}


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


def test_every_snippet_can_be_copied(
    client: Client, version: DatasetVersion, loops_version: DatasetVersion
) -> None:
    for place in ("tiny-v0", "tiny-v0/alpha", "loops-v0", "loops-v0/7"):
        text = page(client, f"/datasets/{place}/")
        snippets = re.findall(r"(.{30})<pre [^>]*aria-label=\"(?!LLVM IR)", text)
        assert snippets
        assert all(before.endswith('<div class="copy" data-copy>') for before in snippets)
        assert "site/copy.js" in text
        assert "site/site.css" in text


def test_baselines_name_their_level_in_each_cell(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/beta/")
    cells = re.findall(r'data-label="(-O.)">([\d,]+) <br><small>(\d+) %', text)
    assert ("-O0", "400", "100") in cells
    assert ("-Oz", "200", "50") in cells


def test_a_phone_shows_a_benchmark_with_its_values_alone(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/")
    table = text.partition('<table class="named-rows">')[2].partition("</table>")[0]
    head = table.partition("</thead>")[0]
    shown = re.findall(r'<th scope="col"(?: class="(?:named|num)")?>(?:<abbr[^>]*>)?([^<]+)', head)
    assert shown == ["Benchmark", "-O0", "-Oz", "-Oz / -O0"]
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


def test_a_toolchain_names_its_parts_and_has_no_empty_row(client: Client, folder: Any) -> None:
    def rows(**toolchain: Any) -> list[tuple[str, str]]:
        """The rows of a dataset page's provenance between its licence and its hash."""
        folder.manifest["toolchain"] = toolchain
        load_dataset(manifest_dir=folder.write(), frozen=False)
        facts = page(client, "/datasets/tiny-v0/").partition('id="provenance"')[2].partition("<dt>Content")[0]
        found = re.findall(r"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>", facts, re.DOTALL)
        return [(label, re.sub("<[^>]*>", "", value).strip()) for label, value in found[2:]]

    compiler = {"name": "Other 1.2", "programs": {"as": "ab" * 32}}
    assert rows(front_end="Front 3", cpu="x86-64", flags=["-Oz"], compiler=compiler) == [
        ("Compiler", "Other 1.2"),
        ("Front end of the base", "Front 3"),
        ("Processor of the base", "x86-64"),
        ("Flags of the base", "-Oz"),
    ]
    headers = {"purl": "pkg:pypi/headers@1", "sha256": "ab" * 32, "folders": ["include"]}
    assert rows(compiler="Other 1.2", headers=headers, seed={"a": 1}, target="", front_end="x") == [
        ("Compiler", "Other 1.2"),
        ("Front end", "x"),
        ("Headers", f"pkg:pypi/headers@1 sha256 {'ab' * 32}"),
    ]


def test_the_command_makes_previews_once_and_names_what_has_none(
    mixed: DatasetVersion, folder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("load_dataset", str(folder.path), no_previews=True)
    assert not Preview.objects.exists()
    call_command("load_dataset", str(folder.path))
    told = capsys.readouterr()
    assert "tiny-v0: 7 benchmarks" in told.out
    assert "tiny-v0/cut has no preview: " in told.err
    assert Preview.objects.filter(benchmark__name="good").exists()
    before = set(Preview.objects.values_list("pk", flat=True))
    make_previews(version=mixed)
    assert set(Preview.objects.values_list("pk", flat=True)) == before


def test_a_filter_that_finds_nothing_is_shown_as_chosen(client: Client, version: DatasetVersion) -> None:
    text = page(client, "/datasets/tiny-v0/?domain=nonexistent")
    assert '<option value="nonexistent" selected>nonexistent (0)</option>' in text
    assert '<option value="sorting">sorting (3)</option>' in text


def test_the_one_licence_of_all_programs_is_shown(client: Client, folder: Any) -> None:
    load_dataset(manifest_dir=folder.path, frozen=False)
    assert page(client, "/datasets/tiny-v0/").count("<dt>Licence</dt><dd>MIT</dd>") == 2
    for one in folder.manifest["benchmarks"]:
        one["licence"] = "GPL-3.0-only"
    load_dataset(manifest_dir=folder.write())
    assert " · GPL-3.0-only" in page(client, "/datasets/")
    text = page(client, "/datasets/tiny-v0/")
    assert "<dt>Licence</dt><dd>GPL-3.0-only</dd>" in text
    assert "<dt>Licence</dt><dd>MIT for our own content; GPL-3.0-only for the programs</dd>" in text


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


def test_the_example_of_kernels_needs_no_gpu(client: Client, db: None) -> None:
    load_dataset(manifest_dir=build_dataset.FOLDER)
    text = page(client, "/datasets/gpu-kernels-v1/convolution/")
    assert "optarena/gpu-kernels-v0" in text
    assert "optarena/gpu-runtime-v0" not in text
    assert '<th scope="row">Sass instructions</th>' in text


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
