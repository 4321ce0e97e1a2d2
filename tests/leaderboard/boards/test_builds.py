"""Recipes for builds by page and API: of which items and boards, in which forms, and for whom."""

from __future__ import annotations

import io
import tarfile
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from leaderboard.models import Board, Submission
from optarena.deploy.exports import FORMS
from optarena.deploy.recipe import Recipe, parse_recipe
from optarena.llvm.actions import CURATED
from tests.factories import make_board, make_dataset, make_old_environment
from tests.kit.boards import URIS, World, document, record, record_all, submit, verifications
from tests.kit.credit import entry
from tests.kit.pages import text

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient


BOARD = "/api/v1/boards/test-ic/export/"


def of_item(submission: Submission, position: int = 0) -> str:
    return f"/api/v1/submissions/{submission.pk}/items/{position}/export/"


def fetch(client: APIClient, address: str, **query: str) -> Any:
    answer = client.get(address, query)
    assert answer.status_code == 200, answer.content
    return answer


def recipe(client: APIClient, address: str) -> Recipe:
    return parse_recipe(fetch(client, address, format="recipe").content)


def refused(client: APIClient, address: str, code: int, **query: str) -> str:
    answer = client.get(address, query)
    assert (answer.status_code, answer["Content-Type"]) == (code, "application/problem+json")
    body = answer.json()
    assert body["errors"][0]["remedy"]
    return f"{body['detail']} {body['errors'][0]['remedy']}"


def test_the_recipe_of_an_item_says_where_it_was_found(world: World, anonymous: APIClient) -> None:
    submission = entry(world.user)
    found = recipe(anonymous, of_item(submission))
    unit, link = found.rules
    assert [one.pipeline for one in unit.sequences] == ["default<Oz>", CURATED.action(1).pipeline]
    assert link.sequences == unit.sequences[1:]
    assert (link.scope, found.metric, found.level) == ("link", "load_size_bytes", "Oz")
    sequence = link.sequences[0]
    assert sequence.expected is None, "builds do not count instructions"
    assert sequence.origin == {
        "address": f"http://testserver/submissions/{submission.pk}/items/0/",
        "agent": "agent",
        "benchmark": URIS[0],
        "licence": "MIT",
    }


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_a_download_that_never_differs(world: World, anonymous: APIClient, form: str) -> None:
    address = of_item(entry(world.user))
    first, second = (fetch(anonymous, address, format=form) for _ in range(2))
    assert first.content == second.content
    if form in ("shell", "link"):
        assert first["Content-Type"] == "text/plain; charset=utf-8"
        assert CURATED.action(1).pipeline in first.content.decode()
        return
    assert first["Content-Type"] == "application/gzip"
    with tarfile.open(fileobj=io.BytesIO(first.content)) as archive:
        members = archive.getmembers()
        assert {(one.mtime, one.uid, one.gid, one.uname) for one in members} == {(0, 0, 0, "")}
        folders, names = zip(*(one.name.split("/") for one in members), strict=True)
    assert len(set(folders)) == 1
    assert {"recipe.json", f"{folders[0]}.c"} < set(names)
    assert folders[0] in first["Content-Disposition"]


def test_the_default_is_a_configuration_file(world: World, anonymous: APIClient) -> None:
    address = of_item(entry(world.user))
    assert fetch(anonymous, address).content == fetch(anonymous, address, format="config").content


def test_a_board_has_its_best_open_sequences_once_each(world: World, anonymous: APIClient) -> None:
    entry(world.user, ((1,), (1,), (2,)), agent="first")
    second = submit(world.other, document([[3], [4]], agent="second", open=False))
    record_all(second, 70, 75)
    third = submit(world.other, document([[5]], agent="third"))
    record_all(third, 80)
    found = recipe(anonymous, BOARD)
    [rule] = found.rules
    origins = [(one.actions, one.origin.get("agent")) for one in rule.sequences]
    # What is not open does not hide what is; the best is first, behind the level.
    assert origins == [((), None), ((5,), "third"), ((1,), "first"), ((2,), "first")]
    assert rule.source == "*"
    second.items.update(opens_at=timezone.now() - timedelta(days=1))
    found = recipe(anonymous, BOARD)
    assert [one.actions for one in found.rules[0].sequences] == [(), (3,), (4,), (2,)]


def test_at_most_eight_sequences_are_tried(world: World, anonymous: APIClient) -> None:
    names = [f"p{number}" for number in range(10)]
    make_dataset("many-v0", names)
    make_board(slug="many", dataset="many-v0")
    items = [
        {"benchmark": f"benchmark://many-v0/{name}", "actions": [number]} for number, name in enumerate(names)
    ]
    record_all(submit(world.user, document(board="many", items=items)), *range(90, 80, -1))
    found = recipe(anonymous, BOARD.replace("test-ic", "many"))
    assert [one.actions for one in found.rules[0].sequences] == [
        (),
        *((number,) for number in range(9, 1, -1)),
    ]


def test_many_better_results_that_are_not_open_hide_none_that_is(world: World, anonymous: APIClient) -> None:
    names = [f"p{number}" for number in range(35)]
    make_dataset("many-v0", names)
    make_board(slug="many", dataset="many-v0")
    items = [{"benchmark": f"benchmark://many-v0/{name}", "actions": [1]} for name in names]
    closed = submit(world.user, document(board="many", items=items[:-1], open=False))
    record_all(closed, *[50] * 34)
    record_all(submit(world.other, document(board="many", items=items[-1:])), 90)
    found = recipe(anonymous, BOARD.replace("test-ic", "many"))
    assert [one.actions for one in found.rules[0].sequences] == [(), (1,)]


def test_what_cannot_be_read_cannot_be_exported(world: World, anonymous: APIClient, api: APIClient) -> None:
    closed = submit(world.user, document(open=False))
    record_all(closed, 90, 90, 90)
    opens = closed.items.get(position=0).opens_at
    assert f"opens on {opens:%Y-%m-%d}" in refused(anonymous, of_item(closed), 409)
    assert recipe(api, of_item(closed)).rules, "its owner may"
    assert "None of this board's best sequences can be read by everybody" in refused(anonymous, BOARD, 409)
    waiting = submit(world.user, document([[9]]))
    assert "Only the sequence of a verified item" in refused(anonymous, of_item(waiting), 409)


def test_what_is_asked_wrongly_is_named(world: World, anonymous: APIClient) -> None:
    address = of_item(entry(world.user))
    for where in (address, BOARD):
        said = refused(anonymous, where, 422, format="cmke")
        assert "cmake" in said
        assert refused(anonymous, where, 422, formt="cmake")
    said = refused(anonymous, address, 422, format="no-such-form")
    assert all(form in said for form in FORMS)
    assert "the export of an item" in refused(anonymous, BOARD, 422, format="link")
    assert anonymous.get(address.replace("/items/0/", "/items/7/")).status_code == 404
    assert anonymous.get(BOARD.replace("test-ic", "nowhere")).status_code == 404


def test_actions_that_are_no_whole_passes_are_left_out(world: World, anonymous: APIClient) -> None:
    submission = entry(world.user)
    submission.items.filter(position=0).update(commandline="llvm-functions sroa@0")
    assert "is not a sequence of llvm-passes-v0" in refused(anonymous, of_item(submission), 409)
    [rule] = recipe(anonymous, BOARD).rules
    assert [one.actions for one in rule.sequences] == [(), (2,), (3,)]


@pytest.mark.parametrize("version", ["19.1.0", ""])
def test_results_of_another_llvm_cannot_be_used(world: World, anonymous: APIClient, version: str) -> None:
    submission = entry(world.user)
    old = make_old_environment()
    old.spec = {"engine_version": version} if version else {}
    old.save()
    Board.objects.filter(pk=world.board.pk).update(environment_version=old)
    for address in (of_item(submission), BOARD):
        assert f"of LLVM {version or 'unknown'}" in refused(anonymous, address, 409)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"environment": "gcc-v0", "metric": "text_size_bytes"}, "results of gcc-v0 are none"),
        (
            {
                "environment": "llvm-runtime-v0",
                "metric": "runtime_seconds",
                "baseline_level": "",
                "reference_metric": "reference_seconds",
            },
            "this board compares times",
        ),
    ],
)
def test_boards_that_builds_cannot_use_say_so(
    world: World, anonymous: APIClient, pages: Client, about: dict[str, str], said: str
) -> None:
    make_board(slug="other", **about)
    assert said in refused(anonymous, BOARD.replace("test-ic", "other"), 409)
    assert said in text(pages.get("/boards/other/build/"))
    assert "/build/" not in text(pages.get("/boards/other/"))


def test_pages_show_each_form(world: World, pages: Client) -> None:
    submission = entry(world.user)
    item = text(pages.get(f"/submissions/{submission.pk}/items/0/"))
    board = text(pages.get("/boards/test-ic/build/"))
    for page, address, forms in ((item, of_item(submission), 7), (board, BOARD, 6)):
        assert page.count('type="radio" name="form"') == forms
        assert f"curl -fsS &#x27;http://testserver{address}?format=cmake&#x27; | tar xzf -" in page
        assert page.count("clang-22 -std=c11") == 4, "make builds the plugin by itself"
        assert "OPTARENA_TOKEN" not in page
    assert f'<a href="http://testserver/submissions/{submission.pk}/items/0/">{URIS[0]}</a>' in board
    assert 'href="/boards/test-ic/build/"' in text(pages.get("/boards/test-ic/"))


def test_a_page_shows_no_form_to_those_who_may_not_read(world: World, pages: Client) -> None:
    closed = submit(world.user, document(open=False))
    record(verifications(closed)[0], 90)
    address = f"/submissions/{closed.pk}/items/"
    assert "$OPTARENA_TOKEN" in text(pages.get(f"{address}0/")), "its owner reads it with a token"
    assert "Use it in your build" not in text(pages.get(f"{address}1/")), "it waits"
    pages.logout()
    assert "Use it in your build" not in text(pages.get(f"{address}0/"))
    assert "can be read by everybody" in text(pages.get("/boards/test-ic/build/"))
