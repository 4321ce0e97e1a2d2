"""Portable entries: sealed first, drawn afterwards, scored, reviewed and withdrawn."""

from __future__ import annotations

import hashlib
import html
import json
import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from datasets.models import Benchmark
from leaderboard.accounts.services import delete_account
from leaderboard.models import PortableBoard, PortableEntry, PortableReplay, PortableRound
from leaderboard.portable import drawing
from leaderboard.portable import queries as portable_queries
from leaderboard.portable import services as portable_services
from leaderboard.portable.measuring import level_values
from leaderboard.portable.services import review
from leaderboard.submissions.replay_again import repeat_item
from optarena.service.processes.folders import AnswerUnreadable
from optarena.specs import environment_spec
from runner.models import Demand, EnvironmentVersion, State, Verification
from tests.factories import PASSWORD, make_board, make_dataset, make_user
from tests.kit.boards import document as boards_document
from tests.kit.boards import fail, record, submit, verifications
from tests.kit.pages import cannot_keep_focus
from tests.kit.portable import client_of, end_round, make_portable_board, make_portable_entry

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
    """Draw programs whose values are given: to generate and measure them takes seconds."""

    def known(one: PortableRound) -> list[str]:
        first = int(one.ends_at.timestamp() * 1e6) % 2**31
        return [f"generator://synthetic-v0/{first + number}" for number in range(one.programs)]

    for module in (portable_services, drawing):
        monkeypatch.setattr(module, "drawn_uris", known)
    know_all_levels(monkeypatch)


def know_all_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "level_values", lambda **asked: [(400.0, 100.0)] * len(asked["uris"]))


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


def draw() -> PortableEntry | None:
    """End the round, and request the replays of what has waited longest."""
    end_round()
    return drawing.draw_next()


def replays(entry_id: str) -> list[PortableReplay]:
    rows = PortableReplay.objects.filter(program__entry=entry_id).order_by("program__position", "sequence")
    return list(rows.select_related("program", "verification__environment_version"))


def test_an_entry_is_sealed_then_drawn_replayed_and_scored(drawing_board: PortableBoard, ada: User) -> None:
    answer = post(ada)
    sealed = answer.json()
    assert (answer.status_code, answer["Location"], sealed["state"]) == (202, sealed["url"], "sealed")
    assert sealed["programs"] == []
    assert drawing.draw_next() is None, "its round is not over"
    promised = client_of(ada).get("/api/v1/portable/portable/").json()
    assert sealed["round_ends_at"] == promised["open_round"]["ends_at"]
    assert [one["entry"] for one in promised["sealed"]] == [sealed["id"]]
    assert (promised["round"], promised["rows"], promised["rounds"]) == (None, [], [])
    assert draw() is not None
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


def test_the_programs_of_a_round_are_promised_by_their_hash_and_the_same_for_all(
    drawing_board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_all_levels(monkeypatch)
    first, second = post(ada).json(), post(make_user("bob"), sequences=[{"actions": [4]}]).json()
    again = post(ada)
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    promised = client_of(ada).get("/api/v1/portable/portable/").json()["open_round"]
    [one] = PortableRound.objects.all()
    assert promised["ends_at"] == first["round_ends_at"] == second["round_ends_at"]
    page = Client().get("/portable/portable/").content.decode()
    assert promised["programs_sha256"] in page
    assert promised["nonce"] == ""
    # An operator who changes the number of programs does not change what was promised.
    PortableBoard.objects.update(programs=1)
    monkeypatch.setattr(drawing, "database_now", lambda: one.ends_at)
    for _ in range(2):
        assert drawing.draw_next() is not None
    monkeypatch.undo()
    programs = [
        [one["benchmark"] for one in client_of(ada).get(f"{ADDRESS}{one['id']}/").json()["programs"]]
        for one in (first, second)
    ]
    assert programs[0] == programs[1]
    drawn = programs[0][:DRAWN]
    found = client_of(ada).get("/api/v1/portable/portable/").json()["round"]
    lines = "\n".join([found["nonce"], *drawn])
    assert hashlib.sha256(lines.encode()).hexdigest() == promised["programs_sha256"]
    assert found == promised | {"nonce": found["nonce"]}
    one.ends_at -= timedelta(days=7)
    assert not set(drawn) & set(portable_services.drawn_uris(one)), "another round"


def test_rounds_follow_each_other_and_weeks_begin_on_mondays(settings: Any) -> None:
    sunday = datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC)
    monday = datetime(2026, 11, 30, tzinfo=UTC)
    assert portable_services.round_end(sunday) == monday
    assert portable_services.round_end(monday) == monday + timedelta(days=7)
    settings.OPTARENA_ROUND_SECONDS = 60
    assert portable_services.round_end(sunday) == monday


def test_an_owner_has_one_entry_in_a_round_and_may_replace_it(board: PortableBoard, ada: User) -> None:
    first = post(ada).json()
    refused = post(ada, sequences=[{"actions": [4]}])
    [problem] = refused.json()["errors"]
    assert (refused.status_code, refused.json()["type"].rsplit("#")[-1]) == (429, "quota-exceeded")
    assert int(refused["Retry-After"]) > 60
    assert "takes part in this round" in problem["message"]
    assert f"Withdraw it at /portable/entries/{first['id']}/" in problem["remedy"]
    assert refused["RateLimit"].startswith('"replay-seconds";r=')
    assert refused["RateLimit-Policy"]
    withdraw(ada, first)
    second = seal(ada, 4)
    end(second, 1.2)
    assert ranks(board, everywhere=True) == {first["id"]: (None, "withdrawn"), second["id"]: (1, "")}


def test_so_many_entries_of_a_round_are_ranked(
    board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.portable.queries.LISTED", 2)
    for number, owner in enumerate((ada, make_user("bob"), make_user("cyd")), start=1):
        make_portable_entry(board, owner, owner.username, 10 - number)
    rows = portable_queries.round_rows(PortableRound.objects.get())
    assert [(one.entry.agent, one.rank, one.rank_high, one.why) for one in rows] == [
        ("ada", 1, 2, ""),
        ("bob", 1, 2, ""),
        ("cyd", None, None, "not among the first 2"),
    ]
    assert rows[1].entry.sequences == [[8]]


def test_a_doubted_replay_is_repeated_and_the_entry_is_scored_again(board: PortableBoard, ada: User) -> None:
    sealed = post(ada, sequences=SEQUENCES[:1]).json()
    draw()
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
    draw()
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
    draw()
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
        patched.setattr("leaderboard.portable.drawing.level_values", refused_values)
        for _ in range(drawing.LEAST_DRAWS):
            assert draw() is None
        assert client_of(ada).get(hopeless["url"]).json()["state"] == "sealed"  # it may be mended yet
        PortableRound.objects.update(ends_at=timezone.now() - drawing.LONGEST_SEALED)
        assert drawing.draw_next() is None
    found = client_of(ada).get(hopeless["url"]).json()
    assert (found["state"], found["score"], found["unverified"]) == ("failed", None, DRAWN * len(SEQUENCES))
    assert found["sequences"]
    hidden = client_of(make_user("bob")).get(hopeless["url"]).json()
    assert (hidden["sequences"], hidden["content_sha256"]) == (None, None)
    assert post(ada).status_code == 202
    assert draw() is not None
    last = post(ada, agent="last", sequences=[{"actions": [7]}]).json()
    PortableBoard.objects.update(is_open=False)
    assert draw() is None
    assert client_of(ada).get(last["url"]).json()["state"] == "failed", "its board was closed"
    assert client_of(ada).get("/api/v1/portable/portable/").json()["open_round"] is None


def refused_values(**asked: Any) -> list[tuple[float, float]]:
    raise AnswerUnreadable(f"No answer for {asked}.")


def test_a_board_that_cannot_be_replayed_here_holds_up_no_other(board: PortableBoard, ada: User) -> None:
    post(ada)
    other = EnvironmentVersion.objects.create(env_id="gone-v0", digest="0" * 64, spec={})
    PortableBoard.objects.update(slug="elsewhere", environment_version=other)
    make_portable_board(programs=1)
    drawn = post(make_user("bob")).json()
    entry = draw()
    assert entry is not None
    assert str(entry.pk) == drawn["id"]


def test_an_entry_whose_environment_is_gone_fails_after_an_hour(board: PortableBoard, ada: User) -> None:
    stuck = post(ada).json()
    other = EnvironmentVersion.objects.create(env_id="gone-v0", digest="0" * 64, spec={})
    PortableBoard.objects.update(slug="elsewhere", environment_version=other)
    make_portable_board(programs=1)
    assert post(ada, agent="another").status_code == 202, "on the board of today"
    stuck_again = PortableEntry.objects.filter(pk=stuck["id"])
    PortableEntry.objects.exclude(pk=stuck["id"]).delete()
    assert draw() is None
    assert stuck_again.get().state == "sealed", "the environment may come back"
    PortableRound.objects.update(ends_at=F("ends_at") - drawing.LONGEST_SEALED)
    assert drawing.draw_next() is None
    assert stuck_again.get().state == "failed"


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
    draw()
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
    with pytest.raises(AnswerUnreadable, match="no-such"):
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
    """End the round of what is sealed unless it has ended, and the replays of this entry."""
    draw()
    while drawing.draw_next() is not None:
        pass
    end_replays(PortableEntry.objects.get(pk=entry["id"]), ratio)


def end_replays(entry: PortableEntry, ratio: float) -> None:
    rows = PortableReplay.objects.filter(program__entry=entry).select_related("program")
    for row in rows.select_related("verification__environment_version"):
        if not row.verification.is_terminal:
            record(row.verification, round(row.program.reference / ratio))


def ranks(strict_board: PortableBoard, *, everywhere: bool = False) -> dict[str, tuple[int | None, str]]:
    """Of the last round and what has been sealed since, which entries and the page must say, too."""
    found = Client().get(f"/api/v1/portable/{strict_board.slug}/").json()
    rows = found["rows"] + found["sealed"]
    if everywhere:
        page = Client().get(strict_board.get_absolute_url()).content.decode()
        for row in rows:
            entry = Client().get(f"/api/v1/portable/entries/{row['entry']}/").json()
            names = ("rank", "rank_high", "own", "why")
            assert [entry[name] for name in names] == [row[name] for name in names]
            assert row["why"] in page
    return {row["entry"]: (row["rank"], row["why"]) for row in rows}


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
    assert draw() is None
    assert ranks(strict_board) == {}
    assert (answer.json()["rank"], answer.json()["why"]) == (None, "withdrawn")
    assert seal(ada, 1)["id"] != sealed["id"], "the owner need not wait, and may seal the same again"


def test_replays_that_nobody_else_waits_for_are_cancelled(strict_board: PortableBoard, ada: User) -> None:
    bob = make_user("bob")
    first, copy = seal(ada, 1), seal(bob, 1)
    draw()
    draw()
    assert withdraw(ada, first).status_code == 200
    assert not Demand.objects.filter(payer__name=f"user:{ada.pk}").exists()
    assert set(Verification.objects.values_list("state", flat=True)) == {State.QUEUED}
    withdraw(bob, copy)
    assert set(Verification.objects.values_list("state", flat=True)) == {State.CANCELLED}
    found = client_of(bob).get(copy["url"]).json()
    assert (found["state"], found["score"]) == ("withdrawn", None)
    assert (found["ended_replays"], found["replays"] > 0) == (0, True), "none of them was made"
    assert client_of(ada).get(copy["url"]).json()["sequences"] is None, "they were never verified"


def test_the_first_of_a_round_defends_its_place_in_the_next(strict_board: PortableBoard, ada: User) -> None:
    bob = make_user("bob")
    leader, second = seal(ada, 1), seal(bob, 2)
    end(leader, 1.3)
    end(second, 1.2)
    assert ranks(strict_board) == {leader["id"]: (1, ""), second["id"]: (2, "")}
    better = seal(bob, 3)
    end(better, 1.4)
    defending = PortableEntry.objects.get(defends=leader["id"])
    assert ranks(strict_board, everywhere=True) == {
        better["id"]: (1, ""),
        str(defending.pk): (None, "being replayed"),
    }
    assert not Demand.objects.filter(payer__name=f"user:{ada.pk}").exists(), "nobody pays for that"
    end_replays(defending, 1.3)
    assert ranks(strict_board) == {better["id"]: (1, ""), str(defending.pk): (2, "")}
    shown = Client().get(f"/api/v1/portable/entries/{defending.pk}/").json()
    assert (shown["defends"], shown["sealed_at"]) == (leader["id"], leader["sealed_at"])
    before = PortableEntry.objects.get(pk=leader["id"]).round.ends_at
    address = strict_board.get_absolute_url()
    page = Client().get(address, {"round": before.isoformat()}).content.decode()
    assert str(leader["id"]) in page
    assert str(better["id"]) not in page
    for place in (address, f"/api/v1{address}"):
        assert Client().get(place, {"round": "2020-01-01T00:00:00Z"}).status_code in (400, 422)
        unknown = Client().get(f"{place.removesuffix('/')}s/").content.decode()
        assert f"Did you mean '{strict_board.slug}'?" in html.unescape(unknown)
    withdraw(ada, {"id": defending.pk})
    assert ranks(strict_board)[better["id"]] == (1, "")


def test_who_defends_may_seal_another_entry(strict_board: PortableBoard, ada: User) -> None:
    end(seal(ada, 1), 1.3)
    seal(make_user("bob"), 2)
    draw()
    assert PortableEntry.objects.get(drawn_at=None).defends is not None, "its replays are requested next"
    assert seal(ada, 1)["defends"] is None


def test_a_round_waits_for_the_one_before_it(strict_board: PortableBoard, ada: User) -> None:
    leader = seal(ada, 1)
    draw()
    later = seal(make_user("bob"), 2)
    assert draw() is None, "nobody knows yet who is first"
    end_replays(PortableEntry.objects.get(pk=leader["id"]), 1.3)
    end(later, 1.2)
    assert PortableEntry.objects.filter(defends=leader["id"]).exists()


def test_who_was_first_and_failed_for_the_machines_sake_goes_on(
    strict_board: PortableBoard, ada: User
) -> None:
    bob = make_user("bob")
    end(leader := seal(ada, 1), 1.3)
    end(seal(bob, 2), 1.2)
    failing = PortableEntry.objects.get(defends=leader["id"])
    for row in replays(str(failing.pk)):
        fail(row.verification, "infra:internal")
    end(seal(bob, 3), 1.2)
    again = PortableEntry.objects.filter(defends=leader["id"]).latest("round__ends_at")
    assert again.pk != failing.pk
    end_replays(again, 9.0)
    assert state_of({"id": again.pk}) == "quarantined"


@pytest.mark.parametrize(
    "which", [pytest.param("the sealed one", marks=pytest.mark.soak), "the one that defends", "the account"]
)
def test_who_withdraws_or_leaves_defends_no_more(strict_board: PortableBoard, ada: User, which: str) -> None:
    bob = make_user("bob")
    end(leader := seal(ada, 1), 1.3)
    end(seal(bob, 2), 1.2)
    defending = PortableEntry.objects.get(defends=leader["id"])
    end_replays(defending, 1.3)
    if which == "the account":
        seal(ada, 5)
        delete_account(user=ada, password=PASSWORD)
        assert not PortableEntry.objects.filter(owner=ada, drawn_at=None).exists()
    else:
        withdraw(ada, leader if which == "the sealed one" else {"id": defending.pk})
    end(seal(bob, 3), 1.2)
    assert PortableEntry.objects.filter(defends=leader["id"]).count() == 1


def test_whoever_was_copied_may_go_on_from_the_own_sequences(strict_board: PortableBoard, ada: User) -> None:
    bob = make_user("bob")
    end(seal(ada, 1), 1.3)
    end(seal(bob, 1, 2), 1.3)  # a collection, published with Ada's sequence
    end_replays(PortableEntry.objects.get(defends__owner=ada), 1.3)
    again = seal(ada, 1, 3)
    assert PortableEntry.objects.get(pk=again["id"]).known == []
    end(again, 1.35)
    ranks(strict_board, everywhere=True)
    rows = {row["entry"]: row for row in Client().get("/api/v1/portable/portable/").json()["rows"]}
    assert (rows[again["id"]]["own"], rows[again["id"]]["why"]) == (2, "a better entry of its owner counts")


def test_an_entry_that_fails_on_programs_is_no_copy(strict_board: PortableBoard, ada: User) -> None:
    failing = seal(ada, 1)
    draw()
    for row in replays(failing["id"]):
        fail(row.verification, "env:crash")
    assert ranks(strict_board) == {failing["id"]: (1, "")}
    assert Client().get(failing["url"]).json()["own"] == 0


def test_a_round_without_entries_draws_nothing(strict_board: PortableBoard, ada: User) -> None:
    leader = seal(ada, 1)
    end(leader, 1.3)
    assert draw() is None
    assert ranks(strict_board) == {leader["id"]: (1, "")}, "the former round is shown"


def test_copies_of_the_leader_take_no_rank_above_it(strict_board: PortableBoard, ada: User) -> None:
    leader = seal(ada, 1)
    end(leader, 1.3)
    copiers = [make_user(name) for name in ("bob", "cyd", "dan", "eve")]
    # Verbatim, beside another sequence, and with a step that changes nothing in two ways.
    copies = [seal(copiers[0], 1), seal(copiers[1], 1, 2), *(seal(one, 5) for one in copiers[2:3])]
    copies.append(post(copiers[3], sequences=[{"actions": [1, 5]}]).json())
    for one in copies:
        end(one, 1.3)
    end_replays(PortableEntry.objects.get(defends=leader["id"]), 1.3)
    found = ranks(strict_board, everywhere=True)
    collection = "a collection: others had published what gives 2 of its 2 results"
    assert [found[one["id"]] for one in copies] == [(None, "a copy of an earlier entry")] + [
        (None, collection)
    ] * 3
    assert [row[0] for row in found.values()] == [1, None, None, None, None]
    rows = Client().get("/api/v1/portable/portable/").json()["rows"]
    assert [row["own"] for row in rows[1:]] == [0] * 4
    withdraw(ada, {"id": PortableEntry.objects.get(defends=leader["id"]).pk})
    assert [row[0] for row in ranks(strict_board).values()] == [None] * 5, "what it showed stays shown"


def test_who_finds_the_same_in_the_same_round_shares_the_rank(strict_board: PortableBoard, ada: User) -> None:
    first, second = seal(ada, 1), seal(make_user("bob"), 2)
    for one in (first, second):
        end(one, 1.3)
    rows = Client().get("/api/v1/portable/portable/").json()["rows"]
    assert [(one["entry"], one["rank"], one["rank_high"], one["own"]) for one in rows] == [
        (first["id"], 1, 2, 2),
        (second["id"], 1, 2, 2),
    ]
    assert '<strong class="nowrap">1–2</strong>' in Client().get("/portable/portable/").content.decode()  # noqa: RUF001 - a range


def test_an_entry_that_never_got_programs_takes_no_rank_away_when_it_is_withdrawn(
    strict_board: PortableBoard, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked = seal(ada, 1)
    end(ranked, 1.2)
    hopeless = seal(ada, 2)
    end_round()
    waiting = PortableRound.objects.filter(drawn_at=None)
    waiting.update(ends_at=timezone.now() - drawing.LONGEST_SEALED)
    monkeypatch.setattr("leaderboard.portable.drawing.level_values", refused_values)
    for _ in range(drawing.LEAST_DRAWS):
        drawing.draw_next()
    assert state_of(hopeless) == "failed"
    answer = withdraw(ada, hopeless)
    assert ranks(strict_board) == {ranked["id"]: (1, "")}
    told = client_of(ada).get(hopeless["url"]).json()
    assert (told["rank"], told["why"]) == (None, "withdrawn")
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
    assert ranks(strict_board, everywhere=True) == {
        str(own.pk): (1, ""),
        str(copy.pk): (None, "a copy of an earlier entry"),
        str(again.pk): (1, ""),
        str(former.pk): (None, why),
    }


def test_what_was_published_makes_copies_even_if_it_fails_later(
    strict_board: PortableBoard, ada: User
) -> None:
    published = seal(ada, 1)
    draw()
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
    defending = str(PortableEntry.objects.get(defends=before["id"]).pk)
    end_replays(PortableEntry.objects.get(pk=defending), 1.2)
    assert ranks(strict_board, everywhere=True) == {
        defending: (1, ""),
        doubted["id"]: (None, "waits for a reviewer"),
    }
    assert "A reviewer looks at the entry" in Client().get(doubted["page_url"]).content.decode()
    assert review(entry_ids=[before["id"], doubted["id"]], accept=True, reviewer="staff") == 1
    assert ranks(strict_board)[doubted["id"]] == (1, "")
    plausible_now = seal(make_user("bob"), 3)
    end(plausible_now, 1.8)
    assert ranks(strict_board)[plausible_now["id"]] == (1, "")


def test_a_reviewer_looks_again_after_a_repeated_replay(strict_board: PortableBoard, ada: User) -> None:
    accepted = seal(ada, 2)
    draw()
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
    assert ranks(strict_board, everywhere=True) == {doubted["id"]: (None, "refused by a reviewer")}
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
    assert "takes part in this round" in waits.content.decode()


def test_the_queue_names_an_entrys_owner_who_withdraws_it_on_its_page(
    strict_board: PortableBoard, ada: User
) -> None:
    sealed = seal(ada, 1)
    draw()
    browser = Client()
    browser.force_login(ada)
    page = sealed["page_url"].removeprefix("http://testserver")
    queue = Client().get("/queue/").content.decode()
    assert f'href="{page}"' in queue
    assert "<bdi>mine</bdi> <small>by ada</small>" in queue
    assert "Withdraw this entry" in browser.get(page).content.decode()
    assert "Withdraw this entry" not in Client().get(page).content.decode()
    shown = browser.post(f"{page}withdraw/", follow=True).content.decode()
    assert "The portable entry was withdrawn." in shown
    assert "This entry was withdrawn" in shown
    assert "already withdrawn" in browser.post(f"{page}withdraw/", follow=True).content.decode()
