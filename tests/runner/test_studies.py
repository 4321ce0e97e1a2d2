"""Studies: each question is answered once, verifications come first, and nothing is lost or kept for ever."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from optarena.limits import INFRASTRUCTURE_RETRIES
from runner import conf
from runner.errors import LeaseLostError, StudiesFullError, StudyRefusedError
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Runner, Study, StudyState, Verification
from runner.queue import leases, requests
from runner.queue import studies as study_queue
from runner.queue.studies import find_study, place_in_line, sweep_studies
from runner.queue.sweeping import sweep
from tests.factories import make_benchmark, make_work
from tests.kit.work import OUTCOME, at_once

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.kit.work import Clock

pytestmark = pytest.mark.django_db

DIFFERENCE, MINIMISED = Study.Kind.DIFFERENCE, Study.Kind.MINIMISED
RESULT = {"kept": [0], "minimal": True, "trials": 3}


@pytest.fixture(autouse=True)
def worker(db: None) -> Runner:
    """One that is at work."""
    machine = Machine(fingerprint={}, versions={})
    return presence.announce_runner(
        name="celery@host", hardware_class="x86_64-cpu", machine=machine, life=uuid.uuid4()
    )


def recorded(actions: list[int] | None = None, **given: Any) -> Verification:
    """A verification that recorded a result."""
    row = make_work([1, 2, 3] if actions is None else actions, **given)
    lease = leases.lease(verification_id=row.pk, worker="test")
    assert lease is not None
    leases.record(lease=lease, outcome=OUTCOME)
    row.refresh_from_db()
    return row


def ask(row: Verification, steps: int = 2, kind: Study.Kind = DIFFERENCE, **given: Any) -> Study:
    return study_queue.request_study(kind=kind, verification=row, steps=steps, **given)


def take() -> leases.Lease:
    lease = leases.lease_next(worker="test")
    assert lease is not None
    return lease


def test_the_same_question_is_asked_once() -> None:
    row = recorded()
    study = ask(row)
    assert ask(row) == study == find_study(DIFFERENCE, row, 2)
    assert ask(row, 3) != study
    assert ask(row, 3, MINIMISED) != ask(row, 3)
    assert find_study(MINIMISED, row, 2) is None


def test_items_with_an_equal_beginning_share_its_differences() -> None:
    one, other, third = recorded([1, 2, 3]), recorded([1, 2, 4]), recorded([1, 3, 2])
    assert ask(one, 2) == ask(other, 2)
    assert ask(one, 3) != ask(other, 3)
    assert ask(one, 2) != ask(third, 2)
    elsewhere = recorded([1, 2, 3], benchmark=make_benchmark("beta"))
    assert ask(one, 2) != ask(elsewhere, 2)


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_get_one_study() -> None:
    row = recorded()
    assert len({study.pk for study in at_once(4, lambda: ask(row))}) == 1


def test_only_a_recorded_replay_can_be_studied() -> None:
    with pytest.raises(StudyRefusedError, match="recorded a result"):
        ask(make_work())


def test_a_version_that_no_worker_has_is_refused(worker: Runner) -> None:
    row = recorded()
    Runner.objects.update(digests=["0" * 64])
    with pytest.raises(StudyRefusedError, match=f"has version {row.environment_digest[:12]}"):
        ask(row)
    presence.dismiss_runner(runner_id=worker.pk)
    with pytest.raises(StudyRefusedError, match="No worker"):
        ask(row)


def test_so_many_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "STUDIES_WAITING", 20)
    row = recorded([1] * 30)
    for steps in (1, 2):
        ask(row, steps, automatic=True)
    with pytest.raises(StudiesFullError, match=r"^2 questions wait"):
        ask(row, 3, automatic=True)
    for steps in range(3, 21):
        ask(row, steps)
    with pytest.raises(StudiesFullError, match=r"^20 questions wait"):
        ask(row, 21)
    assert ask(row, 1).automatic, "What is known can be asked at any time."


def test_those_that_somebody_asked_for_come_first_in_their_order() -> None:
    row = recorded()
    studies = [ask(row, 3, MINIMISED, automatic=True), ask(row, 1), ask(row, 2)]
    assert [place_in_line(study) for study in studies] == [3, 1, 2]
    assert [take().study_id for _ in studies] == [studies[1].pk, studies[2].pk, studies[0].pk]
    assert leases.lease_next(worker="test") is None
    studies[0].refresh_from_db()
    assert (studies[0].state, place_in_line(studies[0])) == (StudyState.RUNNING, None)


def test_a_paused_worker_and_one_of_another_class_get_none(worker: Runner, settings: Settings) -> None:
    ask(recorded())
    Runner.objects.update(paused_at=worker.seen_at)
    assert worker.life is not None
    assert leases.lease_next(worker="test", life=worker.life) is None
    settings.OPTARENA_HARDWARE_CLASS = "other-cpu"
    assert leases.lease_next(worker="test") is None


def test_it_ends_with_an_answer() -> None:
    study = ask(recorded())
    study_queue.end_study(lease=take(), result={"text": "a\0b"})
    study.refresh_from_db()
    assert (study.state, study.result, study.reason) == (StudyState.DONE, {"text": "a�b"}, "")
    assert study.finished_at is not None
    assert leases.lease_next(worker="test") is None


def test_it_fails_with_a_reason_and_may_be_asked_again() -> None:
    row = recorded()
    study = ask(row)
    leases.fail(lease=take(), reason="env:replay-timeout", detail="It took too long.")
    study.refresh_from_db()
    assert (study.state, study.reason, study.result) == (StudyState.FAILED, "env:replay-timeout", None)
    assert ask(row) == study
    study.refresh_from_db()
    assert (study.state, study.reason, study.finished_at) == (StudyState.QUEUED, "", None)


def test_an_interrupted_minimisation_goes_on_where_it_was() -> None:
    study = ask(recorded(), 3, MINIMISED)
    study_queue.interrupt_study(lease=take(), progress={"kept": [0, 1]})
    study.refresh_from_db()
    assert (study.state, study.progress, study.attempt) == (StudyState.QUEUED, {"kept": [0, 1]}, 0)
    study_queue.end_study(lease=take(), result=RESULT)
    study.refresh_from_db()
    assert (study.progress, study.result) == (None, RESULT)


def test_an_interrupted_one_lets_the_others_of_its_kind_go_first() -> None:
    row = recorded()
    long, short = ask(row, 3, MINIMISED), ask(row, 1)
    study_queue.interrupt_study(lease=take(), progress={"kept": [0, 1]})
    assert [place_in_line(Study.objects.get(pk=one.pk)) for one in (long, short)] == [2, 1]
    assert [take().study_id for _ in range(2)] == [short.pk, long.pk]


def test_it_is_given_back_so_often(clock: Clock) -> None:
    study = ask(recorded())
    for _ in range(INFRASTRUCTURE_RETRIES):
        lease = leases.lease_next(worker="test", now=clock.turn(3600))
        assert lease is not None
        leases.give_back(lease=lease, reason="infra:killed", detail="It was killed.")
        study.refresh_from_db()
        assert study.state == StudyState.QUEUED
        assert study.available_at > study.created_at
    lease = leases.lease_next(worker="test", now=clock.turn(3600))
    assert lease is not None
    leases.give_back(lease=lease, reason="infra:killed", detail="It was killed.")
    study.refresh_from_db()
    assert (study.state, study.reason) == (StudyState.FAILED, "infra:killed")


def test_the_study_of_a_lost_worker_is_taken_back_and_its_late_answer_is_refused(clock: Clock) -> None:
    study = ask(recorded())
    lease = leases.lease_next(worker="lost", now=clock.now)
    assert lease is not None
    assert sweep_studies(now=clock.turn(1)) == 0
    leases.heartbeat(lease=lease, now=clock.now)
    assert sweep_studies(now=clock.turn(conf.lease_time().total_seconds() - 1)) == 0
    assert sweep_studies(now=clock.turn(2)) == 1
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.QUEUED, 1)
    for late in (
        lambda: leases.heartbeat(lease=lease),
        lambda: study_queue.end_study(lease=lease, result=RESULT),
        lambda: leases.fail(lease=lease, reason="env:crash", detail=""),
        lambda: study_queue.interrupt_study(lease=lease, progress={}),
    ):
        with pytest.raises(LeaseLostError):
            late()


def test_a_lost_study_fails_in_the_end(clock: Clock) -> None:
    study = ask(recorded())
    for _ in range(INFRASTRUCTURE_RETRIES + 1):
        assert leases.lease_next(worker="lost", now=clock.turn(3600))
        sweep_studies(now=clock.turn(3600))
    study.refresh_from_db()
    assert (study.state, study.reason) == (StudyState.FAILED, "infra:retries-exhausted")


def test_a_lost_wake_up_of_a_study_is_sent_again(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    study, woken = ask(recorded()), []
    monkeypatch.setattr("runner.queue.sweeping.wake", lambda pk, name: woken.append((pk, name)) is None)
    assert (sweep(now=clock.now).woken, sweep(now=clock.turn(1)).woken) == (1, 0)
    assert woken == [(study.pk, study.hardware_class)]


def test_old_differences_are_forgotten_and_minimised_sequences_are_kept(
    clock: Clock, settings: Settings
) -> None:
    settings.OPTARENA_DIFFERENCE_DAYS = 30
    row = recorded()
    for study in (ask(row), ask(row, 3, MINIMISED)):
        study_queue.end_study(lease=take(), result=RESULT)
        Study.objects.filter(pk=study.pk).update(finished_at=clock.now)
    sweep_studies(now=clock.turn(29 * 86_400))
    assert Study.objects.count() == 2
    sweep_studies(now=clock.turn(86_400))
    assert [study.kind for study in Study.objects.all()] == [MINIMISED]


def test_only_the_newest_differences_are_kept(clock: Clock, settings: Settings) -> None:
    settings.OPTARENA_DIFFERENCES_KEPT = 2
    row = recorded([1] * 5)
    for steps in range(1, 5):
        study = ask(row, steps)
        study_queue.end_study(lease=take(), result=RESULT)
        Study.objects.filter(pk=study.pk).update(finished_at=clock.turn(1))
    assert sweep_studies(now=clock.now) == 2
    assert sorted(Study.objects.values_list("steps", flat=True)) == [3, 4]


def test_what_waited_in_vain_is_forgotten(clock: Clock, settings: Settings) -> None:
    ask(recorded())
    Study.objects.update(environment_digest="0" * 64)
    sweep_studies(now=clock.turn(settings.OPTARENA_DIFFERENCE_DAYS * 86_400))
    assert not Study.objects.exists()


def test_a_study_follows_the_replay_that_took_the_place_of_its_own() -> None:
    row = recorded()
    study = ask(row)
    requests.supersede_one(verification_id=row.pk, actor="test")
    second = recorded()
    assert second != row
    assert ask(second) == study
    study.refresh_from_db()
    assert study.verification == second


@pytest.mark.parametrize(
    "broken",
    [
        {"state": "running"},
        {"state": "done"},
        {"state": "failed"},
        {"reason": "env:crash"},
        {"lease_token": uuid.uuid4()},
        {"result": {}},
    ],
)
def test_the_database_refuses_an_impossible_study(broken: dict[str, Any]) -> None:
    study = ask(recorded())
    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(**broken)
