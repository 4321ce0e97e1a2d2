"""Replaying once more: repetitions of what is verified, failures of the infrastructure, and doubted ends."""

from __future__ import annotations

import io
import math
import uuid
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from leaderboard.models import Board, FormerVerdict, Standing, Submission, SubmissionItem
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions import replay_again
from leaderboard.submissions.replay_again import repeat_item, retry
from leaderboard.submissions.services import Conflict, withdraw
from leaderboard.submissions.verdicts import review
from runner import conf
from runner.database import database_now
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Demand, EnvironmentVersion, Runner, Verification
from runner.queue import leases, requests
from tests.factories import make_token
from tests.kit import noisy_boards
from tests.kit.boards import (
    World,
    document,
    fail,
    owner_of,
    record,
    record_all,
    standing,
    submit,
    take,
    verifications,
)
from tests.kit.credit import is_whole
from tests.kit.examples import examples
from tests.kit.noisy_boards import measurement
from tests.kit.work import together

if TYPE_CHECKING:
    from pytest_django import Settings


pytestmark = pytest.mark.django_db


def ask(user: Any, item: SubmissionItem, what: str = "retry") -> Any:
    client = Client(headers={"Authorization": f"Bearer {make_token(user)[1]}"})
    return client.post(f"/api/v1{item.get_absolute_url()}{what}/")


def shown(item: SubmissionItem) -> dict[str, Any]:
    found: dict[str, Any] = Client().get(f"/api/v1{item.get_absolute_url()}").json()
    return found


def waiting() -> list[Verification]:
    return list(Verification.objects.filter(repeats__isnull=False, state="queued").order_by("created_at"))


def at_work(cpu: str, fingerprint: Any = None) -> Runner:
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
    owner = owner_of(changes["agent"]) if "agent" in changes else world.user
    submission = submit(owner, noisy_boards.document(**changes))
    for verification in verifications(submission):
        if not verification.is_terminal:
            measured(verification, gflops, scatter)
    return submission.items.get(position=0)


def test_anybody_may_ask_and_the_item_stays_verified(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    item = submission.items.get(position=0)
    before = item.decided_at
    answer = ask(world.other, item, "repeat")
    assert (answer.status_code, answer.json()["verdict"]) == (202, "verified")
    [again] = waiting()
    assert (again.repeats_id, again.actions) == (item.verification_id, [1])
    assert Demand.objects.get().payer.name.endswith(str(world.other.pk))
    refused = ask(world.user, item, "repeat")
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
    repeat_item(submission_id=submission.pk, position=0, actor=world.other)
    fail(waiting()[0], "infra:killed")
    item.refresh_from_db()
    assert (item.verdict, shown(item)["evidence"]["times"]) == ("verified", 2), "it says nothing"
    assert ask(world.user, item, "repeat").status_code == 202
    assert not FormerVerdict.objects.exists()


def test_only_a_verified_item_is_repeated(world: World) -> None:
    submission = submit(world.user)
    fail(verifications(submission)[1], "infra:killed")
    fail(verifications(submission)[2], "semantics:output-differs")
    for position in range(3):
        with pytest.raises(Conflict, match="Only a verified item"):
            repeat_item(submission_id=submission.pk, position=position, actor=world.user)


def test_all_blocks_count_together(noisy: World) -> None:
    submission = submit(noisy.user, noisy_boards.document())
    scattered, *others = verifications(submission)
    measured(scattered, 8.0, 1.1)
    for row in others:
        measured(row, 8.0, 1.02)
    item = submission.items.get(position=0)
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
    assert is_whole(noisy)
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


def test_another_value_or_a_failure_ends_the_verdict_and_the_evidence_stays(world: World) -> None:
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
    assert is_whole(world)
    # What contradicts itself answers nobody any more.
    assert verifications(submit(world.other))[0].state == "queued"
    repeat_item(submission_id=submission.pk, position=1, actor=world.other)
    again = waiting()[0]
    fail(again, "semantics:output-differs", "It printed something else.")
    item = submission.items.get(position=1)
    assert (item.verdict, item.reason, item.verification) == ("refuted", "semantics:output-differs", again)
    assert FormerVerdict.objects.get(item=item).verdict == "verified"
    assert "It printed something else." in Client().get(item.get_absolute_url()).content.decode()


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


def test_operators_have_items_replayed_with_verdicts(
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


def test_options_that_contradict_each_other_or_name_nothing_are_refused(world: World) -> None:
    for options, said in (
        ("--keep", r"add|give|leave out"),
        ("--rows", r"add|give|leave out"),
        ("--sample 0", r"add|give|leave out"),
        ("--sample 2 --champions", r"add|give|leave out"),
        ("--board llvm-ic --sample 2", r"add|give|leave out"),
        ("--before 2026-11-23 --sample 2", r"add|give|leave out"),
        ("--before yesterday", "--before is 'yesterday'"),
        ("--before 2026-99-99", "--before is '2026-99-99'"),
        ("--board test-ic", "add --champions"),
        ("--champions --board nothing", r"There is no board 'nothing'\. Boards: test-ic\."),
    ):
        with pytest.raises(CommandError, match=said):
            call_command("reverify", *options.split())


def test_a_repetition_answers_no_request_nor_is_endless(
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


BROKEN = "infra:killed"


def broken(world: World) -> SubmissionItem:
    submission = submit(world.user)
    fail(verifications(submission)[0], BROKEN, "The child was killed.")
    return submission.items.get(position=0)


def test_anybody_may_have_the_infrastructures_failure_replayed_again(world: World) -> None:
    item = broken(world)
    answer = ask(world.other, item)
    assert (answer.status_code, answer.json()["verdict"], answer.json()["reason"]) == (202, "pending", None)
    former = item.verification
    item.refresh_from_db()
    assert former is not None
    assert item.verification is not None
    assert (item.verification.pk == former.pk, item.verification.state) == (False, "queued")
    assert (item.decided_at, standing(item.submission).pending) == (None, 3)
    kept = FormerVerdict.objects.get()
    assert (kept.item, kept.verification, kept.verdict, kept.reason) == (item, former, "failed", BROKEN)
    assert (kept.detail, kept.reopened_by) == ("The child was killed.", world.other.username)
    former.refresh_from_db()
    assert (former.state, former.reason, former.superseded_at) == ("failed", BROKEN, None)
    [told] = shown(item)["former_verdicts"]
    assert (told["reason"], told["reopened_by"]) == (BROKEN, kept.reopened_by)
    record(item.verification, 80)
    item.refresh_from_db()
    assert (item.verdict, item.value, standing(item.submission).verified) == ("verified", 80, 1)
    assert is_whole(world)


def test_whoever_submits_the_same_gets_a_new_replay_which_answers_the_first_too(world: World) -> None:
    item = broken(world)
    again = submit(world.other)
    new = verifications(again)[0]
    assert (new.pk != item.verification_id, new.state) == (True, "queued")
    record(new, 80)
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", BROKEN)
    # The replay that somebody else asked for has ended: the item is judged at once.
    retry(submission_id=item.submission_id, position=0, actor=world.user)
    item.refresh_from_db()
    assert (item.verdict, item.value, item.verification_id) == ("verified", 80, new.pk)
    assert standing(item.submission).verified == 1


def test_another_failure_is_an_answer_and_stays(world: World) -> None:
    submission = submit(world.user)
    reasons = ("env:timeout", "semantics:crash", "claim:mismatch")
    for number, reason in enumerate(reasons):
        fail(verifications(submission)[number], reason)
        item = submission.items.get(position=number)
        answer = ask(world.user, item)
        assert answer.status_code == 409
        [problem] = answer.json()["errors"]
        assert (problem["field"], problem["value"]) == ("item", f"{item.submission_id}#{number}")
        assert (reason in answer.json()["detail"], bool(problem["remedy"])) == (True, True)
    assert verifications(submit(world.other)) == verifications(submission)
    assert not FormerVerdict.objects.exists()


def test_what_waits_is_verified_or_withdrawn_is_not_replayed_again(world: World) -> None:
    submission = submit(world.user)
    waiting, verified, failed = submission.items.order_by("position")
    record(verifications(submission)[1], 80)
    fail(verifications(submission)[2], BROKEN)
    assert [ask(world.user, one).status_code for one in (waiting, verified)] == [409, 409]
    withdraw(submission_id=submission.pk, actor=world.user)
    assert ask(world.user, failed).status_code == 409
    assert Verification.objects.count() == 3
    failed.position = 7
    assert ask(world.user, failed).status_code == 404
    failed.submission_id = uuid.uuid4()
    assert ask(world.user, failed).status_code == 404


def test_a_board_whose_environment_is_gone_replays_nothing_again(world: World) -> None:
    item = broken(world)
    EnvironmentVersion.objects.filter(pk=world.board.environment_version_id).update(digest="0" * 64)
    answer = ask(world.user, item)
    assert (answer.status_code, "not installed any more" in answer.json()["detail"]) == (409, True)
    assert Verification.objects.count() == 3


def test_the_page_has_a_button_and_then_tells_what_was_decided_before(world: World, pages: Client) -> None:
    item = broken(world)
    page = f"/submissions/{item.submission_id}/items/0/"
    before = pages.get(page).content.decode()
    assert ("Try again" in before, "Earlier verdicts" in before) == (True, False)
    assert f"{page}retry/" not in Client().get(page).content.decode()
    after = pages.post(f"{page}retry/", follow=True)
    text = after.content.decode()
    assert after.redirect_chain == [(page, 302)]
    assert ("Try again" in text, "Earlier verdicts" in text, BROKEN in text) == (False, True, True)
    assert ("The item will be replayed once more" in text, "on request of ada" in text) == (True, True)
    assert "only one that failed" in pages.post(f"{page}retry/", follow=True).content.decode()
    assert pages.post(f"/submissions/{item.submission_id}/items/9/retry/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_of_many_who_ask_at_once_one_reopens_the_item(world: World) -> None:
    item = broken(world)

    def once() -> SubmissionItem:
        return retry(submission_id=item.submission_id, position=0, actor=world.other)

    answers = together(*[once] * 6)
    assert sum(isinstance(one, SubmissionItem) for one in answers) == 1
    assert sum(isinstance(one, Conflict) for one in answers) == 5
    assert (FormerVerdict.objects.count(), Verification.objects.count()) == (1, 4)


@pytest.mark.drawn
@pytest.mark.django_db(transaction=True)
def test_trying_again_and_withdrawing_at_once_neither_deadlocks_nor_leaves_a_replay(world: World) -> None:
    for number in range(examples(2)):
        submission = submit(world.user, document([[number, 1], [number, 2], [number, 3]]))
        fail(verifications(submission)[0], BROKEN, "The child was killed.")
        answers = together(
            partial(retry, submission_id=submission.pk, position=0, actor=world.user),
            partial(withdraw, submission_id=submission.pk, actor=world.user),
        )
        assert isinstance(answers[0], SubmissionItem | Conflict), answers[0]
        assert isinstance(answers[1], Submission), answers[1]
        assert not Demand.objects.exists()
        assert not Verification.objects.filter(state="queued").exists()


def test_an_item_keeps_each_of_its_ends(world: World) -> None:
    item = broken(world)
    for number in range(3):
        retry(submission_id=item.submission_id, position=0, actor=world.user)
        item.refresh_from_db()
        assert item.verification is not None
        fail(item.verification, "infra:machine-busy", f"attempt {number}")
    item.refresh_from_db()
    former = list(item.former_verdicts.values_list("reason", "detail"))
    assert [detail for _, detail in former] == ["attempt 1", "attempt 0", "The child was killed."]
    assert (item.reason, item.detail) == ("infra:machine-busy", "attempt 2")


def test_a_board_asks_for_the_metrics_that_it_compares_and_for_those_claimed(world: World) -> None:
    claimed = document([[1], [2]])
    claimed["items"][1]["claims"] = {"text_size_bytes": 160}
    submission = submit(world.user, claimed)
    plain, both = verifications(submission)
    assert plain.wanted_metrics == ["ir_instructions"]
    assert both.wanted_metrics == ["ir_instructions", "text_size_bytes"]
    record(plain, 80)
    record(both, 80)
    assert [one.verdict for one in submission.items.order_by("position")] == ["verified"] * 2
    shown = Client().get(f"/submissions/{submission.pk}/items/0/")
    assert shown.status_code == 200
    item = Client().get(f"/api/v1/submissions/{submission.pk}/items/0/").json()
    assert item["metrics"] == {"ir_instructions": 80}
    # A claim that the recorded replay did not measure is not refuted by it: the work is replayed for it.
    later = document([[1]], agent="later")
    later["items"][0]["claims"] = {"text_size_bytes": 160}
    [new] = verifications(submit(world.other, later))
    assert (new.pk != plain.pk, new.wanted_metrics) == (True, ["ir_instructions", "text_size_bytes"])
    assert Submission.objects.count() == 2


def test_a_claim_that_was_not_measured_is_nobodys_fault_and_is_measured_next_time(world: World) -> None:
    body = document([[1]])
    body["items"][0]["claims"] = {"text_size_bytes": 160}
    item = submit(world.user, body).items.get()
    # As when an installation without that metric has replayed it.
    Verification.objects.update(wanted_metrics=["ir_instructions"])
    record(verifications(item.submission)[0], 80)
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", "infra:internal")
    assert "did not measure text_size_bytes" in item.detail
    retry(submission_id=item.submission_id, position=0, actor=world.user)
    record(verifications(item.submission)[0], 80)
    item.refresh_from_db()
    [verification] = verifications(item.submission)
    wanted = ["ir_instructions", "text_size_bytes"]
    assert (item.verdict, verification.wanted_metrics) == ("verified", wanted)


def reverify(*arguments: str) -> str:
    output = io.StringIO()
    call_command("reverify", *arguments, stdout=output)
    return output.getvalue()


def verdicts(submission: Submission) -> list[str]:
    return list(submission.items.order_by("position").values_list("verdict", flat=True))


def one(world: World, actions: list[int], value: int, agent: str = "agent") -> SubmissionItem:
    submission = submit(world.user, document([actions], agent=agent))
    record_all(submission, value)
    return submission.items.get()


def replayed_anew(item: SubmissionItem) -> Verification:
    item.refresh_from_db()
    assert item.verdict == "pending"
    assert item.verification is not None
    return item.verification


def test_failures_are_replayed_anew_and_those_of_the_infrastructure_and_results_are_not(world: World) -> None:
    first, other = submit(world.user), submit(world.other, document([[1], [8]]))
    crashed, broken, recorded = verifications(first)
    fail(crashed, "env:timeout")
    fail(broken, "infra:killed")
    record(recorded, 80)
    assert verdicts(first) == ["failed", "failed", "verified"]
    said = reverify()
    assert f"{crashed.pk} env:timeout" in said
    assert "1 verifications; 2 items are pending" in said
    assert (verdicts(first), verdicts(other)) == (["pending", "failed", "verified"], ["pending"] * 2)
    new = replayed_anew(other.items.get(position=0))
    assert new == replayed_anew(first.items.get(position=0)) != crashed
    assert (new.events.get().actor, new.wanted_metrics) == ("reverify", ["ir_instructions"])
    assert is_whole(world)
    record(new, 90)
    assert (verdicts(first), verdicts(other)) == (["verified", "failed", "verified"], ["verified", "pending"])
    assert is_whole(world)
    kept = FormerVerdict.objects.filter(item__submission=first).get()
    assert (kept.verification_id, kept.reason, kept.reopened_by) == (crashed.pk, "env:timeout", "reverify")


def test_running_it_again_changes_nothing(world: World) -> None:
    submission = submit(world.user)
    for verification in verifications(submission):
        fail(verification, "semantics:crash")
    assert "3 verifications; 3 items are pending" in reverify()
    count = Verification.objects.count()
    assert "0 verifications" in reverify()
    for verification in verifications(submission):
        fail(verification, "semantics:crash")
    assert "0 verifications" in reverify()
    assert (verdicts(submission), Verification.objects.count()) == (["refuted"] * 3, count)


def test_a_failure_that_was_repeated_is_not_doubted(world: World) -> None:
    [verification, *_] = verifications(submit(world.user))
    lease = take(verification)
    leases.record_suspicion(lease=lease, report=leases.AttemptReport(reason="env:crash", detail="once"))
    leases.fail(lease=lease, reason="env:crash", detail="twice")
    assert "0 verifications" in reverify()


def test_a_dry_run_lists_and_writes_nothing_and_a_time_chooses(world: World) -> None:
    submission = submit(world.user)
    fail(verifications(submission)[0], "env:crash")
    said = reverify("--dry-run")
    assert ("env:crash" in said, "1 verifications; nothing was written" in said) == (True, True)
    assert (Verification.objects.count(), verdicts(submission)[0]) == (3, "failed")
    assert not Verification.objects.filter(superseded_at__isnull=False).exists()
    before, after = (timezone.now() + timedelta(hours=hours) for hours in (-1, 1))
    assert "0 verifications" in reverify("--before", before.isoformat())
    assert "0 verifications" in reverify("--before", "2001-01-01")
    assert "1 verifications; 1 items" in reverify("--before", after.isoformat())


def test_a_failure_that_nobody_waits_for_only_stops_to_answer(world: World) -> None:
    submission = submit(world.user)
    verification = verifications(submission)[0]
    fail(verification, "env:crash")
    withdraw(submission_id=submission.pk, actor=world.user)
    assert "1 verifications; 0 items are pending" in reverify()
    assert (Verification.objects.count(), verdicts(submission)) == (3, ["withdrawn"] * 3)
    assert verifications(submit(world.other))[0].pk != verification.pk


def test_the_best_of_each_benchmark_is_replayed_anew_once(world: World) -> None:
    best, second = one(world, [1], 80, "best"), one(world, [2], 90, "second")
    said = reverify("--champions", "--board", "test-ic")
    assert ("1 verifications; 1 items" in said, f"{best.verification_id} recorded" in said) == (True, True)
    # While it waits it is still the champion: the second best is not replayed in its place.
    assert "0 verifications" in reverify("--champions")
    row = Standing.objects.get(submission=best.submission)
    assert (row.pending, row.verified, row.score) == (1, 0, None)
    record(replayed_anew(best), 80)
    best.refresh_from_db()
    second.refresh_from_db()
    assert (best.verdict, best.value, second.verdict) == ("verified", 80, "verified")
    assert "0 verifications" in reverify("--champions")
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    assert "1 verifications; 1 items" in reverify("--champions", "--before", later)
    assert is_whole(world)


def test_a_champion_that_fails_again_loses_its_verdict_and_its_standing(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    other = submit(world.other, document([[1], [4], [5]]))
    record_all(other, 80, 90, 90)
    assert (standing(submission).rank, standing(other).rank) == (1, 2)
    assert "3 verifications; 4 items are pending" in reverify("--champions")
    first, *rest = verifications(submission)
    fail(first, "semantics:output-differs")
    for verification in rest:
        record(verification, 80)
    assert verdicts(submission) == verdicts(other) == ["refuted", "verified", "verified"]
    assert (standing(submission).rank, standing(submission).verified) == (None, 2)
    assert standing(other).verified == 2
    assert is_whole(world)
    kept = FormerVerdict.objects.get(item=submission.items.get(position=0))
    assert (kept.verdict, kept.value, kept.ratio) == ("verified", 80, 1.25)


def test_a_reviewers_decision_holds_for_the_new_replay(world: World) -> None:
    published, refused = one(world, [1], 20, "published"), one(world, [2], 10, "refused")
    review(item_ids=[published.pk], accept=True, reviewer="root")
    review(item_ids=[refused.pk], accept=False, reviewer="root")
    reverify("--champions")
    record(replayed_anew(published), 20)
    published.refresh_from_db()
    refused.refresh_from_db()
    assert (published.verdict, refused.verdict) == ("verified", "failed")
    assert refused.reason == "policy:implausible"
    assert FormerVerdict.objects.get().reviewed
    # Only what the reviewer saw is published: a better value waits for another review.
    reverify("--champions", "--before", (timezone.now() + timedelta(hours=1)).isoformat())
    record(replayed_anew(published), 15)
    published.refresh_from_db()
    assert published.verdict == "quarantined"
