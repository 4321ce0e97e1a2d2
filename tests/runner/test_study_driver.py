"""Studies by real sessions in the real sandbox, beside real verifications."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from optarena.errors import InfrastructureFault
from optarena.gcc.options import CHOICES
from optarena.replay import ReplayResult
from optarena.specs import environment_spec
from optarena.studies import Minimisation, Minimiser, TextDifference
from optarena.study_states import texts_around
from runner import conf
from runner.machines import machine_use, presence
from runner.machines.machine import Machine
from runner.models import State, Study, StudyState, Verification
from runner.queue import demands, leases, requests, transitions
from runner.queue import studies as study_queue
from runner.queue.sweeping import prune_traces
from runner.work import driver
from runner.work import studies as study_driver
from runner.work.studies import Programs
from tests.factories import make_benchmark, make_busy, make_work, make_workload
from tests.kit.boards import replay_result
from tests.kit.gcc import needs_gcc
from tests.kit.work import at_once, restart_database

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = environment_spec("llvm-ic-v0").action_table.names
SEQUENCE = [NAMES.index(name) for name in ("globaldce", "mem2reg", "mem2reg", "simplifycfg", "globaldce")]


@pytest.fixture(autouse=True)
def _worker(transactional_db: None) -> None:
    machine = Machine(fingerprint={}, versions={})
    presence.announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=machine)


def replayed(actions: list[int]) -> Verification:
    """A verification of a real program that a real replay has recorded."""
    row = make_work(actions, make_busy())
    assert driver.drive(worker="test") == 1
    row.refresh_from_db()
    assert row.state == State.RECORDED, row.detail
    return row


def ask(row: Verification, steps: int, kind: Study.Kind = Study.Kind.DIFFERENCE) -> Study:
    return study_queue.request_study(kind=kind, verification=row, steps=steps)


def minimise(row: Verification) -> Study:
    return ask(row, len(row.actions), Study.Kind.MINIMISED)


def answered(study: Study) -> Study:
    study.refresh_from_db()
    assert study.state == StudyState.DONE, study.detail
    return study


def answer_of(study: Study) -> dict[str, Any]:
    answer: dict[str, Any] = answered(study).result or {}
    return answer


def steps_of(row: Verification) -> list[bool]:
    return [step.had_no_effect for step in ReplayResult.from_json(row.result or {}).steps]


def test_the_difference_that_a_step_makes() -> None:
    study = ask(replayed(SEQUENCE), 2)
    assert driver.drive(worker="test") == 1
    found = TextDifference.from_json(answered(study).result)
    assert (found.removed, found.added) == (2, 0)
    assert "\n-  %unused = alloca i64" in found.text


def test_a_sequence_is_minimised_and_the_shorter_one_is_replayed() -> None:
    row = replayed(SEQUENCE)
    study = minimise(row)
    assert driver.drive(worker="test") == 1
    found = Minimisation.from_json(answered(study).result, actions=len(SEQUENCE))
    assert found.minimal
    assert 0 < len(found.kept) < len(SEQUENCE)
    shorter = replayed([SEQUENCE[position] for position in found.kept])
    assert shorter.metrics == row.metrics
    assert (shorter.result or {})["steps"][-1]["digest"] == (row.result or {})["steps"][-1]["digest"]
    assert not any(steps_of(shorter))


@needs_gcc
def test_actions_of_two_parts_are_minimised() -> None:
    """GCC's actions are pairs; its state is what was chosen in the end."""
    program = make_benchmark("c", b"int main(void) { return 0; }\n")
    line = "gcc -O2 -fno-tree-vrp -c program.c -o program.o"
    last = CHOICES.parse("gcc -Oz -c program.c -o program.o")
    row = requests.request_verification(
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


def test_verifications_come_first() -> None:
    study = ask(replayed(SEQUENCE), 2)
    rows = [make_work([NAMES.index("sroa")] * number, make_busy()) for number in (1, 2)]
    assert driver.drive(worker="test") == 3
    ends = [Verification.objects.get(pk=row.pk).finished_at for row in rows]
    assert max(end for end in ends if end) < (answered(study).finished_at or study.created_at)


def test_a_minimisation_gives_way_to_a_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "STUDY_GLANCE_SECONDS", 0.0)
    study = minimise(replayed(SEQUENCE))
    lease = leases.lease_next(worker="test")
    assert lease is not None
    row = make_work([NAMES.index("sroa")], make_busy())
    study_driver.LeasedStudy(lease).carry()
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.QUEUED, 0)
    assert Minimiser.from_json(study.progress or {}).trials == 1
    assert driver.drive(worker="test") == 2
    row.refresh_from_db()
    assert row.state == State.RECORDED
    answered(study)


def test_a_replay_that_ends_otherwise_here_is_no_ground_for_a_shorter_one() -> None:
    row = make_work(SEQUENCE, make_busy())
    lease = leases.lease(verification_id=row.pk, worker="liar")
    assert lease is not None
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


def test_a_failure_of_the_machinery_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ask(replayed(SEQUENCE), 2)

    def broken(*_: object, **__: object) -> None:
        raise InfrastructureFault("The session is gone.", reason="infra:killed")

    with monkeypatch.context() as patch:
        patch.setattr(study_driver, "texts_around", broken)
        assert driver.drive(worker="test") == 1
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.QUEUED, 1)
    Study.objects.update(available_at=study.created_at)
    driver.drive(worker="test")
    answered(study)


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


@pytest.mark.parametrize("when", ["before the study is read", "before its program is read", "at its end"])
def test_a_restart_of_the_database_costs_no_attempt(monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    study = ask(replayed(SEQUENCE), 2)
    lease = leases.lease_next(worker="test")
    assert lease is not None
    programs = Programs()
    if when == "before the study is read":
        restart_database()
    elif when == "before its program is read":
        monkeypatch.setattr(programs, "of", restarting(programs.of, first=True))
    else:
        monkeypatch.setattr(study_driver, "texts_around", restarting(texts_around, first=False))
    study_driver.LeasedStudy(lease, programs).carry()
    connection.close()
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.DONE, 0), study.detail


def test_a_restart_of_the_database_while_a_sequence_is_minimised_costs_no_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conf, "STUDY_GLANCE_SECONDS", 0.0)
    study = minimise(replayed(SEQUENCE))
    monkeypatch.setattr(
        study_queue, "verification_waits", restarting(study_queue.verification_waits, first=True)
    )
    assert driver.drive(worker="test") == 1
    connection.close()
    assert answered(study).attempt == 0


def test_a_failure_is_written_by_a_new_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ask(replayed(SEQUENCE), 2)

    def broken(*_: object, **__: object) -> None:
        restart_database()
        raise InfrastructureFault("The session is gone.", reason="infra:killed")

    monkeypatch.setattr(study_driver, "texts_around", broken)
    lease = leases.lease_next(worker="test")
    assert lease is not None
    study_driver.LeasedStudy(lease).carry()
    connection.close()
    study.refresh_from_db()
    assert (study.state, study.attempt) == (StudyState.QUEUED, 1)


def test_a_part_that_takes_too_long_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_driver, "STUDY_SECONDS", 0)
    study = ask(replayed(SEQUENCE), 2)
    driver.drive(worker="test")
    study.refresh_from_db()
    assert (study.state, study.reason) == (StudyState.FAILED, "env:replay-timeout")


@pytest.mark.parametrize("kind", list(Study.Kind))
def test_the_wait_for_the_machine_is_no_part_of_its_time(
    monkeypatch: pytest.MonkeyPatch, kind: Study.Kind
) -> None:
    study = ask(replayed(SEQUENCE), len(SEQUENCE), kind)
    for name in ("work.studies.STUDY_SECONDS", "conf.STUDY_SLICE_SECONDS"):
        monkeypatch.setattr(f"runner.{name}", 4)
    lease = leases.lease_next(worker="test")
    assert lease is not None
    leased = study_driver.LeasedStudy(lease)
    with ThreadPoolExecutor(1) as pool:
        with machine_use.alone(check=lambda: None):
            carried = pool.submit(at_once, 1, leased.carry)
            time.sleep(4.5)
            assert not carried.done()
        carried.result()
    answered(study)


def test_a_lost_lease_writes_nothing() -> None:
    study = ask(replayed(SEQUENCE), 2)
    lease = leases.lease_next(worker="test")
    assert lease is not None
    Study.objects.update(lease_token=uuid.uuid4())
    study_driver.LeasedStudy(lease).carry()
    study.refresh_from_db()
    assert study.state == StudyState.RUNNING


PARTS = {
    "llvm-functions-v0": "llvm-functions adce@0 sroa@0 sroa@0 simplifycfg@0",
    "llvm-parameters-v0": "llvm-parameters globaldce sroa sroa simplifycfg",
}


@pytest.mark.parametrize("space", list(PARTS))
def test_actions_of_several_parts_are_studied_from_the_question_to_the_answer(space: str) -> None:
    """They are lists where they are stored, and tuples where they are applied."""
    named, actions = environment_spec("llvm-finer-v0").ranked_commandline(PARTS[space])
    assert named == space
    benchmark = make_busy()
    row = requests.request_verification(
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
    assert TextDifference.from_json(answered(difference).result).text
    found = Minimisation.from_json(answered(minimised).result, actions=len(actions))
    assert found.minimal
    assert 0 < len(found.kept) < len(actions)
    assert ask(row, step) == difference
    assert minimise(row) == minimised
