"""Portable entries that are withdrawn, wait for a reviewer, come by the web form, or are in the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from leaderboard.models import PortableBoard, PortableEntry, PortableReplay
from leaderboard.portable import queries as portable_queries
from leaderboard.portable import services as portable_services
from leaderboard.portable.services import review
from optarena.specs import environment_spec
from runner.models import Demand, State, Verification
from tests.factories import make_user
from tests.kit.boards import fail, record
from tests.kit.portable import client_of, make_portable_board, make_portable_entry

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/portable/entries/"
FORM = "/portable/entries/"


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> PortableBoard:
    """A board that draws two programs, with the package's limit."""
    draw_known_programs(monkeypatch)
    return make_portable_board(programs=2, plausible_ratio=1.5)


@pytest.fixture
def ada() -> User:
    return make_user("ada")


def seal(user: User, *actions: int, agent: str = "mine") -> dict[str, Any]:
    """Seal an entry of sequences of one action each."""
    sequences = [{"actions": [action]} for action in actions]
    document = {"board": "portable", "agent": agent, "sequences": sequences}
    answer = client_of(user).post(ADDRESS, document, format="json")
    assert answer.status_code == 202, answer.content
    found: dict[str, Any] = answer.json()
    return found


def withdraw(user: User, entry: dict[str, Any]) -> Any:
    return client_of(user).post(f"{ADDRESS}{entry['id']}/withdraw/")


def end(entry: dict[str, Any], ratio: float) -> None:
    """Have the programs of an entry drawn, and its replays end with a ratio."""
    portable_services.draw_next()
    rows = PortableReplay.objects.filter(program__entry=entry["id"]).select_related("program")
    for row in rows.select_related("verification__environment_version"):
        record(row.verification, round(row.program.reference / ratio))


def ranks(board: PortableBoard) -> dict[str, tuple[int | None, str]]:
    """The rank of each entry, and why it has none; its own address says the same."""
    rows = {str(row.entry.pk): (row.rank, row.why) for row in portable_queries.portable_rows(board)}
    for key, row in rows.items():
        entry = Client().get(f"/api/v1/portable/entries/{key}/").json()
        assert (entry["rank"], entry["why"]) == row
    return rows


def state_of(entry: dict[str, Any]) -> str:
    return PortableEntry.objects.get(pk=entry["id"]).state


def test_an_entry_that_is_withdrawn_before_the_draw_gets_no_programs(board: PortableBoard, ada: User) -> None:
    sealed = seal(ada, 1)
    stranger = withdraw(make_user("eve"), sealed)
    assert stranger.status_code == 403
    answer = withdraw(ada, sealed)
    assert (answer.status_code, answer.json()["state"]) == (200, "withdrawn")
    assert answer.json()["drawn_at"] is None
    assert "<dt>Drawn</dt>" not in Client().get(sealed["page_url"]).content.decode()
    again = withdraw(ada, sealed)
    assert (again.status_code, again.json()["type"].rsplit("#")[-1]) == (409, "conflict")
    assert portable_services.draw_next() is None
    assert ranks(board) == {sealed["id"]: (None, "withdrawn")}
    assert seal(ada, 1)["id"] != sealed["id"], "the owner need not wait, and may seal the same again"


def test_replays_that_nobody_else_waits_for_are_cancelled(board: PortableBoard, ada: User) -> None:
    bob = make_user("bob")
    first = seal(ada, 1)
    portable_services.draw_next()
    copy = seal(bob, 1)
    portable_services.draw_next()
    assert withdraw(ada, first).status_code == 200
    assert not Demand.objects.filter(payer__name=f"user:{ada.pk}").exists()
    assert set(Verification.objects.values_list("state", flat=True)) == {State.QUEUED}
    withdraw(bob, copy)
    assert set(Verification.objects.values_list("state", flat=True)) == {State.CANCELLED}
    found = client_of(bob).get(copy["url"]).json()
    assert (found["state"], found["score"]) == ("withdrawn", None)
    assert (found["ended_replays"], found["replays"] > 0) == (0, True), "none of them was made"
    assert client_of(ada).get(copy["url"]).json()["sequences"] is None, "they were never verified"


def test_who_withdraws_after_the_draw_gets_no_earlier_rank_back(board: PortableBoard, ada: User) -> None:
    lucky = seal(ada, 1)
    end(lucky, 1.2)
    unlucky = seal(ada, 2)
    end(unlucky, 1.1)
    assert ranks(board)[unlucky["id"]] == (1, "")
    withdraw(ada, unlucky)
    assert ranks(board) == {
        lucky["id"]: (None, "a later entry of this agent counts"),
        unlucky["id"]: (None, "withdrawn"),
    }
    withdraw(ada, seal(ada, 3))
    assert ranks(board)[lucky["id"]][0] is None
    latest = seal(ada, 4)
    end(latest, 1.05)
    assert ranks(board)[latest["id"]] == (1, "")


def test_an_entry_that_never_got_programs_takes_no_rank_away_when_it_is_withdrawn(
    board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked = seal(ada, 1)
    end(ranked, 1.2)
    hopeless = seal(ada, 2)
    PortableEntry.objects.update(sealed_at=F("sealed_at") - portable_services.LONGEST_SEALED)
    monkeypatch.setattr("leaderboard.portable.services.level_values", lambda **_asked: [])
    for _ in range(portable_services.LEAST_DRAWS):
        portable_services.draw_next()
    assert state_of(hopeless) == "failed"
    answer = withdraw(ada, hopeless)
    assert ranks(board) == {ranked["id"]: (1, ""), hopeless["id"]: (None, "withdrawn")}
    assert (answer.status_code, answer.json()["drawn_at"]) == (200, None)
    hidden = client_of(make_user("bob")).get(hopeless["url"]).json()
    assert (hidden["sequences"], hidden["content_sha256"]) == (None, None), "nobody has replayed them"


@pytest.mark.parametrize(
    ("unreadable", "why"),
    [
        ({"ended_at": None, "withdrawn_at": timezone.now(), "score": None}, "withdrawn"),
        ({"unverified": 1, "score": None}, "could not be verified"),
        ({"unverified": 1, "score": None, "withdrawn_at": timezone.now()}, "withdrawn"),
    ],
)
def test_what_nobody_else_could_read_makes_no_copies(
    board: PortableBoard, ada: User, unreadable: dict[str, Any], why: str
) -> None:
    former = make_portable_entry(board, ada, "former", 1)
    PortableEntry.objects.update(**unreadable)
    own = make_portable_entry(board, make_user("bob"), "own", 1)
    copy = make_portable_entry(board, make_user("eve"), "copy", 1)
    again = make_portable_entry(board, ada, "again", 1)
    assert ranks(board) == {
        str(own.pk): (1, ""),
        str(copy.pk): (None, "a copy of an earlier entry"),
        str(again.pk): (1, ""),
        str(former.pk): (None, why),
    }


def test_what_was_published_makes_copies_even_if_a_repeated_replay_fails(
    board: PortableBoard, ada: User
) -> None:
    published = seal(ada, 1)
    portable_services.draw_next()
    first, second = PortableReplay.objects.filter(program__entry=published["id"]).select_related("program")
    fail(first.verification, "env:timeout")
    record(second.verification, round(second.program.reference / 1.2))
    copy = make_portable_entry(board, make_user("bob"), "copy", 1)
    PortableEntry.objects.filter(pk=copy.pk).update(
        content_sha256=PortableEntry.objects.get(pk=published["id"]).content_sha256
    )
    assert ranks(board)[str(copy.pk)] == (None, "a copy of an earlier entry")
    call_command("reverify")
    fail(Verification.objects.get(state=State.QUEUED), "infra:killed")
    assert state_of(published) == "failed"
    assert ranks(board)[str(copy.pk)] == (None, "a copy of an earlier entry")
    assert client_of(make_user("eve")).get(published["url"]).json()["sequences"]


def test_an_entry_beyond_what_is_plausible_waits_for_a_reviewer(board: PortableBoard, ada: User) -> None:
    before = seal(ada, 1)
    end(before, 1.2)
    doubted = seal(ada, 2)
    end(doubted, 1.9)
    assert state_of(doubted) == "quarantined"
    assert ranks(board) == {before["id"]: (1, ""), doubted["id"]: (None, "waits for a reviewer")}
    assert "A reviewer looks at the entry" in Client().get(doubted["page_url"]).content.decode()
    assert review(entry_ids=[before["id"], doubted["id"]], accept=True, reviewer="staff") == 1
    assert ranks(board)[doubted["id"]] == (1, "")
    plausible_now = seal(make_user("bob"), 3)
    end(plausible_now, 1.8)
    assert ranks(board)[plausible_now["id"]] == (2, "")


def test_a_reviewer_looks_again_at_the_result_of_a_repeated_replay(board: PortableBoard, ada: User) -> None:
    accepted = seal(ada, 2)
    portable_services.draw_next()
    first, second = PortableReplay.objects.filter(program__entry=accepted["id"]).select_related("program")
    fail(first.verification, "env:timeout")
    record(second.verification, round(second.program.reference / 1.9))
    review(entry_ids=[accepted["id"]], accept=True, reviewer="staff")
    assert state_of(accepted) == "ended"
    call_command("reverify")
    waiting = client_of(ada).get(accepted["url"]).json()
    assert {(one["value"], one["best"], one["ratio"]) for one in waiting["programs"]} == {(None, None, None)}
    new = Verification.objects.get(state=State.QUEUED)
    record(new, round(first.program.reference / 5))
    assert state_of(accepted) == "quarantined"


def test_a_reviewer_refuses_an_entry_on_the_admin_site(board: PortableBoard, ada: User) -> None:
    doubted = seal(ada, 2)
    end(doubted, 1.9)
    browser = Client()
    browser.force_login(make_user("staff", staff=True))
    chosen = {"action": "refuse", "_selected_action": [doubted["id"]]}
    answer = browser.post("/admin/leaderboard/portableentry/", chosen, follow=True)
    assert "1 quarantined entries were decided" in answer.content.decode()
    assert state_of(doubted) == "refused"
    assert ranks(board) == {doubted["id"]: (None, "refused by a reviewer")}
    assert review(entry_ids=[doubted["id"]], accept=True, reviewer="staff") == 0


def test_one_s_own_entries_do_not_raise_the_limit(board: PortableBoard, ada: User) -> None:
    for action in (1, 2):
        doubted = seal(ada, action)
        end(doubted, 1.9 + action / 10)
        assert state_of(doubted) == "quarantined"


def test_the_form_seals_pasted_command_lines(board: PortableBoard, ada: User) -> None:
    browser = Client()
    browser.force_login(ada)
    line = environment_spec("llvm-ic-v0").commandline
    page = browser.get(f"{FORM}?board=portable").content.decode()
    assert '<option value="portable" selected>' in page
    given = {"board": "portable", "agent": "mine", "sequences": f"{line((1,))}\n\n  {line((2, 3))}\n"}
    answer = browser.post(FORM, given)
    entry = PortableEntry.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, entry.get_absolute_url())
    assert entry.sequences == [[1], [2, 3]]
    assert browser.post(FORM, given)["Location"] == entry.get_absolute_url(), "a second click"
    waits = browser.post(FORM, given | {"sequences": line((4,))})
    assert (waits.status_code, bool(waits["Retry-After"])) == (429, True)
    assert "have not been drawn yet" in waits.content.decode()


def test_the_form_says_what_is_wrong_and_seals_nothing(board: PortableBoard, ada: User) -> None:
    browser = Client()
    browser.force_login(ada)
    given = {
        "board": "portable",
        "agent": "mine",
        "sequences": "a\x0cb\r\n\r\nopt -passes='nothing' input.bc -o output.bc",
    }
    answer = browser.post(FORM, given)
    assert answer.status_code == 422
    assert "Nothing was stored" in answer.content.decode()
    assert "opt -passes=" in answer.content.decode()
    assert "Line 3, <strong>commandline</strong>" in answer.content.decode()
    empty = browser.post(FORM, given | {"sequences": " \r\n "})
    assert (empty.status_code, "This field is required." in empty.content.decode()) == (422, True)
    assert not PortableEntry.objects.exists()


def test_the_owner_withdraws_an_entry_on_its_page(board: PortableBoard, ada: User) -> None:
    sealed = seal(ada, 1)
    browser = Client()
    browser.force_login(ada)
    page = sealed["page_url"].removeprefix("http://testserver")
    assert "Withdraw this entry" in browser.get(page).content.decode()
    assert "Withdraw this entry" not in Client().get(page).content.decode()
    shown = browser.post(f"{page}withdraw/", follow=True).content.decode()
    assert "The portable entry was withdrawn." in shown
    assert "This entry was withdrawn" in shown
    assert "already withdrawn" in browser.post(f"{page}withdraw/", follow=True).content.decode()


def test_the_queue_names_the_owner_of_a_portable_entry(board: PortableBoard, ada: User) -> None:
    sealed = seal(ada, 1)
    portable_services.draw_next()
    page = Client().get("/queue/").content.decode()
    assert f'href="{sealed["page_url"].removeprefix("http://testserver")}"' in page
    assert "mine <small>by ada</small>" in page
