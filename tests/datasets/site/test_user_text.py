"""Markdown of strangers: what it may do, and that nothing else of it becomes mark-up."""

from __future__ import annotations

import re
import time

import pytest

from datasets.site.formats import user_text
from optarena.limits import DESCRIPTION_LENGTH


def test_emphasis_lists_quotations_and_code_are_drawn() -> None:
    html = user_text("**bold** and *soft*\n\n* one\n* two\n\n> said\n\n`code`\n\n```\nblock\n```")
    for tag in ("strong", "em", "ul", "li", "blockquote", "code", "pre"):
        assert f"<{tag}>" in html


def test_the_ends_of_lines_are_kept() -> None:
    assert re.fullmatch(r"<p>one<br ?/>\ntwo</p>\n", user_text("one\ntwo"))


def test_links_lead_to_other_sites_and_give_them_no_credit() -> None:
    html = user_text("[a](https://example.org/x) <http://example.org> [m](mailto:a@example.org)")
    assert re.findall(r'href="([^"]*)"', html) == [
        "https://example.org/x",
        "http://example.org",
        "mailto:a@example.org",
    ]
    assert html.count('rel="nofollow noopener ugc"') == html.count("<a ")


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "/accounts/logout/",
        "//evil.example/",
        "relative",
    ],
)
def test_a_link_to_anything_else_is_text(target: str) -> None:
    for text in (f"[a]({target})", f"<{target}>", f"[a][b]\n\n[b]: {target}"):
        assert "<a" not in user_text(text), text


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "<b>bold</b>",
        "![image](https://example.org/pixel.png)",
        "# a heading",
        "a heading\n===",
        '[a](https://x/"onmouseover="alert(1))',
        '```"><script>alert(1)</script>\nx\n```',
        "---",
    ],
)
def test_no_other_tag_is_made(text: str) -> None:
    tags = set(re.findall(r"<(/?\w+)[^>]*>", user_text(text)))
    assert tags <= {"p", "/p", "a", "/a", "br", "pre", "/pre", "code", "/code"}
    assert not re.search(r"<[^>]*\son\w+=", user_text(text))


@pytest.mark.parametrize(
    "piece", ["[", "![[", "*a ", "**a*", "> ", "`", "[](h", "_a__", "<a ", "\\", "[a](<"]
)
def test_no_text_takes_long(piece: str) -> None:
    text = (piece * DESCRIPTION_LENGTH)[:DESCRIPTION_LENGTH]
    began = time.process_time()
    user_text(text)
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(("piece", "levels"), [("> ", 1), ("* ", 2), ("1. ", 2), ("> * ", 3)])
@pytest.mark.parametrize("depth", [5, 9, 10, 11, 18, 19, 20, 21, 40, 400])
def test_nothing_that_is_nested_deep_is_lost(piece: str, levels: int, depth: int) -> None:
    html = user_text(f"first\n\n{piece * depth}<b>deep</b> & last\n\nend")
    assert all(word in html for word in ("first", "&lt;b&gt;deep&lt;/b&gt; &amp; last", "end"))
    assert ("<li>" in html or "<blockquote>" in html) == (levels * depth < 19)
