"""What pages show: Markdown of strangers, numbers, and the navigation of the installed apps."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.apps import apps
from django.template.defaultfilters import date as date_filter

from datasets.site import formats
from datasets.site.formats import user_text
from datasets.site.navigation import Contribution, Link, layout
from datasets.site.templatetags import site
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


@pytest.mark.parametrize("name", ["score", "signed_percent", "number", "duration"])
def test_what_does_not_exist_is_a_dash(name: str) -> None:
    written = site.register.filters[name]
    assert [written(None), written("")] == [formats.NOTHING] * 2


def test_figures_are_written_for_people() -> None:
    assert formats.score(1.23456) == "1.2346"
    assert formats.signed_percent(0) == formats.small_percent(0) == "0"
    assert formats.signed_percent(0.051) == "+5.10 %"
    assert formats.signed_percent(-0.051) == "\N{MINUS SIGN}5.10 %"
    assert formats.number(12345.0) == "12,345"
    assert formats.number(1.5) == "1.5"
    assert [formats.short(value) for value in (512, 16_384, 4 * 2**20, 2**31)] == ["512", "16k", "4M", "2G"]
    assert formats.percent(0.5) == "50 %"


def test_seconds_are_written_in_the_unit_that_fits() -> None:
    assert [formats.duration(s) for s in (0.5, 12, 120, 7200, 172800)] == [
        "500 ms",
        "12.0 s",
        "2 min",
        "2.0 h",
        "2.0 days",
    ]


def test_a_moment_names_its_time_zone() -> None:
    when = datetime(2026, 3, 1, 0, 5, 9, tzinfo=timezone(timedelta(hours=2)))
    assert formats.moment(when) == "2026-02-28 22:05 UTC"
    assert formats.moment(when, "seconds") == "2026-02-28 22:05:09 UTC"


def test_a_value_is_found_by_a_key_that_is_a_variable() -> None:
    assert site.get({"a": 1}, "a") == 1
    assert site.get(None, "a") == ""


def test_moments_are_written_as_django_writes_them() -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
    assert formats.iso(at) == date_filter(at, "c")
    assert formats.day(at) == date_filter(at, "Y-m-d") == "2026-01-02"


LLVM = """define i32 @main() {
entry:                                            ; preds = %<x>
  %1 = call i32 (ptr, ...) @printf(ptr @.text, double 1.5e+00) ; a comment & more
  ret i32 0, !dbg !12

17:                                               ; preds = %0, %16
  %18 = add i64 %17, 7777777777
  %arr.12 = getelementptr [12 x i8], ptr @12, i64 %18, !tbaa !7777777777 ; #2
  call void asm "movl $0, %0", "r"(i32 0x12) #12
}"""
GAS = """\t.file "x.c"
main:                           # the <program>
\tmovl $3, %edi  # a comment
\t.string "a#b"
1:\tmovq %r12, %xmm12
\tmov w0, #0x1f
.LFE0:"""


@pytest.mark.parametrize(("language", "text"), [("llvm", LLVM), ("gas", GAS), ("of-a-plug-in", "a < b\n c")])
def test_lines_of_a_state_are_coloured_as_its_whole_text_is(language: str, text: str) -> None:
    for shown in (text, text.replace("comment", "comment" * 200)):
        lines = [formats.highlighted_line(line, language) for line in shown.split("\n")]
        assert "\n".join(lines) == formats.highlighted(shown, language)


def test_links_stand_in_the_order_of_their_places() -> None:
    titles = [entry.title for entry in layout("/").entries]
    assert titles == ["Boards", "Datasets", "Submissions", "Submit", "Manual"]
    further = [entry.title for entry in layout("/").further]
    places = ["Daily puzzle", "Records", "Queue", "Step data", "Environments", "Methodology", "API", "Source"]
    assert further == places


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/", {}),
        ("", {}),
        ("/datasets/", {"Datasets": "true"}),
        ("/datasets/kernels-v0/", {"Datasets": "true"}),
        ("/queue/", {"Queue": "page"}),
        ("/queue/more/", {}),
    ],
)
def test_the_section_of_a_page_is_marked(path: str, marked: dict[str, str]) -> None:
    shown = layout(path)
    found = {entry.title: entry.current for entry in (*shown.entries, *shown.further) if entry.current}
    assert found == marked


def test_an_app_adds_links_by_data_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    links = (Link(title="Jobs", view="leaderboard:queue", place=22),)
    monkeypatch.setattr(apps.get_app_config("runner"), "site", Contribution(links=links), raising=False)
    titles = [entry.title for entry in layout.__wrapped__("/").entries]
    assert titles[:3] == ["Boards", "Datasets", "Jobs"]


def test_an_attribute_of_another_kind_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    before = layout("/")
    monkeypatch.setattr(apps.get_app_config("humanize"), "site", "https://example.org", raising=False)
    assert layout.__wrapped__("/") == before
