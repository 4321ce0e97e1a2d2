"""Measuring again: verdicts stay meanwhile, all blocks count together, and a contradiction ends a verdict."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.models import Board, FormerVerdict, SubmissionItem
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions import replay_again
from leaderboard.submissions.replay_again import repeat_item
from leaderboard.submissions.services import Conflict
from runner import conf
from runner.clock import database_now
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Demand, Verification
from runner.queue import requests
from tests.factories import make_token
from tests.kit import noisy_boards
from tests.kit.boards import World, document, fail, record, record_all, standing, submit, verifications
from tests.kit.noisy_boards import measurement

if TYPE_CHECKING:
    from pytest_django import Settings

    from runner.models import Runner

pytestmark = pytest.mark.django_db


def ask(user: Any, item: SubmissionItem) -> Any:
    client = Client(headers={"Authorization": f"Bearer {make_token(user)[1]}"})
    return client.post(f"/api/v1/submissions/{item.submission_id}/items/{item.position}/repeat/")


def shown(item: SubmissionItem) -> dict[str, Any]:
    found: dict[str, Any] = Client().get(f"/api/v1{item.get_absolute_url()}").json()
    return found


def waiting() -> list[Verification]:
    """The repetitions that wait."""
    return list(Verification.objects.filter(repeats__isnull=False, state="queued").order_by("created_at"))


def at_work(cpu: str, fingerprint: Any = None) -> Runner:
    """A worker on a machine with this processor, or with whatever fingerprint it gives."""
    given = {"cpu": cpu} if fingerprint is None else fingerprint
    machine = Machine(fingerprint=given, versions={})
    name, hardware_class = f"celery@{cpu}", conf.own_hardware_class()
    return presence.announce_runner(name=name, hardware_class=hardware_class, machine=machine, life=uuid4())


def measured(
    verification: Verification, gflops: float, scatter: float = 1.0, *, life: UUID | None = None
) -> None:
    """Play the runner: blocks around ``gflops`` beside a reference of 4."""
    found = measurement(gflops, 4.0)
    for block, one in zip(found["blocks"], (1 / scatter, 1.0, scatter), strict=True):
        block["pairs"] = [one * gflops / 4.0]
        block["ratio"] = one * gflops / 4.0
    metrics = {"gflops": gflops, "reference_gflops": 4.0}
    noisy_boards.record(verification, metrics, life=life, measurement=found)


def entry(world: World, gflops: float, *, scatter: float = 1.02, **changes: Any) -> SubmissionItem:
    """The first item of an entry all of whose items measure so much."""
    submission = submit(world.user, noisy_boards.document(**changes))
    for verification in verifications(submission):
        if not verification.is_terminal:
            measured(verification, gflops, scatter)
    return submission.items.get(position=0)


def test_anybody_may_ask_and_the_item_stays_verified(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    item = submission.items.get(position=0)
    before = item.decided_at
    answer = ask(world.other, item)
    assert (answer.status_code, answer.json()["verdict"]) == (202, "verified")
    [again] = waiting()
    assert (again.repeats_id, again.actions) == (item.verification_id, [1])
    assert Demand.objects.get().payer.name.endswith(str(world.other.pk))
    refused = ask(world.user, item)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (409, "item")
    assert "being repeated already" in refused.json()["errors"][0]["message"]
    assert shown(item)["evidence"] | {"rounds": None} == {
        "since": shown(item)["verification"]["finished_at"],
        "last": shown(item)["evidence"]["since"],
        "times": 1,
        "machines": 1,
        "waiting": True,
        "agree": True,
        "rounds": None,
    }
    record(again, 80)
    item.refresh_from_db()
    assert (item.verdict, item.value, item.decided_at) == ("verified", 80, before)
    found = shown(item)["evidence"]
    assert (found["times"], found["waiting"], len(found["rounds"])) == (2, False, 2)
    assert not FormerVerdict.objects.exists()


def test_only_a_verified_item_is_repeated(world: World) -> None:
    submission = submit(world.user)
    fail(verifications(submission)[1], "infra:killed")
    fail(verifications(submission)[2], "semantics:output-differs")
    for position in range(3):
        with pytest.raises(Conflict, match="Only a verified item"):
            repeat_item(submission_id=submission.pk, position=position, actor=world.user)


def test_all_blocks_count_together(noisy: World) -> None:
    item = entry(noisy, 8.0, scatter=1.1)
    first = item.ratio_interval
    assert first is not None
    score = standing(item.submission).score
    repeat_item(submission_id=item.submission_id, position=0, actor=noisy.other)
    measured(waiting()[0], 8.8, 1.1)
    item.refresh_from_db()
    assert item.ratio == pytest.approx(math.sqrt(2.0 * 2.2))
    assert item.ratio_interval is not None
    assert math.log(item.ratio_interval[1] / item.ratio_interval[0]) < math.log(first[1] / first[0])
    assert standing(item.submission).score > (score or math.inf)
    assert rebuild_boards(board_ids=[noisy.board.pk], write=False) == {noisy.board.pk: set()}
    found = submission_queries.item(item.submission, 0)
    assert found is not None
    blocks = submission_queries.measurement(found)
    assert blocks is not None
    assert len(blocks.blocks) == 6
    # Whoever submits the same gets both measurements.
    again = submit(noisy.other, noisy_boards.document(agent="same"))
    assert again.items.get(position=0).ratio == pytest.approx(item.ratio)
    page = Client().get(item.get_absolute_url()).content.decode()
    assert "measured 2 times on 1 machine," in page
    repeat_item(submission_id=item.submission_id, position=1, actor=noisy.other)
    measured(waiting()[0], 16.0, 1.001)
    other = item.submission.items.get(position=1)
    assert shown(other)["evidence"]["agree"] is False
    assert "differ by more than chance" in Client().get(other.get_absolute_url()).content.decode()


def test_another_exact_value_ends_the_verdict_and_the_evidence_stays(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    item = submission.items.get(position=0)
    first = item.verification
    assert first is not None
    repeat_item(submission_id=submission.pk, position=0, actor=world.other)
    record(waiting()[0], 81)
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", "infra:unrepeatable")
    assert item.detail == "ir_instructions was 80, then 81."
    kept = FormerVerdict.objects.get()
    assert (kept.item, kept.verdict, kept.value, kept.verification) == (item, "verified", 80, first)
    assert standing(submission).verified == 2
    assert rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}
    # What contradicts itself answers nobody any more.
    assert verifications(submit(world.other))[0].state == "queued"


def test_a_repetition_that_fails_ends_the_verdict(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    repeat_item(submission_id=submission.pk, position=0, actor=world.other)
    again = waiting()[0]
    fail(again, "semantics:output-differs", "It printed something else.")
    item = submission.items.get(position=0)
    assert (item.verdict, item.reason, item.verification) == ("refuted", "semantics:output-differs", again)
    assert FormerVerdict.objects.get().verdict == "verified"
    assert "It printed something else." in Client().get(item.get_absolute_url()).content.decode()


def test_a_failure_of_the_infrastructure_says_nothing(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    item = submission.items.get(position=0)
    repeat_item(submission_id=submission.pk, position=0, actor=world.other)
    fail(waiting()[0], "infra:killed")
    item.refresh_from_db()
    assert (item.verdict, shown(item)["evidence"]["times"]) == ("verified", 1)
    assert ask(world.user, item).status_code == 202


def test_unclear_ranks_are_measured_up_to_fifteen_blocks_and_clear_ones_never(noisy: World) -> None:
    benchmarks = noisy.board.benchmarks[:2]
    Board.objects.update(benchmarks=benchmarks)
    noisy.board.refresh_from_db()
    entry(noisy, 8.0, agent="one", scatter=1.1, uris=benchmarks)
    assert replay_again.clear_ranks() == 0  # alone
    entry(noisy, 8.1, agent="other", actions=[1], scatter=1.1, uris=benchmarks)
    entry(noisy, 80.0, agent="far ahead", actions=[0], scatter=1.1, uris=benchmarks)
    asked: list[list[int]] = []
    while replay_again.clear_ranks():
        asked.append(sorted(row.blocks or 0 for row in waiting()))
        assert replay_again.clear_ranks() == 0  # it waits for those
        for row in waiting():
            measured(row, 8.0, 1.1)
    assert asked == [[4] * 4, [6] * 4]


def test_one_entry_under_five_names_has_one_rank(noisy: World) -> None:
    for name in "abcde":
        entry(noisy, 8.0, agent=name)
    assert {(row.rank, row.rank_high) for row in standings.standings(noisy.board)} == {(1, 5)}


def test_each_day_champions_and_a_sample_are_repeated_and_old_evidence_is_looked_for_once_an_hour(
    world: World, settings: Settings
) -> None:
    settings.OPTARENA_REPEAT_DAILY = 2
    record_all(submit(world.user), 80, 80, 80)
    now = database_now()
    assert replay_again.repeat_daily(now=now) == 0  # the evidence is fresh
    later = now + timedelta(days=2)
    hourly = replay_again.HourlyEvidence()
    assert hourly.look(now=later) == len(waiting()) == 2
    assert replay_again.repeat_daily(now=now + timedelta(hours=1)) == 0
    for row in waiting():
        record(row, 80)
    settings.OPTARENA_REPEAT_DAILY = 0
    assert replay_again.repeat_daily(now=now + timedelta(days=9)) == 0
    settings.OPTARENA_REPEAT_DAILY = 20
    assert hourly.look(now=later + timedelta(days=2)) == 0
    assert replay_again.HourlyEvidence().look(now=later + timedelta(days=2)) == 3


def test_whatever_a_worker_says_of_its_machine_does_not_stop_the_sweeper(noisy: World) -> None:
    entry(noisy, 8.0, uris=noisy.board.benchmarks[:4])
    fingerprints: tuple[object, ...] = ([], "text", 7, {"cpu": [None]})
    for number, fingerprint in enumerate(fingerprints):
        at_work("odd", fingerprint)
        assert replay_again.repeat_after_change() == (0 if number else 4)


def test_rows_are_measured_again_once_none_of_the_machines_at_work_has_measured_them(noisy: World) -> None:
    old = at_work("old")
    for row in verifications(submit(noisy.user, noisy_boards.document(uris=noisy_boards.URIS[:3]))):
        measured(row, 8.0, life=old.life)
    assert replay_again.repeat_after_change() == 0
    presence.dismiss_runner(runner_id=old.pk)
    assert replay_again.repeat_after_change() == 0  # nobody is at work
    new = at_work("new")
    assert replay_again.repeat_after_change() == 3
    assert replay_again.repeat_after_change() == 0  # it waits for those
    for row in waiting():
        measured(row, 8.0, life=new.life)
    assert replay_again.repeat_after_change() == 0
    presence.dismiss_runner(runner_id=new.pk)
    at_work("old")
    assert replay_again.repeat_after_change() == 0  # such a machine has measured them


def test_rows_that_may_not_be_repeated_any_more_do_not_keep_others_from_it(
    noisy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_again, "_A_PASS", 1)
    for module in ("leaderboard.submissions.replay_again", "runner.queue.requests"):
        monkeypatch.setattr(f"{module}.MAX_REPETITIONS", 1)
    old = at_work("old")
    for row in verifications(submit(noisy.user, noisy_boards.document(uris=noisy_boards.URIS[:3]))):
        measured(row, 8.0, life=old.life)
    presence.dismiss_runner(runner_id=old.pk)
    at_work("new")
    for _ in range(3):
        assert replay_again.repeat_after_change() == 1
        fail(waiting()[0], "infra:killed")
    assert replay_again.repeat_after_change() == 0
    spent = list(Verification.objects.filter(repeats__isnull=True).values_list("pk", flat=True))
    later = database_now() + timedelta(days=2)
    assert replay_again.oldest_evidence(spent, number=9, before=later) == []


def test_an_operator_has_items_replayed_while_they_keep_their_verdicts(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    for options, number in (
        (["--champions", "--keep"], 3),
        (["--sample", "2"], 2),
        (["--rows", "--board", "test-ic"], 3),
    ):
        call_command("reverify", *options, "--dry-run")
        assert not waiting()
        call_command("reverify", *options)
        assert len(waiting()) == number
        assert f"{number} are replayed once more" in capsys.readouterr().out
        assert set(submission.items.values_list("verdict", flat=True)) == {"verified"}
        for row in waiting():
            record(row, 80)


def test_options_that_contradict_each_other_are_refused() -> None:
    for options in (
        ["--keep"],
        ["--rows"],
        ["--sample", "0"],
        ["--sample", "2", "--champions"],
        ["--board", "llvm-ic", "--sample", "2"],
        ["--before", "2026-11-23", "--sample", "2"],
    ):
        with pytest.raises(CommandError, match=r"add|give|leave out"):
            call_command("reverify", *options)


def test_a_repetition_answers_no_request_and_is_bounded(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.queue.requests.MAX_REPETITIONS", 2)
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    first = verifications(submission)[0]
    for number in range(2):
        repeat_item(submission_id=submission.pk, position=0, actor=world.user)
        assert verifications(submit(world.other, document(agent=f"same {number}")))[0].pk == first.pk
        record(waiting()[0], 80)
    with pytest.raises(Conflict, match="which is the most"):
        repeat_item(submission_id=submission.pk, position=0, actor=world.user)
    requests.supersede_one(verification_id=first.pk, actor="test")
    with pytest.raises(Conflict, match="Only recorded work that counts"):
        repeat_item(submission_id=submission.pk, position=0, actor=world.user)
