"""The manual as pages: every chapter, its links and anchors, its code, and its search."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

import pytest
from django.utils.html import strip_tags

from leaderboard.manual.pages import manual_files, render_markdown, rendered, search
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from django.test import Client

CHAPTERS: Final = manual_files().chapters
ABOUT_OPTARENA: Final = ("Architecture", "Changelog", "Contributing", "Extending", "Roadmap", "Threat model")


def test_every_text_of_the_manual_is_a_chapter() -> None:
    assert {str(one.path) for one in CHAPTERS.values()} == {
        *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md")),
        *(path.name for path in ROOT.glob("*.md") if path.name != "AGENTS.md"),  # a text for programs
    }


def test_a_chapter_is_a_page_of_its_title_and_none_of_its_links_is_dropped(client: Client) -> None:
    """Where its links lead is checked with those of all pages."""
    index = client.get("/docs/").content.decode()
    for slug, chapter in CHAPTERS.items():
        assert f'href="/docs/{slug}/"' in index
        assert rendered(chapter.path).dropped == (), slug
        page = client.get(f"/docs/{slug}/").content.decode()
        assert f"<title>{chapter.title}" in page.replace("&#x27;", "'").replace("&amp;", "&")


def test_every_chapter_has_its_place_in_a_part() -> None:
    """The README has them, in this order; one that it lacks would come last."""
    listed = (ROOT / "README.md").read_text().partition("## All chapters")[2]
    places = [listed.find(f"]({one.path})") for one in CHAPTERS.values()]
    assert places == sorted(places)
    assert [one.path.name for one, place in zip(CHAPTERS.values(), places, strict=True) if place < 0] == [
        "README.md"
    ]
    assert list(dict.fromkeys(one.part for one in CHAPTERS.values())) == re.findall(
        r"^\* \*\*(.+?)\*\*", listed, re.MULTILINE
    )


def test_an_excerpt_of_a_table_divides_its_cells() -> None:
    page = render_markdown(PurePosixPath("docs/x.md"), "# A\n\n| b | c |\n|---|---|\n| 1 | 2 |\n")
    assert page.sections == ("b · c 1 · 2",)


def test_the_same_heading_twice_has_two_anchors(tmp_path: Path) -> None:
    page = render_markdown(PurePosixPath("docs/x.md"), "# A\n\n## B c\n\n## B c\n")
    assert [one.anchor for one in page.headings] == ["a", "b-c", "b-c-1"]
    assert (manual_files(tmp_path).chapters, manual_files(tmp_path).sources) == ({}, ())


def test_markup_and_unsafe_addresses_in_a_text_are_shown_as_text() -> None:
    text = "<script>x</script>\n\n[bad](javascript:alert(1)) [gone](../nowhere.py) [up](../../../etc/passwd)"
    page = render_markdown(PurePosixPath("docs/x.md"), text)
    assert "<script" not in page.html
    assert "<a " not in page.html
    assert page.dropped == ("../nowhere.py", "../../../etc/passwd")


def test_no_other_file_is_shown(client: Client) -> None:
    others = ("manage.py", "leaderboard/settings/__init__.py", ".git/config", "../etc/passwd", "examples")
    for path in others:
        assert client.get(f"/source/{path}/").status_code == 404, path


def test_code_is_highlighted(client: Client) -> None:
    page = client.get("/source/examples/agents/annealing.py/").content.decode()
    assert '<span class="hl-keyword">import</span>' in page
    assert client.get("/source/examples/rl/README.md/").content.decode().count("<h1") == 1
    chapter = client.get("/docs/submitting/").content.decode()
    assert ('<span class="hl-' in chapter, "<table>" in chapter) == (True, True)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("unranked", "/docs/faq/#why-is-my-entry-unranked"),
        ("Why has my entry no rank?", "/docs/faq/#why-is-my-entry-unranked"),
        ("idempotency KEY", "/docs/submitting/#over-rest"),
        ("claims", "/docs/measured-times/#claims"),
        ("how do I submit", "/docs/submitting/#submitting"),
        ("quotas", "/docs/submitting/#waiting-and-quotas"),
    ],
)
def test_a_search_finds_first_what_answers_the_question(client: Client, query: str, place: str) -> None:
    hits = search(query)
    assert hits[0].address == place
    path, _, anchor = place.partition("#")
    assert f'id="{anchor}"' in client.get(path).content.decode()
    chapters = [hit.about for hit in hits]
    assert "Changelog" not in chapters[: len(chapters) - sum(one in ABOUT_OPTARENA for one in chapters)]


def test_a_search_marks_the_words_and_finds_any_text_literally() -> None:
    assert "<mark>" in search("idempotency KEY")[0].excerpt
    for query in ("<b>&\"'", "xyzzyplugh", "%", "\\", "(", "a" * 1000, "the", ""):
        assert all("<b>" not in hit.excerpt for hit in search(query))
    assert len(search("the")) > 30, "a word that says nothing is searched if it is alone"
    assert search("xyzzyplugh") == search("") == []


@pytest.mark.parametrize("word", ["benchmark", "optarena_url", "nproc"])
def test_an_excerpt_has_the_word_that_was_found_and_cuts_none(word: str) -> None:
    chapters = CHAPTERS.values()
    sections = [text for chapter in chapters for text in rendered(chapter.path).sections]
    words = {one for text in sections for one in text.split()}
    for hit in search(word):
        shown = unescape(strip_tags(hit.excerpt)).removeprefix("… ").removesuffix(" …")
        first, *_, last = shown.split()
        assert {first, last} <= words, hit
        in_text = any(shown in text and word in text.casefold() for text in sections)
        assert ("<mark>" in hit.excerpt) is in_text, hit


def test_addresses_of_the_former_search_lead_to_the_new_one(client: Client) -> None:
    answer = client.get("/docs/", {"q": "a&b"})
    assert (answer.status_code, answer["Location"]) == (301, "/search/?q=a%26b")


def test_the_image_has_the_manual() -> None:
    copied = {
        source
        for line in (ROOT / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    }
    assert {str(one.path).partition("/")[0] for one in CHAPTERS.values()} <= copied
