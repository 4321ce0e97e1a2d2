"""Looks at states that are played: what each action would give from there, and whether outputs are right."""

from __future__ import annotations

import itertools
import uuid
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, transaction

from optarena import limits
from optarena.datasets import datasets
from optarena.specs import environment_spec
from optarena.specs.board import measured_intervals
from optarena.specs.results import ReplayResult
from optarena.studies import LookAheadResult
from runner import conf
from runner.errors import StudyRefusedError
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Runner, Study, StudyState
from runner.queue import studies as study_queue
from runner.queue.studies import found_so_far, request_study
from runner.queue.work import PlayedState
from runner.work import driver
from tests.factories import ENVIRONMENT, make_benchmark, make_busy, make_range, make_version
from tests.kit.gcc import needs_gcc
from tests.kit.work import at_once, next_lease

if TYPE_CHECKING:
    from datasets.models import Benchmark

LOOK_AHEAD, OUTPUTS = Study.Kind.LOOK_AHEAD, Study.Kind.OUTPUTS
SPEC = environment_spec(ENVIRONMENT)
NAMES = SPEC.action_table.names


@pytest.fixture(autouse=True)
def worker(db: None) -> Runner:
    machine = Machine(fingerprint={}, versions={})
    return presence.announce_runner(
        name="celery@host", hardware_class="x86_64-cpu", machine=machine, life=uuid.uuid4()
    )


def played(*names: str, benchmark: Benchmark | None = None) -> PlayedState:
    program = benchmark or make_busy()
    return PlayedState.of(SPEC, program, program.uri, tuple(map(NAMES.index, names)))


def ask(state: PlayedState, kind: Study.Kind = LOOK_AHEAD, payer: str = "user:1") -> Study:
    return request_study(kind=kind, subject=state, steps=len(state.actions), payer=payer)


def answered(study: Study) -> Study:
    assert driver.drive(worker="test") == 1
    study.refresh_from_db()
    assert study.state == StudyState.DONE, study.detail
    return study


def look(*names: str) -> LookAheadResult:
    return LookAheadResult.from_json(answered(ask(played(*names))).result, actions=len(names))


@pytest.mark.django_db(transaction=True)
def test_who_asks_at_once_about_a_state_that_was_new_gets_the_same_answer() -> None:
    state, payers = played("mem2reg"), (f"user:{number}" for number in itertools.count())
    admitted: list[str] = []

    def one_more() -> Study:
        payer = next(payers)
        admit = partial(admitted.append, payer)
        return request_study(kind=LOOK_AHEAD, subject=state, steps=1, payer=payer, admit=admit, is_new=True)

    asked = at_once(4, one_more)
    assert (len({one.pk for one in asked}), len(admitted)) == (1, 1)
    assert {one.payer.name for one in asked if one.payer} == set(admitted)


@pytest.mark.django_db(transaction=True)
def test_each_action_gives_what_a_step_would_give() -> None:
    found = look("globaldce", "mem2reg")
    assert (found.idle, len(found.costs), found.total) == ((1,), 3, len(NAMES))
    assert [one.action for one in found.tried] == list(range(len(NAMES)))
    for name in ("simplifycfg", "mem2reg"):
        told, after = found.tried[NAMES.index(name)], look("globaldce", "mem2reg", name)
        assert (told.cost, told.effect) == (after.costs[-1], 3 not in after.idle)


@pytest.mark.django_db(transaction=True)
def test_the_functions_that_the_last_step_changed_come_first() -> None:
    found = look("mem2reg")
    main = found.parts[0]
    assert (main.name, main.changed, found.parts[-1].changed) == ("main", True, False)
    assert "\n-  %unused = alloca i64" in (main.text or "")
    assert not any(part.changed for part in look().parts)


@pytest.mark.django_db(transaction=True)
def test_an_interrupted_look_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TRIED_ACTIONS", 12)
    whole = look("mem2reg")
    Study.objects.all().delete()
    study = ask(played("mem2reg"))
    monkeypatch.setattr(conf, "STUDY_SLICE_SECONDS", 0.0)
    assert driver.drive(worker="test") == 3, "A worker with nothing else to do goes on at once."
    study.refresh_from_db()
    assert LookAheadResult.from_json(study.result, actions=1).tried == whole.tried


def test_pages_see_what_was_found_so_far() -> None:
    study = ask(played("mem2reg"))
    part = LookAheadResult(costs=(9, 7), idle=(), parts=(), total=3)
    study_queue.report_findings(lease=next_lease("test"), progress=part.as_dict())
    study.refresh_from_db()
    assert found_so_far(study) == part


@pytest.mark.django_db(transaction=True)
def test_outputs_are_checked_as_a_replay_does() -> None:
    program, wrong = make_busy(), make_busy(name="wrong", expected="other")
    right = ReplayResult.from_json(answered(ask(played("mem2reg", benchmark=program), OUTPUTS)).result or {})
    assert [(one.name, one.ok) for one in right.workloads] == [("only", True)]
    other = ReplayResult.from_json(answered(ask(played("mem2reg", benchmark=wrong), OUTPUTS)).result or {})
    assert (other.ok, other.reason) == (False, "semantics:output-differs")


@pytest.mark.django_db(transaction=True)
def test_what_is_not_exact_is_measured_as_for_a_board() -> None:
    loops = environment_spec("loop_tool-v0")
    sizes = make_range("{n}", version=make_version("loop_tool-cpu-v0"), low=1, high=8 * 2**20)
    state = PlayedState.of(loops, sizes, "benchmark://loop_tool-cpu-v0/1024", (3,))
    found = ReplayResult.from_json(answered(ask(state, OUTPUTS)).result or {})
    low, high = measured_intervals(found.measurement)["gflops"]
    assert 0 < low <= found.metrics["gflops"] <= high


@needs_gcc
@pytest.mark.django_db(transaction=True)
def test_only_the_chosen_actions_are_tried_within_the_sandbox() -> None:
    spec, name = environment_spec("gcc-v0"), "benchmark://gcc-kernels-v0/sudoku"
    source = datasets().benchmark(name).program()
    program = make_benchmark("sudoku", source, version=make_version("gcc-kernels-v0"))
    levels, vrp = spec.action_table.parse("gcc -Oz -ftree-vrp -c program.c -o program.o")
    state = PlayedState.of(spec, program, name, (), candidates=(levels, vrp))
    other = PlayedState.of(spec, program, name, (), candidates=())
    study = ask(state)
    assert ask(other) != study
    Study.objects.exclude(pk=study.pk).delete()
    found = LookAheadResult.from_json(answered(study).result, actions=0)
    assert [(one.action, one.cost) for one in found.tried] == [(levels, 2_745), (vrp, 5_830)]
    assert found.costs == (5_830,)


def test_equal_states_share_an_answer_whoever_asks() -> None:
    study = ask(played("mem2reg"))
    assert ask(played("mem2reg"), payer="visitors") == study
    assert ask(played("mem2reg", "sroa")) != study
    assert ask(played("mem2reg"), OUTPUTS) != study
    assert ask(played("mem2reg", benchmark=make_benchmark("beta"))) != study


def test_without_a_worker_of_that_version_a_look_is_refused() -> None:
    Runner.objects.update(digests=["0" * 64])
    with pytest.raises(StudyRefusedError, match="has version"):
        ask(played("mem2reg"))


def test_a_program_that_was_removed_is_said_so() -> None:
    state = played("mem2reg", benchmark=make_benchmark("beta"))
    study = ask(state)
    Study.objects.update(played=state.as_dict() | {"benchmark_uri": "benchmark://gone-v0/x"})
    driver.drive(worker="test")
    study.refresh_from_db()
    assert study.attempt == 1, "It is tried again, as work of another version is."


def test_the_database_refuses_a_study_of_nothing() -> None:
    study = ask(played("mem2reg"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(played=None)


@pytest.mark.parametrize(
    "broken",
    [
        None,
        {},
        {"costs": [1, 2, 3]},
        {"costs": [1, "2"]},
        {"idle": [2]},
        {"tried": [[0, 1]]},
        {"total": "3"},
        {"parts": [{}]},
    ],
)
def test_what_is_no_look_ahead_is_refused(broken: dict[str, object] | None) -> None:
    good = LookAheadResult(costs=(9, 7), idle=(), parts=(), total=3).as_dict()
    with pytest.raises(ValueError, match=r"not"):
        LookAheadResult.from_json(good | broken if broken else broken, actions=1)
