"""Portable entries: sealed first, drawn afterwards, scored, reviewed and withdrawn."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from datasets.models import Benchmark
from leaderboard.models import PortableBoard, PortableEntry, PortableReplay
from leaderboard.portable import queries as portable_queries
from leaderboard.portable import services as portable_services
from leaderboard.portable.level_values import LevelsUnknown, level_values
from leaderboard.portable.services import review
from leaderboard.submissions.replay_again import repeat_item
from optarena.specs import environment_spec
from runner.models import Demand, EnvironmentVersion, State, Verification
from tests.factories import make_board, make_dataset, make_user
from tests.kit.boards import document as boards_document
from tests.kit.boards import fail, record, submit, verifications
from tests.kit.pages import cannot_keep_focus
from tests.kit.portable import client_of, make_portable_board, make_portable_entry

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db


DRAWN, REPORTED = 3, 2
ADDRESS = "/api/v1/portable/entries/"
SEQUENCES = [{"actions": [1]}, {"actions": [2, 3]}]
SROA = {"commandline": "opt -passes='function(sroa<modify-cfg>)' input.bc -o output.bc"}


@pytest.fixture
def drawing_board() -> PortableBoard:
    """A board that draws three programs, and reports on two that everybody knows."""
    make_dataset()
    Benchmark.objects.filter(name__in=("alpha", "beta")).update(split="test")
    return make_portable_board(programs=DRAWN, report_dataset="boards-v0")


def draw_known_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same few programs for every entry: to generate and measure others takes seconds."""

    def known(entry: PortableEntry) -> list[str]:
        return [f"generator://synthetic-v0/{number + 1}" for number in range(entry.board.programs)]

    monkeypatch.setattr(portable_services, "drawn_uris", known)
    know_all_levels(monkeypatch)


def know_all_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        portable_services, "level_values", lambda **asked: [(400.0, 100.0)] * len(asked["uris"])
    )


@pytest.fixture
def board(drawing_board: PortableBoard, monkeypatch: pytest.MonkeyPatch) -> PortableBoard:
    draw_known_programs(monkeypatch)
    return drawing_board


@pytest.fixture
def ada() -> User:
    return make_user("ada")


def document(**changes: Any) -> dict[str, Any]:
    return {"board": "portable", "agent": "mine", "sequences": SEQUENCES} | changes


def post(user: User, **changes: Any) -> Any:
    return client_of(user).post(ADDRESS, document(**changes), format="json")


def replays(entry_id: str) -> list[PortableReplay]:
    rows = PortableReplay.objects.filter(program__entry=entry_id).order_by("program__position", "sequence")
    return list(rows.select_related("program", "verification__environment_version"))


def test_an_entry_is_sealed_then_drawn_replayed_and_scored(drawing_board: PortableBoard, ada: User) -> None:
    answer = post(ada)
    sealed = answer.json()
    assert (answer.status_code, answer["Location"], sealed["state"]) == (202, sealed["url"], "sealed")
    assert sealed["programs"] == []
    entry = portable_services.draw_next()
    assert entry is not None
    drawn = client_of(ada).get(sealed["url"]).json()
    assert (drawn["state"], drawn["replays"]) == ("replaying", (DRAWN + REPORTED) * len(SEQUENCES))
    assert [one["is_drawn"] for one in drawn["programs"]] == [True] * DRAWN + [False] * REPORTED
    assert all(one["reference"] < one["unoptimised"] for one in drawn["programs"])
    assert Demand.objects.filter(payer__name=f"user:{ada.pk}").count() == drawn["replays"]
    bob = make_user("bob")
    assert client_of(bob).get(sealed["url"]).json()["sequences"] is None
    # The first sequence fails on the first program, and is the better one on all others.
    for row in replays(sealed["id"]):
        if (row.program.position, row.sequence) == (0, 0):
            fail(row.verification, "env:crash")
        else:
            record(row.verification, int(row.program.reference) // (2 - row.sequence))
    ended = client_of(bob).get(sealed["url"]).json()
    ratios = [one["ratio"] for one in ended["programs"][:DRAWN]]
    assert ended["state"] == "ended"
    assert [one["best"] for one in ended["programs"]] == [1, 0, 0, 0, 0]
    assert ratios[0] == 1.0
    assert ended["score"] == pytest.approx(math.prod(ratios) ** (1 / DRAWN))
    assert ended["report_score"] == pytest.approx(2.0)
    low, high = ended["score_interval"]
    assert low < ended["score"] < high
    assert [one["actions"] for one in ended["sequences"]] == [[1], [2, 3]]
    page = Client().get(f"/portable/entries/{sealed['id']}/").content.decode()
    assert ended["programs"][0]["benchmark"] in page
    assert cannot_keep_focus(page.partition('<div id="entry"')[2].partition("</main>")[0]) == []


def test_the_same_sequences_get_the_same_programs_and_no_rank(
    drawing_board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_all_levels(monkeypatch)
    first = post(ada).json()
    again = post(ada)
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    portable_services.draw_next()
    copy = post(make_user("bob"), sequences=SEQUENCES[::-1]).json()
    other = PortableEntry.objects.get(pk=first["id"])
    other.content_sha256 = "0" * 64
    assert copy["content_sha256"] == first["content_sha256"]
    assert not set(portable_services.drawn_uris(other)) & set(
        portable_services.drawn_uris(PortableEntry.objects.get(pk=copy["id"]))
    )
    portable_services.draw_next()
    for row in replays(first["id"]):
        record(row.verification, 10)
    found = client_of(ada).get("/api/v1/portable/portable/").json()["rows"]
    assert [(one["entry"], one["rank"], one["why"]) for one in found] == [
        (first["id"], 1, ""),
        (copy["id"], None, "a copy of an earlier entry"),
    ]
    entries = [client_of(ada).get(f"{ADDRESS}{one['id']}/").json() for one in (first, copy)]
    assert entries[0]["programs"] == entries[1]["programs"]
    assert "a copy of an earlier entry" in Client().get("/portable/portable/").content.decode()
    pages = [Client().get(f"/portable/entries/{one['id']}/").content.decode() for one in (first, copy)]
    assert "<dt>Rank</dt><dd>1</dd>" in pages[0]
    assert "<small>a copy of an earlier entry</small>" in pages[1]


def test_the_latest_entry_of_an_agent_is_ranked_and_owners_wait(board: PortableBoard, ada: User) -> None:
    first = post(ada).json()
    refused = post(ada, sequences=[{"actions": [4]}])
    assert (refused.status_code, refused.json()["type"].rsplit("#")[-1]) == (429, "quota-exceeded")
    assert refused["Retry-After"]
    assert refused["RateLimit"].startswith('"replay-seconds";r=')
    assert refused["RateLimit-Policy"]
    portable_services.draw_next()
    second = post(ada, sequences=[{"actions": [4]}], agent="mine-2").json()
    portable_services.draw_next()
    for entry, value in ((first, 10), (second, 20)):
        for row in replays(entry["id"]):
            record(row.verification, value)
    rows = portable_queries.portable_rows(board)
    assert [(str(one.entry.pk), one.rank) for one in rows] == [(second["id"], 1), (first["id"], None)]
    assert rows[0].entry.score is not None
    assert rows[1].entry.score is not None
    assert rows[0].entry.score < rows[1].entry.score


def test_newer_entries_take_no_rank(board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.portable.queries.LISTED", 2)
    for number, agent in enumerate(("ada's", "bob's", "bob's", "cyd's"), start=1):
        make_portable_entry(board, ada, agent, 10 - number)
    rows = portable_queries.portable_rows(board)
    assert [(one.entry.agent, one.rank, one.why) for one in rows] == [
        ("ada's", 1, ""),
        ("bob's", 2, ""),
        ("cyd's", None, "not among the first 2"),
    ]
    assert rows[1].entry.sequences == [[7]]


def test_a_doubted_replay_is_repeated_and_the_entry_is_scored_again(board: PortableBoard, ada: User) -> None:
    sealed = post(ada, sequences=SEQUENCES[:1]).json()
    portable_services.draw_next()
    doubted, *others = replays(sealed["id"])
    fail(doubted.verification, "env:timeout")
    for row in others:
        record(row.verification, int(row.program.reference))
    first = client_of(ada).get(sealed["url"]).json()
    assert (first["state"], first["score"] < 1) == ("ended", True)
    call_command("reverify")
    waiting = client_of(ada).get(sealed["url"]).json()
    assert (waiting["state"], waiting["score"], waiting["report_score"]) == ("replaying", None, None)
    new, *kept = replays(sealed["id"])
    assert new.verification != doubted.verification
    assert [row.verification for row in kept] == [row.verification for row in others]
    record(new.verification, int(new.program.reference))
    again = client_of(ada).get(sealed["url"]).json()
    assert (again["state"], again["score"], again["report_score"]) == ("ended", 1.0, 1.0)


def test_a_contradicted_replay_is_made_anew_and_scored_again(board: PortableBoard, ada: User) -> None:
    make_board()
    submission = submit(ada, boards_document(((1,),)))
    sealed = post(ada, sequences=SEQUENCES[:1]).json()
    portable_services.draw_next()
    for row in replays(sealed["id"]):
        record(row.verification, int(row.program.reference))
    [shared] = verifications(submission)
    assert shared in [row.verification for row in replays(sealed["id"])]
    repeat_item(submission_id=submission.pk, position=0, actor=ada)
    record(Verification.objects.get(repeats=shared), 120)
    waiting = client_of(ada).get(sealed["url"]).json()
    assert (waiting["state"], waiting["score"], waiting["report_score"]) == ("replaying", None, None)
    [new] = [row for row in replays(sealed["id"]) if not row.verification.is_terminal]
    record(new.verification, int(new.program.reference) // 4)
    again = client_of(ada).get(sealed["url"]).json()
    assert (again["state"], again["score"], again["report_score"]) == ("ended", 1.0, pytest.approx(2.0))


def test_an_entry_without_its_replays_has_no_score_and_may_come_again(
    board: PortableBoard, ada: User
) -> None:
    failed = post(ada).json()
    portable_services.draw_next()
    for number, row in enumerate(replays(failed["id"])):
        if number % 2:
            record(row.verification, 0)  # without a value
        else:
            fail(row.verification, "infra:internal")
    found = client_of(ada).get(failed["url"]).json()
    assert (found["state"], found["score"], found["unverified"]) == ("failed", None, found["replays"])
    again = post(ada)
    assert (again.status_code, again.json()["content_sha256"]) == (202, failed["content_sha256"])


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"sequences": [{"actions": [number]} for number in range(51)]}, "sequences", "at most 50"),
    ({"sequences": [{"actions": [1] * 10_001}]}, "actions", "At most 10,000"),
    ({"sequences": [{"actions": []}]}, "actions", "empty"),
    ({"sequences": []}, "sequences", "at least one"),
    ({"sequences": [{"actions": [1]}, {"actions": [1]}]}, "actions", "An earlier sequence has the same"),
    ({"sequences": [SROA, SROA]}, "commandline", "An earlier sequence has the same"),
    ({"sequences": [{"actions": [1], "commandline": "opt"}]}, "actions", "not both"),
    ({"sequences": [{"actions": [104]}]}, "actions", "104"),
    ({"sequences": [{"actions": [[1, 0]], "action_space": "llvm-parameters-v0"}]}, "action_space", "llvm"),
    ({"sequences": [{"commandline": "llvm-parameters sroa"}]}, "commandline", ""),
    ({"board": "portabel"}, "board", "no such board"),
    ({"board": "test-ic"}, "board", "no such board"),
    ({"agent": "LLVM -Oz"}, "agent", "looks like 'LLVM -Oz'"),
    ({"actions": [1]}, "actions", ""),
]


def test_bad_entries_are_refused_and_nothing_is_written(
    board: PortableBoard, ada: User, settings: Any
) -> None:
    for changes, field, said in REFUSED:
        answer = post(ada, **changes)
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"], bool(problem["remedy"])) == (422, field, True)
        assert said in problem["message"]
    client = client_of(ada)
    for body in ("[1]", "{"):
        assert client.generic("POST", ADDRESS, body, "application/json").status_code == 400
    settings.OPTARENA_BUDGET_SECONDS = 1
    assert client.post(ADDRESS, document(), format="json").status_code == 422
    assert not PortableEntry.objects.exists()


def test_an_entry_that_cannot_be_drawn_fails_in_the_end_and_stops_nobody(
    board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hopeless = post(ada).json()
    with monkeypatch.context() as patched:
        patched.setattr("leaderboard.portable.services.level_values", refused_values)
        for _ in range(portable_services.LEAST_DRAWS):
            assert portable_services.draw_next() is None
        assert client_of(ada).get(hopeless["url"]).json()["state"] == "sealed"  # it may be mended yet
        PortableEntry.objects.update(sealed_at=timezone.now() - portable_services.LONGEST_SEALED)
        assert portable_services.draw_next() is None
    found = client_of(ada).get(hopeless["url"]).json()
    assert (found["state"], found["score"], found["unverified"]) == ("failed", None, DRAWN * len(SEQUENCES))
    assert found["sequences"]
    hidden = client_of(make_user("bob")).get(hopeless["url"]).json()
    assert (hidden["sequences"], hidden["content_sha256"]) == (None, None)
    assert post(ada).status_code == 202
    assert portable_services.draw_next() is not None
    last = post(ada, agent="last", sequences=[{"actions": [7]}]).json()
    PortableBoard.objects.update(is_open=False)
    assert portable_services.draw_next() is None
    assert client_of(ada).get(last["url"]).json()["state"] == "failed", "its board was closed"


def refused_values(**asked: Any) -> list[tuple[float, float]]:
    raise LevelsUnknown(f"No answer for {asked}.")


def test_a_board_that_cannot_be_replayed_here_holds_up_no_other(board: PortableBoard, ada: User) -> None:
    post(ada)
    other = EnvironmentVersion.objects.create(env_id="gone-v0", digest="0" * 64, spec={})
    PortableBoard.objects.update(slug="elsewhere", environment_version=other)
    make_portable_board(programs=1)
    drawn = post(make_user("bob")).json()
    entry = portable_services.draw_next()
    assert entry is not None
    assert str(entry.pk) == drawn["id"]


def test_an_entry_whose_environment_is_gone_fails_after_an_hour(board: PortableBoard, ada: User) -> None:
    stuck = post(ada).json()
    other = EnvironmentVersion.objects.create(env_id="gone-v0", digest="0" * 64, spec={})
    PortableBoard.objects.update(slug="elsewhere", environment_version=other)
    make_portable_board(programs=1)
    [problem] = post(ada, agent="another").json()["errors"]
    assert "mine" in problem["message"]
    assert f"withdraw that entry at /portable/entries/{stuck['id']}/" in problem["remedy"]
    assert portable_services.draw_next() is None
    assert PortableEntry.objects.get().state == "sealed", "the environment may come back"
    PortableEntry.objects.update(sealed_at=F("sealed_at") - portable_services.LONGEST_SEALED)
    assert portable_services.draw_next() is None
    assert PortableEntry.objects.get().state == "failed"
    assert post(ada, agent="another").status_code == 202


@pytest.mark.parametrize("is_same", [True, False])
def test_sealed_entries_move_to_a_renewed_board_only_if_their_actions_mean_the_same(
    board: PortableBoard, ada: User, *, is_same: bool
) -> None:
    sealed = post(ada).json()
    current = board.environment_version
    spec = current.spec if is_same else current.spec | {"actions": current.spec["actions"][::-1]}
    former = EnvironmentVersion.objects.create(env_id=current.env_id, digest="0" * 64, spec=spec)
    PortableBoard.objects.update(environment_version=former)
    make_portable_board(programs=DRAWN)
    portable_services.draw_next()
    entry = PortableEntry.objects.get(pk=sealed["id"])
    expected = ("replaying", "portable") if is_same else ("failed", "portable-00000000")
    assert (entry.state, entry.board.slug) == expected


@pytest.mark.soak
def test_the_process_that_measures_has_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = tmp_path / "seen.json"
    spying = (
        f"import json, os, pathlib\npathlib.Path({str(seen)!r}).write_text(json.dumps(dict(os.environ)))\n"
    )
    (tmp_path / "spying.py").write_text(spying, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("OPTARENA_PLUGINS", "spying")
    monkeypatch.setenv("OPTARENA_SECRET_KEY", "secret")
    [(given, at_level)] = level_values(
        environment="optarena/llvm-ic-v0",
        observation="IrInstructionCount",
        level="Oz",
        uris=["generator://synthetic-v0/1"],
    )
    assert given > at_level > 0
    assert "OPTARENA_SECRET_KEY" not in json.loads(seen.read_text(encoding="utf-8"))
    with pytest.raises(LevelsUnknown, match="no-such"):
        level_values(
            environment="optarena/no-such-v0", observation="IrInstructionCount", level="Oz", uris=["x"]
        )


FORM = "/portable/entries/"


@pytest.fixture
def strict_board(monkeypatch: pytest.MonkeyPatch) -> PortableBoard:
    draw_known_programs(monkeypatch)
    return make_portable_board(programs=2, plausible_ratio=1.5)


def seal(user: User, *actions: int, agent: str = "mine") -> dict[str, Any]:
    sequences = [{"actions": [action]} for action in actions]
    document = {"board": "portable", "agent": agent, "sequences": sequences}
    answer = client_of(user).post(ADDRESS, document, format="json")
    assert answer.status_code == 202, answer.content
    found: dict[str, Any] = answer.json()
    return found


def withdraw(user: User, entry: dict[str, Any]) -> Any:
    return client_of(user).post(f"{ADDRESS}{entry['id']}/withdraw/")


def end(entry: dict[str, Any], ratio: float) -> None:
    portable_services.draw_next()
    rows = PortableReplay.objects.filter(program__entry=entry["id"]).select_related("program")
    for row in rows.select_related("verification__environment_version"):
        record(row.verification, round(row.program.reference / ratio))


def ranks(strict_board: PortableBoard) -> dict[str, tuple[int | None, str]]:
    rows = {str(row.entry.pk): (row.rank, row.why) for row in portable_queries.portable_rows(strict_board)}
    for key, row in rows.items():
        entry = Client().get(f"/api/v1/portable/entries/{key}/").json()
        assert (entry["rank"], entry["why"]) == row
    return rows


def state_of(entry: dict[str, Any]) -> str:
    return PortableEntry.objects.get(pk=entry["id"]).state


def test_what_is_withdrawn_before_the_draw_gets_no_programs(strict_board: PortableBoard, ada: User) -> None:
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
    assert ranks(strict_board) == {sealed["id"]: (None, "withdrawn")}
    assert seal(ada, 1)["id"] != sealed["id"], "the owner need not wait, and may seal the same again"


def test_replays_that_nobody_else_waits_for_are_cancelled(strict_board: PortableBoard, ada: User) -> None:
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


def test_a_withdrawal_after_the_draw_brings_no_rank_back(strict_board: PortableBoard, ada: User) -> None:
    lucky = seal(ada, 1)
    end(lucky, 1.2)
    unlucky = seal(ada, 2)
    end(unlucky, 1.1)
    assert ranks(strict_board)[unlucky["id"]] == (1, "")
    withdraw(ada, unlucky)
    assert ranks(strict_board) == {
        lucky["id"]: (None, "a later entry of this agent counts"),
        unlucky["id"]: (None, "withdrawn"),
    }
    withdraw(ada, seal(ada, 3))
    assert ranks(strict_board)[lucky["id"]][0] is None
    latest = seal(ada, 4)
    end(latest, 1.05)
    assert ranks(strict_board)[latest["id"]] == (1, "")


def test_an_entry_that_never_got_programs_takes_no_rank_away_when_it_is_withdrawn(
    strict_board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch
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
    assert ranks(strict_board) == {ranked["id"]: (1, ""), hopeless["id"]: (None, "withdrawn")}
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
    strict_board: PortableBoard, ada: User, unreadable: dict[str, Any], why: str
) -> None:
    former = make_portable_entry(strict_board, ada, "former", 1)
    PortableEntry.objects.update(**unreadable)
    own = make_portable_entry(strict_board, make_user("bob"), "own", 1)
    copy = make_portable_entry(strict_board, make_user("eve"), "copy", 1)
    again = make_portable_entry(strict_board, ada, "again", 1)
    assert ranks(strict_board) == {
        str(own.pk): (1, ""),
        str(copy.pk): (None, "a copy of an earlier entry"),
        str(again.pk): (1, ""),
        str(former.pk): (None, why),
    }


def test_what_was_published_makes_copies_even_if_it_fails_later(
    strict_board: PortableBoard, ada: User
) -> None:
    published = seal(ada, 1)
    portable_services.draw_next()
    first, second = PortableReplay.objects.filter(program__entry=published["id"]).select_related("program")
    fail(first.verification, "env:timeout")
    record(second.verification, round(second.program.reference / 1.2))
    copy = make_portable_entry(strict_board, make_user("bob"), "copy", 1)
    PortableEntry.objects.filter(pk=copy.pk).update(
        content_sha256=PortableEntry.objects.get(pk=published["id"]).content_sha256
    )
    assert ranks(strict_board)[str(copy.pk)] == (None, "a copy of an earlier entry")
    call_command("reverify")
    fail(Verification.objects.get(state=State.QUEUED), "infra:killed")
    assert state_of(published) == "failed"
    assert ranks(strict_board)[str(copy.pk)] == (None, "a copy of an earlier entry")
    assert client_of(make_user("eve")).get(published["url"]).json()["sequences"]


def test_an_entry_that_is_too_good_waits_for_a_reviewer(strict_board: PortableBoard, ada: User) -> None:
    before = seal(ada, 1)
    end(before, 1.2)
    doubted = seal(ada, 2)
    end(doubted, 1.9)
    assert state_of(doubted) == "quarantined"
    assert ranks(strict_board) == {before["id"]: (1, ""), doubted["id"]: (None, "waits for a reviewer")}
    assert "A reviewer looks at the entry" in Client().get(doubted["page_url"]).content.decode()
    assert review(entry_ids=[before["id"], doubted["id"]], accept=True, reviewer="staff") == 1
    assert ranks(strict_board)[doubted["id"]] == (1, "")
    plausible_now = seal(make_user("bob"), 3)
    end(plausible_now, 1.8)
    assert ranks(strict_board)[plausible_now["id"]] == (2, "")


def test_a_reviewer_looks_again_after_a_repeated_replay(strict_board: PortableBoard, ada: User) -> None:
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


def test_a_reviewer_refuses_an_entry_on_the_admin_site(strict_board: PortableBoard, ada: User) -> None:
    doubted = seal(ada, 2)
    end(doubted, 1.9)
    browser = Client()
    browser.force_login(make_user("staff", staff=True))
    chosen = {"action": "refuse", "_selected_action": [doubted["id"]]}
    answer = browser.post("/admin/leaderboard/portableentry/", chosen, follow=True)
    assert "1 quarantined entries were decided" in answer.content.decode()
    assert state_of(doubted) == "refused"
    assert ranks(strict_board) == {doubted["id"]: (None, "refused by a reviewer")}
    assert review(entry_ids=[doubted["id"]], accept=True, reviewer="staff") == 0


def test_one_s_own_entries_do_not_raise_the_limit(strict_board: PortableBoard, ada: User) -> None:
    for action in (1, 2):
        doubted = seal(ada, action)
        end(doubted, 1.9 + action / 10)
        assert state_of(doubted) == "quarantined"


def test_the_form_seals_pasted_command_lines_or_says_what_is_wrong(
    strict_board: PortableBoard, ada: User
) -> None:
    browser = Client()
    browser.force_login(ada)
    line = environment_spec("llvm-ic-v0").commandline
    page = browser.get(f"{FORM}?board=portable").content.decode()
    assert '<option value="portable" selected>' in page
    given = {"board": "portable", "agent": "mine", "sequences": f"{line((1,))}\n\n  {line((2, 3))}\n"}
    wrong = "a\x0cb\r\n\r\nopt -passes='nothing' input.bc -o output.bc"
    refused = browser.post(FORM, given | {"sequences": wrong})
    assert refused.status_code == 422
    for words in ("Nothing was stored", "opt -passes=", "Line 3, <strong>commandline</strong>"):
        assert words in refused.content.decode()
    empty = browser.post(FORM, given | {"sequences": " \r\n "})
    assert (empty.status_code, "This field is required." in empty.content.decode()) == (422, True)
    assert not PortableEntry.objects.exists()
    answer = browser.post(FORM, given)
    entry = PortableEntry.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, entry.get_absolute_url())
    assert entry.sequences == [[1], [2, 3]]
    assert browser.post(FORM, given)["Location"] == entry.get_absolute_url(), "a second click"
    waits = browser.post(FORM, given | {"sequences": line((4,))})
    assert (waits.status_code, bool(waits["Retry-After"])) == (429, True)
    assert "have not been drawn yet" in waits.content.decode()


def test_the_queue_names_an_entrys_owner_who_withdraws_it_on_its_page(
    strict_board: PortableBoard, ada: User
) -> None:
    sealed = seal(ada, 1)
    portable_services.draw_next()
    browser = Client()
    browser.force_login(ada)
    page = sealed["page_url"].removeprefix("http://testserver")
    queue = Client().get("/queue/").content.decode()
    assert f'href="{page}"' in queue
    assert "mine <small>by ada</small>" in queue
    assert "Withdraw this entry" in browser.get(page).content.decode()
    assert "Withdraw this entry" not in Client().get(page).content.decode()
    shown = browser.post(f"{page}withdraw/", follow=True).content.decode()
    assert "The portable entry was withdrawn." in shown
    assert "This entry was withdrawn" in shown
    assert "already withdrawn" in browser.post(f"{page}withdraw/", follow=True).content.decode()
