"""Studies: each question is answered once, by real sessions, and verifications come first."""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, connection, transaction

from optarena.errors import InfrastructureFault
from optarena.gcc.options import CHOICES
from optarena.limits import INFRASTRUCTURE_RETRIES
from optarena.replay import ReplayResult
from optarena.specs import environment_spec
from optarena.studies import Minimisation, Minimiser, TextDifference
from optarena.study_states import texts_around
from runner import conf
from runner.errors import LeaseLostError, StudiesFullError, StudyRefusedError
from runner.machines import machine_use, presence
from runner.machines.machine import Machine
from runner.models import Runner, State, Study, StudyState, Verification
from runner.queue import demands, leases, requests, transitions
from runner.queue import studies as study_queue
from runner.queue.studies import find_study, place_in_line, sweep_studies
from runner.queue.sweeping import prune_traces, sweep
from runner.work import driver
from runner.work.driver import Programs
from tests.factories import make_benchmark, make_busy, make_work, make_workload, request_verification
from tests.kit.boards import replay_result
from tests.kit.examples import slow
from tests.kit.gcc import needs_gcc
from tests.kit.work import OUTCOME, Clock, at_once, leased, next_lease, restart_database

if TYPE_CHECKING:
    from pytest_django import Settings


DIFFERENCE, MINIMISED = Study.Kind.DIFFERENCE, Study.Kind.MINIMISED
RESULT = {"kept": [0], "minimal": True, "trials": 3}


@pytest.fixture(autouse=True)
def worker(db: None) -> Runner:
    machine = Machine(fingerprint={}, versions={})
    return presence.announce_runner(
        name="celery@host", hardware_class="x86_64-cpu", machine=machine, life=uuid.uuid4()
    )


def recorded(actions: list[int] | None = None, **given: Any) -> Verification:
    row = make_work([1, 2, 3] if actions is None else actions, **given)
    lease = leased(row, "test")
    leases.record(lease=lease, outcome=OUTCOME)
    row.refresh_from_db()
    return row


def ask(
    row: Verification, steps: int = 2, kind: Study.Kind = DIFFERENCE, payer: str | None = "user:1"
) -> Study:
    return study_queue.request_study(kind=kind, subject=row, steps=steps, payer=payer)


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


def test_so_many_may_wait_and_everybody_has_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "STUDIES_WAITING", 20)
    row, steps = recorded([1] * 40), iter(range(1, 41))
    for _ in range(2):
        ask(row, next(steps), payer=None)
    with pytest.raises(StudiesFullError, match=r"^2 questions wait"):
        ask(row, 40, payer=None)
    given = {}
    for payer in ("user:1", "user:2", "user:3", "user:4", "user:5", "user:6"):
        others = Study.objects.count()
        with pytest.raises(StudiesFullError) as full:
            _ = [ask(row, number, payer=payer) for number in steps]
        given[payer] = Study.objects.filter(payer__name=payer).count()
        assert f"{given[payer]} of your questions wait" in str(full.value)
        assert f"while {others} of others wait" in str(full.value)
    assert list(given.values()) == [9, 4, 2, 1, 1, 1]
    assert ask(row, 1, payer="user:1").automatic, "What is known can be asked at any time."


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_do_not_both_get_an_owners_last_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "STUDIES_WAITING", 2)
    row, steps = recorded([1] * 8), itertools.count(1)

    def one_more() -> bool:
        with suppress(StudiesFullError):
            return bool(ask(row, next(steps), payer="user:1"))
        return False

    assert sum(at_once(4, one_more)) == 1


@pytest.mark.parametrize("ends", [True, False])
def test_studies_go_round_by_owner(*, ends: bool) -> None:
    row = recorded([1] * 12)
    ask(row, 12, MINIMISED, payer=None)
    for steps, payer in enumerate(("user:1",) * 6 + ("user:2",) * 3 + ("user:3",), start=1):
        ask(row, steps, payer=payer)

    def leased_steps(number: int) -> list[int]:
        found = []
        for _ in range(number):
            lease = next_lease("test")
            found.append(Study.objects.get(pk=lease.study_id).steps)
            if ends:
                study_queue.end_study(lease=lease, result={"text": ""})
        return found

    places = sorted((place_in_line(study) or 0, study.steps) for study in Study.objects.all())
    assert [steps for _, steps in places] == [1, 7, 10, 2, 8, 3, 9, 4, 5, 6, 12]
    assert leased_steps(4) == [1, 7, 10, 2]
    newcomer = ask(row, 11, payer="user:4")
    assert place_in_line(newcomer) == 1
    assert leased_steps(8) == [11, 8, 3, 9, 4, 5, 6, 12]


def test_those_that_somebody_asked_for_come_first_in_their_order() -> None:
    row, other = recorded(), recorded([4])
    studies = [ask(row, 3, MINIMISED, payer=None), ask(row, 1), ask(row, 2)]
    assert [place_in_line(study) for study in studies] == [3, 1, 2]
    elsewhere = ask(other, 1)
    Study.objects.filter(pk=elsewhere.pk).update(hardware_class="other-cpu")
    assert [place_in_line(study) for study in (*studies, elsewhere)] == [3, 1, 2, 1]
    assert [next_lease("test").study_id for _ in studies] == [studies[1].pk, studies[2].pk, studies[0].pk]
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
    study_queue.end_study(lease=next_lease("test"), result={"text": "a\0b"})
    study.refresh_from_db()
    assert (study.state, study.result, study.reason) == (StudyState.DONE, {"text": "a�b"}, "")
    assert study.finished_at is not None
    assert leases.lease_next(worker="test") is None


def test_it_fails_with_a_reason_and_may_be_asked_again() -> None:
    row = recorded()
    study = ask(row)
    leases.fail(lease=next_lease("test"), reason="env:replay-timeout", detail="It took too long.")
    study.refresh_from_db()
    assert (study.state, study.reason, study.result) == (StudyState.FAILED, "env:replay-timeout", None)
    assert ask(row) == study
    study.refresh_from_db()
    assert (study.state, study.reason, study.finished_at) == (StudyState.QUEUED, "", None)


def test_an_interrupted_minimisation_goes_on_where_it_was() -> None:
    study = ask(recorded(), 3, MINIMISED)
    study_queue.interrupt_study(lease=next_lease("test"), progress={"kept": [0, 1]})
    study.refresh_from_db()
    assert (study.state, study.progress, study.attempt) == (StudyState.QUEUED, {"kept": [0, 1]}, 0)
    study_queue.end_study(lease=next_lease("test"), result=RESULT)
    study.refresh_from_db()
    assert (study.progress, study.result) == (None, RESULT)


def test_an_interrupted_one_lets_the_others_of_its_kind_go_first() -> None:
    row = recorded()
    long, short = ask(row, 3, MINIMISED), ask(row, 1)
    study_queue.interrupt_study(lease=next_lease("test"), progress={"kept": [0, 1]})
    assert [place_in_line(Study.objects.get(pk=one.pk)) for one in (long, short)] == [2, 1]
    assert [next_lease("test").study_id for _ in range(2)] == [short.pk, long.pk]


def test_it_is_given_back_so_often(clock: Clock) -> None:
    study = ask(recorded())
    for _ in range(INFRASTRUCTURE_RETRIES):
        lease = next_lease("test", now=clock.turn(3600))
        leases.give_back(lease=lease, reason="infra:killed", detail="It was killed.")
        study.refresh_from_db()
        assert study.state == StudyState.QUEUED
        assert study.available_at > study.created_at
    lease = next_lease("test", now=clock.turn(3600))
    leases.give_back(lease=lease, reason="infra:killed", detail="It was killed.")
    study.refresh_from_db()
    assert (study.state, study.reason) == (StudyState.FAILED, "infra:killed")


def test_the_study_of_a_lost_worker_is_taken_back_and_its_late_answer_is_refused(clock: Clock) -> None:
    study = ask(recorded())
    lease = next_lease("lost", now=clock.now)
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
    monkeypatch.setattr("runner.queue.sweeping.wake", lambda ids, name: woken.append((*ids, name)) is None)
    assert (sweep(now=clock.now).woken, sweep(now=clock.turn(1)).woken) == (1, 0)
    assert woken == [(study.pk, study.hardware_class)]


def test_old_differences_are_forgotten_and_minimised_sequences_are_kept(
    clock: Clock, settings: Settings
) -> None:
    settings.OPTARENA_DIFFERENCE_DAYS = 30
    row = recorded()
    for study in (ask(row), ask(row, 3, MINIMISED)):
        study_queue.end_study(lease=next_lease("test"), result=RESULT)
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
        study_queue.end_study(lease=next_lease("test"), result=RESULT)
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


NAMES = environment_spec("llvm-ic-v0").action_table.names
SEQUENCE = [NAMES.index(name) for name in ("globaldce", "mem2reg", "mem2reg", "simplifycfg", "globaldce")]


def replayed(actions: list[int]) -> Verification:
    """A verification of a real program that a real replay has recorded."""
    row = make_work(actions, make_busy())
    assert driver.drive(worker="test") == 1
    row.refresh_from_db()
    assert row.state == State.RECORDED, row.detail
    return row


def minimise(row: Verification) -> Study:
    return ask(row, len(row.actions), Study.Kind.MINIMISED)


def leased_steps(study: Study) -> Study:
    study.refresh_from_db()
    assert study.state == StudyState.DONE, study.detail
    return study


def answer_of(study: Study) -> dict[str, Any]:
    answer: dict[str, Any] = leased_steps(study).result or {}
    return answer


def steps_of(row: Verification) -> list[bool]:
    return [step.had_no_effect for step in ReplayResult.from_json(row.result or {}).steps]


@pytest.mark.django_db(transaction=True)
def test_the_difference_that_a_step_makes() -> None:
    study = ask(replayed(SEQUENCE), 2)
    assert driver.drive(worker="test") == 1
    found = TextDifference.from_json(leased_steps(study).result)
    assert (found.removed, found.added) == (2, 0)
    assert "\n-  %unused = alloca i64" in found.text


@pytest.mark.django_db(transaction=True)
def test_a_sequence_is_minimised_and_the_shorter_one_is_replayed() -> None:
    row = replayed(SEQUENCE)
    study = minimise(row)
    assert driver.drive(worker="test") == 1
    found = Minimisation.from_json(leased_steps(study).result, actions=len(SEQUENCE))
    assert found.minimal
    assert 0 < len(found.kept) < len(SEQUENCE)
    shorter = replayed([SEQUENCE[position] for position in found.kept])
    assert shorter.metrics == row.metrics
    assert (shorter.result or {})["steps"][-1]["digest"] == (row.result or {})["steps"][-1]["digest"]
    assert not any(steps_of(shorter))


@pytest.mark.django_db(transaction=True)
@needs_gcc
def test_actions_of_two_parts_are_minimised() -> None:
    """GCC's actions are pairs; its state is what was chosen in the end."""
    program = make_benchmark("c", b"int main(void) { return 0; }\n")
    line = "gcc -O2 -fno-tree-vrp -c program.c -o program.o"
    last = CHOICES.parse("gcc -Oz -c program.c -o program.o")
    row = request_verification(
        environment="gcc-v0",
        benchmark=make_workload(program),
        benchmark_uri=program.uri,
        actions=[*CHOICES.parse(line), *last],
        payer=demands.NOBODY,
    )
    assert driver.drive(worker="test") == 1
    row.refresh_from_db()
    assert row.state == State.RECORDED, row.detail
    study = minimise(row)
    assert driver.drive(worker="test") == 1
    study.refresh_from_db()
    found = Minimisation.from_json(study.result, actions=3)
    assert (found.minimal, tuple(found.kept)) == (True, (1, 2))


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_it_is_the_same_however_often_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replayed(SEQUENCE)
    study = minimise(row)
    driver.drive(worker="test")
    whole = answer_of(study)
    Study.objects.all().delete()
    monkeypatch.setattr(conf, "STUDY_SLICE_SECONDS", 0.0)
    again = minimise(row)
    assert driver.drive(worker="test") == whole["trials"] + 1, "The last lease replays the end."
    assert answer_of(again) == whole


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_pruned_replay_can_be_minimised_too() -> None:
    row = replayed(SEQUENCE)
    kept = minimise(row)
    driver.drive(worker="test")
    first = answer_of(kept)
    Study.objects.all().delete()
    prune_traces(verification_ids=[row.pk])
    row.refresh_from_db()
    study = minimise(row)
    driver.drive(worker="test")
    assert answer_of(study)["kept"] == first["kept"]


@pytest.mark.django_db(transaction=True)
def test_verifications_come_first() -> None:
    study = ask(replayed(SEQUENCE), 2)
    rows = [make_work([NAMES.index("sroa")] * number, make_busy()) for number in (1, 2)]
    assert driver.drive(worker="test") == 3
    ends = [Verification.objects.get(pk=row.pk).finished_at for row in rows]
    assert max(end for end in ends if end) < (leased_steps(study).finished_at or study.created_at)


@pytest.mark.django_db(transaction=True)
def test_a_minimisation_gives_way_to_a_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "STUDY_GLANCE_SECONDS", 0.0)
    study = minimise(replayed(SEQUENCE))
    lease = next_lease("test")
    row = make_work([NAMES.index("sroa")], make_busy())
    driver.LeasedStudy(lease).carry()
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.QUEUED, 0)
    assert Minimiser.from_json(study.progress or {}).trials == 1
    assert driver.drive(worker="test") == 2
    row.refresh_from_db()
    assert row.state == State.RECORDED
    leased_steps(study)


@pytest.mark.django_db(transaction=True)
def test_a_replay_that_ends_otherwise_here_is_no_ground_for_a_shorter_one() -> None:
    row = make_work(SEQUENCE, make_busy())
    lease = leased(row, "liar")
    result = replay_result(row, 7)
    leases.record(
        lease=lease,
        outcome=transitions.ReplayOutcome(result=result.as_dict(), metrics=dict(result.metrics), sandbox={}),
    )
    row.refresh_from_db()
    study = minimise(row)
    driver.drive(worker="test")
    study.refresh_from_db()
    assert (study.state, study.reason, study.result) == (StudyState.FAILED, "infra:unrepeatable", None)


@pytest.mark.django_db(transaction=True)
def test_a_failure_of_the_machinery_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ask(replayed(SEQUENCE), 2)

    def broken(*_: object, **__: object) -> None:
        raise InfrastructureFault("The session is gone.", reason="infra:killed")

    with monkeypatch.context() as patch:
        patch.setattr(driver, "texts_around", broken)
        assert driver.drive(worker="test") == 1
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.QUEUED, 1)
    Study.objects.update(available_at=study.created_at)
    driver.drive(worker="test")
    leased_steps(study)


def restarting(act: Callable[..., Any], *, first: bool) -> Callable[..., Any]:
    """The same function, but the database restarts once, before or after its first call."""
    calls: list[None] = []

    def restart(*, now: bool) -> None:
        if now and not calls:
            calls.append(None)
            restart_database()

    def call(*arguments: Any, **options: Any) -> Any:
        restart(now=first)
        answer = act(*arguments, **options)
        restart(now=not first)
        return answer

    return call


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "when",
    ["at its end", *slow(["before the study is read", "before its program is read"])],
)
def test_a_restart_of_the_database_costs_no_attempt(monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    study = ask(replayed(SEQUENCE), 2)
    lease = next_lease("test")
    programs = Programs()
    if when == "before the study is read":
        restart_database()
    elif when == "before its program is read":
        monkeypatch.setattr(programs, "of", restarting(programs.of, first=True))
    else:
        monkeypatch.setattr(driver, "texts_around", restarting(texts_around, first=False))
    driver.LeasedStudy(lease, programs).carry()
    connection.close()
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.DONE, 0), study.detail


@pytest.mark.django_db(transaction=True)
def test_a_failure_is_written_by_a_new_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ask(replayed(SEQUENCE), 2)

    def broken(*_: object, **__: object) -> None:
        restart_database()
        raise InfrastructureFault("The session is gone.", reason="infra:killed")

    monkeypatch.setattr(driver, "texts_around", broken)
    lease = next_lease("test")
    driver.LeasedStudy(lease).carry()
    connection.close()
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.QUEUED, 1)


@pytest.mark.django_db(transaction=True)
def test_a_part_that_takes_too_long_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "STUDY_SECONDS", 0)
    study = ask(replayed(SEQUENCE), 2)
    driver.drive(worker="test")
    study.refresh_from_db()
    assert (study.state, study.reason) == (StudyState.FAILED, "env:replay-timeout")


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", [MINIMISED, DIFFERENCE])
def test_the_wait_for_the_machine_is_no_part_of_its_time(
    monkeypatch: pytest.MonkeyPatch, kind: Study.Kind
) -> None:
    study = ask(replayed(SEQUENCE), len(SEQUENCE), kind)
    for name in ("work.driver.STUDY_SECONDS", "conf.STUDY_SLICE_SECONDS"):
        monkeypatch.setattr(f"runner.{name}", 4)
    lease = next_lease("test")
    leased = driver.LeasedStudy(lease)
    with ThreadPoolExecutor(1) as pool:
        with machine_use.alone(check=lambda: None):
            carried = pool.submit(at_once, 1, leased.carry)
            time.sleep(4.5)
            assert not carried.done()
        carried.result()
    leased_steps(study)


@pytest.mark.django_db(transaction=True)
def test_a_lost_lease_writes_nothing() -> None:
    study = ask(replayed(SEQUENCE), 2)
    lease = next_lease("test")
    Study.objects.update(lease_token=uuid.uuid4())
    driver.LeasedStudy(lease).carry()
    study.refresh_from_db()
    assert study.state == StudyState.RUNNING


PARTS = {
    "llvm-functions-v0": "llvm-functions adce@0 sroa@0 sroa@0 simplifycfg@0",
    "llvm-parameters-v0": "llvm-parameters globaldce sroa sroa simplifycfg",
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("space", ["llvm-functions-v0", *slow(["llvm-parameters-v0"])])
def test_actions_of_several_parts_are_studied_from_the_question_to_the_answer(space: str) -> None:
    """They are lists where they are stored, and tuples where they are applied."""
    named, actions = environment_spec("llvm-finer-v0").ranked_commandline(PARTS[space])
    assert named == space
    benchmark = make_busy()
    row = request_verification(
        environment="llvm-finer-v0",
        benchmark=benchmark,
        benchmark_uri=benchmark.uri,
        actions=actions,
        action_space=space,
    )
    assert driver.drive(worker="test") == 1
    row = Verification.objects.get(pk=row.pk)
    assert row.state == State.RECORDED, row.detail
    assert all(isinstance(one, list) for one in row.actions)
    idle = steps_of(row)
    step = idle.index(False) + 1
    difference, minimised = ask(row, step), minimise(row)
    assert driver.drive(worker="test") == 2
    assert TextDifference.from_json(leased_steps(difference).result).text
    found = Minimisation.from_json(leased_steps(minimised).result, actions=len(actions))
    assert found.minimal
    assert 0 < len(found.kept) < len(actions)
    assert ask(row, step) == difference
    assert minimise(row) == minimised
