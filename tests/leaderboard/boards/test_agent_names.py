"""Names of agents: one normal form, visible, and none that people would take for another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import uuid4

from leaderboard.models import Submission
from tests.kit.arena import rolled_back
from tests.kit.boards import URIS, World, document, submit
from tests.kit.portable import make_portable_board, make_portable_entry

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient

ADDRESS = "/api/v1/submissions/"
CSV = f"benchmark,commandline\n{URIS[0]},\"opt -passes='function(sroa<modify-cfg>)' input.bc -o output.bc\"\n"
WAYS = ("json", "csv", "form")


def send(way: str, name: str, api: APIClient, pages: Client) -> tuple[int, str]:
    if way == "form":
        page = pages.post("/submit/", {"board": "test-ic", "agent": name, "states": CSV, "key": uuid4().hex})
        return page.status_code, page.content.decode()
    body: Any = json.dumps(document([[1]], agent=name)) if way == "json" else CSV
    query = "" if way == "json" else "?" + urlencode({"board": "test-ic", "agent": name})
    kind = "application/json" if way == "json" else "text/csv"
    answer = api.generic("POST", ADDRESS + query, body.encode(), content_type=kind)
    return answer.status_code, answer.content.decode()


NORMAL = {
    "Ｇｒｅｅｄｙ　ｓｅａｒｃｈ": "Greedy search",
    "ﬁne": "fine",
    "two\u00a0\u2003words": "two words",
    "e\u0301tude": "étude",
    "x²": "x2",
    "❤️": "❤",
    "ε-greedy": "ε-greedy",
    "μTune": "μTune",
    "поиск": "поиск",
    "探索 agent": "探索 agent",
    "探索agent": "探索agent",
    "ഠ": "ഠ",
    "Gǎo naïve ĸ": "Gǎo naïve ĸ",
    "🦙": "🦙",
    "oz-sequence": "oz-sequence",
}


def test_a_name_is_stored_in_its_normal_form(world: World, api: APIClient, pages: Client) -> None:
    for number, (name, normal) in enumerate(NORMAL.items()):
        for way in WAYS if number < 2 else WAYS[:1]:  # all lead to the same check
            assert send(way, name, api, pages)[0] in (202, 302), name
            assert Submission.objects.latest("created").agent == normal


REFUSED = {
    "\u200b": "control characters",
    "agent\u200d": "ZERO WIDTH JOINER",
    "\u202eagent": "control characters",
    "a\u2066b": "control characters",
    "\u3164": "HANGUL JUNGSEONG FILLER",
    "\u2800": "BRAILLE PATTERN BLANK",
    "a\ufe01": "VARIATION SELECTOR-2",
    "a\u00adb": "control characters",
    "a\ue000": "U+E000",
    "\u0301\u0302": "no visible character",
    "\u0301a": "begins with a combining mark",
    "a\u0338\u0338\u0338\u0338": "more than 2 combining marks",
    "grееdy": "mixes letters of Cyrillic and Latin",
    "\u00a0\u2003": "missing",
    "LLVM -Oz": "looks like 'LLVM -Oz'",
    "llvm  −oz": "looks like 'LLVM -Oz'",
    "ＬＬＶＭ -0z": "looks like 'LLVM -Oz'",
    "-O3": "looks like '-O3'",
    "‐О3": "looks like",
    "ﷺ" * 5: "at most 80",
    "ꓡꓡꓦꓟ -ꓳꓜ": "has letters of Lisu",
    "ᏞᏞᏙᎷ -ᎮᏃ": "has letters of Cherokee",
    "LLVM -Oᴢ": "looks like 'LLVM -Oz'",
    "ʟʟᴠᴍ -ᴏᴢ": "looks like 'LLVM -Oz'",
    "LLVM -ഠz": "mixes letters of Latin and Malayalam",
    "LLVM -ОЗ": "looks like 'LLVM -O3'",
    "LLVM -Oʒ": "looks like 'LLVM -O3'",
    "LLVM -౦z": "looks like 'LLVM -Oz'",
    "LLVM -Oƶ": "looks like 'LLVM -Oz'",
    "LLVM 一Oz": "looks like 'LLVM -Oz'",
    "ᒪᒪᐯᗰ -Oz": "letters of Canadian",
}


def test_a_name_that_deceives_is_refused_with_a_remedy(world: World, api: APIClient, pages: Client) -> None:
    for number, (name, expected) in enumerate(REFUSED.items()):
        for way in WAYS if number < 2 else WAYS[:1]:  # as above
            status, said = send(way, name, api, pages)
            assert status == 422, name
            if way != "form":
                [problem] = json.loads(said)["errors"]
                assert (problem["field"], bool(problem["remedy"])) == ("agent", True)
                assert expected in problem["message"] + problem["remedy"]
    assert not Submission.objects.exists()


DISGUISES = (("сосоа", "Cocoa"), ("СОСОА", "Cocoa"), ("τοκα 2", "Toka 2"), ("ΑΒ", "ab"), ("Cocoa", "сосоа"))


def test_a_name_in_disguise_of_one_that_exists_is_refused(
    world: World, api: APIClient, pages: Client
) -> None:
    for disguise, name in DISGUISES:
        with rolled_back():
            submit(world.other, document([[1]], agent=name))
            status, said = send("json", disguise, api, pages)
            assert (status, f"looks like {name!r}" in json.loads(said)["errors"][0]["message"]) == (422, True)
            assert send("json", name.upper(), api, pages)[0] == 202, "a known name may be anybody's"
    assert send("json", "GCC -O3", api, pages)[0] == 202, "of a reference of other boards"


def test_portable_entries_and_submissions_do_not_take_each_other_s_names_in_disguise(
    world: World, api: APIClient, pages: Client
) -> None:
    board = make_portable_board()
    make_portable_entry(board, world.other, "Cocoa", 1)
    assert send("json", "сосоа", api, pages)[0] == 422
    submit(world.other, document([[1]], agent="Toka"))
    for name, known in (("сосоа", "Cocoa"), ("τοκα", "Toka")):
        given = {"board": board.slug, "agent": name, "sequences": [{"actions": [1]}]}
        answer = api.post("/api/v1/portable/entries/", given, format="json")
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"]) == (422, "agent")
        assert (problem["value"], f"looks like {known!r}" in problem["message"]) == (name, True)
