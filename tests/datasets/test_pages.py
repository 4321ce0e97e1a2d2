"""The dataset pages: complete without JavaScript, the same number of queries however long they get."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from datasets.models import Benchmark, DatasetVersion
from datasets.services import load_dataset, load_range

from .conftest import LOOPS

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
    assert "beta at O0: 400 instructions, 100% of O0" in text
    assert version.manifest_sha256[:16] in text
    assert "-Oz -nostdlibinc" in text
    assert (
        "benchmark=&quot;benchmark://tiny-v0/alpha&quot;" in text
        or 'benchmark="benchmark://tiny-v0/alpha"' in text
    )


def test_a_benchmark_page_has_baselines_workloads_and_download(
    client: Client, version: DatasetVersion
) -> None:
    text = page(client, "/datasets/tiny-v0/beta/")
    assert "/api/v1/datasets/tiny-v0/benchmarks/beta/bitcode/" in text
    assert "1,600" in text
    assert "10 a b" in text
    assert "src/beta.c" in text


def test_a_range_has_a_page_and_so_has_each_member(client: Client, version: DatasetVersion) -> None:
    Benchmark.objects.create(
        version=version,
        position=9,
        uri="benchmark://tiny-v0/{n}",
        name="{n}",
        title="Loop",
        licence="MIT",
        kind="parametric",
        sha256="1" * 64,
        parameter_min=1,
        parameter_max=4096,
    )
    assert "from 1 to 4,096" in page(client, "/datasets/tiny-v0/7/")
    assert "computed" in page(client, "/datasets/tiny-v0/")
    assert client.get("/datasets/tiny-v0/4097/").status_code == 404


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


@pytest.mark.parametrize("name", ["loop_tool-cpu-v0", "loop_tool-cuda-v0"])
def test_pages_of_loop_tool_name_its_environment(client: Client, name: str) -> None:
    call_command("load_dataset", name)
    for url in (f"/datasets/{name}/", f"/datasets/{name}/1024/"):
        text = page(client, url)
        assert "optarena/loop_tool-v0" in text
        assert f"benchmark://{name}/1024" in text


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


def test_pages_of_a_range_need_few_queries(client: Client, loops_version: DatasetVersion) -> None:
    for url in ("/datasets/", "/datasets/loops-v0/", "/datasets/loops-v0/77/", "/datasets/loops-v0/?n=0"):
        with CaptureQueriesContext(connection) as captured:
            client.get(url)
        assert len(captured) <= 6, url


@pytest.mark.parametrize("url", ["/datasets/none-v0/", "/datasets/tiny-v0/none/"])
def test_what_does_not_exist_is_a_page_that_leads_back(
    client: Client, version: DatasetVersion, url: str
) -> None:
    response = client.get(url)
    assert response.status_code == 404
    assert 'href="/datasets/"' in response.content.decode()


def test_text_from_a_manifest_is_never_markup(client: Client, folder: Any) -> None:
    folder.manifest["benchmarks"][0]["title"] = "<script>alert(1)</script>"
    folder.manifest["title"] = "<b>bold</b>"
    load_dataset(manifest_dir=folder.write())
    for url in ("/datasets/", "/datasets/tiny-v0/", "/datasets/tiny-v0/alpha/"):
        text = page(client, url)
        assert "<script>alert" not in text
        assert "<b>bold" not in text


def test_the_number_of_queries_does_not_grow(client: Client, folder: Any) -> None:
    first = folder.manifest["benchmarks"][0]
    counts = []
    for number, size in enumerate((1, 40)):
        name = f"size-v{number}"
        folder.manifest["dataset"] = name
        folder.manifest["benchmarks"] = [
            {**first, "name": f"p{n}", "uri": f"benchmark://{name}/p{n}"} for n in range(size)
        ]
        load_dataset(manifest_dir=folder.write())
        for url in ("/datasets/", f"/datasets/{name}/", f"/datasets/{name}/p0/"):
            with CaptureQueriesContext(connection) as captured:
                page(client, url)
            counts.append(len(captured))
    assert counts[:3] == counts[3:]


def test_a_long_dataset_comes_in_pages(client: Client, folder: Any) -> None:
    first = folder.manifest["benchmarks"][0]
    folder.manifest["benchmarks"] = [
        {**first, "name": f"p{n}", "uri": f"benchmark://tiny-v0/p{n}"} for n in range(101)
    ]
    load_dataset(manifest_dir=folder.write())
    assert "?page=2#benchmarks" in page(client, "/datasets/tiny-v0/")
    assert 'href="/datasets/tiny-v0/p100/"' in page(client, "/datasets/tiny-v0/?page=2")
    assert "Page 2 of 2" in page(client, "/datasets/tiny-v0/?page=999")


def test_the_admin_shows_datasets_and_changes_nothing(admin_client: Client, version: DatasetVersion) -> None:
    row = version.benchmarks.get(name="beta")
    assert admin_client.get("/admin/datasets/benchmark/").status_code == 200
    url = f"/admin/datasets/benchmark/{row.pk}/change/"
    assert admin_client.get(url).status_code == 200
    assert admin_client.post(url, {"title": "x"}).status_code == 403
    assert admin_client.get("/admin/datasets/datasetversion/add/").status_code == 403
