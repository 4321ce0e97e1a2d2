"""Texts are compressed for clients that take that, each as its kind of answer allows."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import brotli
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from leaderboard.common.kept_answers import CompressionMiddleware

if TYPE_CHECKING:
    from tests.kit.arena import Arena

pytestmark = pytest.mark.django_db
BROWSER = "gzip, deflate, br, zstd"
UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}
TEXT = b"What a compiler does to a program. " * 30


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.parametrize(
    ("address", "accepted", "packed"),
    [
        ("/docs/submitting/", BROWSER, "br"),
        ("/docs/submitting/", "gzip, br;q=0", "gzip"),
        ("/docs/submitting/", "gzip", "gzip"),
        ("/docs/submitting/", "identity", ""),
        ("/docs/submitting/", "", ""),
        ("/api/v1/boards/test-ic/", BROWSER, "br"),
        ("/api/v1/boards/nowhere/", BROWSER, "br"),
        ("/api/v1/schema/?format=yaml", "gzip", "gzip"),
        ("/records/feed/", BROWSER, "br"),
        ("/sitemap.xml", BROWSER, "br"),
        ("/api/v1/boards/test-ic/standings.csv", BROWSER, "gzip"),
        ("/static/site/site.css", BROWSER, "gzip"),
        ("/static/site/favicon.svg", BROWSER, "gzip"),
        ("/static/site/favicon.ico", BROWSER, ""),
        ("/healthz", BROWSER, ""),
        ("/api/v1/datasets/tiny-v0/manifest/", BROWSER, ""),
        ("/api/v1/datasets/tiny-v0/archive/", BROWSER, ""),
    ],
)
def test_a_text_is_compressed_as_the_client_accepts(
    arena: Arena, client: Client, address: str, accepted: str, packed: str
) -> None:
    """A stream gets gzip, and a file that can be resumed is sent as it is stored."""
    plain = client.get(address)
    response = client.get(address, headers={"Accept-Encoding": accepted})
    sent = body(response)
    assert response.get("Content-Encoding", "") == packed
    assert UNPACKED[packed](sent) == body(plain)
    assert response.streaming or not packed or len(sent) < len(plain.content)
    assert response.get("Content-Length", str(len(sent))) == str(len(sent))
    if packed:
        assert "Accept-Encoding" in response["Vary"]


@pytest.mark.parametrize("address", ["/api/v1/boards/test-ic/", "/static/site/site.css"])
@pytest.mark.parametrize("accepted", [BROWSER, "gzip", ""])
def test_whoever_has_a_compressed_answer_can_ask_whether_it_holds(
    arena: Arena, client: Client, address: str, accepted: str
) -> None:
    first = client.get(address, headers={"Accept-Encoding": accepted})
    assert first["ETag"].startswith('W/"' if accepted else '"')
    body(first)
    known = {"Accept-Encoding": accepted, "If-None-Match": first["ETag"]}
    again = client.get(address, headers=known)
    assert (again.status_code, body(again)) == (304, b"")


def test_the_length_of_an_answer_to_somebody_is_random(arena: Arena, client: Client) -> None:
    """Else, what its sender repeats in it would tell which secret is beside that (BREACH)."""
    client.force_login(arena.owner)
    asked = ("/accounts/settings/", "/api/v1/boards/test-ic/")
    for address in asked:
        answers = [client.get(address, headers={"Accept-Encoding": BROWSER}) for _ in range(20)]
        assert {one["Content-Encoding"] for one in answers} == {"gzip"}
        assert len({len(one.content) for one in answers}) > 1


@pytest.mark.parametrize(
    ("method", "answer", "packed"),
    [
        ("get", lambda: HttpResponse(TEXT), "br"),
        ("head", lambda: HttpResponse(TEXT), ""),
        ("post", lambda: HttpResponse(TEXT), "gzip"),
        ("get", lambda: HttpResponse(TEXT * 200), "br"),
        ("get", lambda: HttpResponse(TEXT[:199]), ""),
        ("get", lambda: HttpResponse(TEXT, content_type="application/octet-stream"), ""),
        ("get", lambda: HttpResponse(TEXT, headers={"Content-Encoding": "zstd"}), "zstd"),
        ("get", lambda: HttpResponse(TEXT, headers={"Content-Range": "bytes 0-9/10"}), ""),
        ("get", lambda: StreamingHttpResponse([TEXT], content_type="text/event-stream"), ""),
    ],
)
def test_what_is_no_text_or_is_compressed_already_stays_as_it_is(
    method: str, answer: Any, packed: str
) -> None:
    given = getattr(RequestFactory(), method)("/", headers={"Accept-Encoding": BROWSER})
    response = CompressionMiddleware(lambda _: answer())(given)
    assert response.get("Content-Encoding", "") == packed
