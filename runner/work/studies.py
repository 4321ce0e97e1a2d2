"""Carry out studies, and keep the programs of the last replays."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from datasets.selectors import benchmark_for_replay
from optarena.actions import check_actions
from optarena.limits import STUDY_SECONDS
from optarena.replay import Failed, replay
from optarena.specs.results import ReplayResult
from optarena.studies import Minimiser, text_difference
from optarena.study_states import SequenceTrials, texts_around
from runner import conf
from runner.errors import EnvironmentChangedError, ReplayDeadlineError, UnrepeatableError
from runner.machines import machine_use
from runner.models import Study
from runner.queue import leases
from runner.queue import studies as study_queue
from runner.queue.work import PlayedState
from runner.work.confirmation import spec_of
from runner.work.heartbeat import LeasedWork

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from optarena.actions import Action
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark
    from runner.models import Verification
    from runner.queue.leases import Lease

_KEPT: Final = 64


class Programs:
    """Keeps programs, so that baselines and workloads are not read again.

    Hashes identify a program, so that what is remembered is what was demanded, whatever became of its
    dataset.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], Benchmark] = {}

    def of(self, row: Verification | PlayedState) -> Benchmark:
        identity = (row.benchmark_uri, row.benchmark_sha256, row.workloads_sha256)
        found = self._known.pop(identity, None) or _read(row)
        self._known[identity] = found  # the last one is the last to be forgotten
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return found


def _read(row: Verification | PlayedState) -> Benchmark:
    found: Benchmark = benchmark_for_replay(row.benchmark, uri=row.benchmark_uri)
    if found.sha256 != row.benchmark_sha256:
        raise EnvironmentChangedError(f"The program of {row.benchmark_uri} has changed.")
    if row.workloads_sha256 != found.workloads_sha256:
        raise EnvironmentChangedError(f"The workloads of {row.benchmark_uri} have changed.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    study: Study
    row: Verification | PlayedState
    spec: EnvironmentSpec
    benchmark: Benchmark
    actions: Sequence[Action]

    @property
    def verification(self) -> Verification:
        if isinstance(self.row, PlayedState):
            raise UnrepeatableError("This question is about a replay, and has none.")
        return self.row


class LeasedStudy(LeasedWork):
    def __init__(self, lease: Lease, programs: Programs | None = None) -> None:
        super().__init__(lease)
        self.programs = programs or Programs()
        self.began = self.deadline = self.next_glance = math.inf

    def work(self) -> None:
        with machine_use.beside_others(check=self.heart.check):
            study = self.heart.call_database(self._load, seconds=conf.READ_SECONDS)
            row = study.verification or PlayedState.stored(study)
            spec = spec_of(row)
            actions = check_actions(spec.ranked_table(row.action_space), row.actions[: study.steps])
            benchmark = self.heart.call_database(lambda: self.programs.of(row), seconds=conf.READ_SECONDS)
            # From now on its time counts; that it waited for the machine is not its fault.
            self.began = time.monotonic()
            self.deadline = self.began + STUDY_SECONDS
            self.next_glance = self.began + conf.STUDY_GLANCE_SECONDS
            self.log.info("studying", kind=study.kind, benchmark=row.benchmark_uri, actions=len(actions))
            question = _Question(study=study, row=row, spec=spec, benchmark=benchmark, actions=actions)
            try:
                result = self._answer(question)
            except Failed as error:
                self._end(leases.fail, error.reason, error.detail, None)
                return
            if result is not None:
                self.heart.call_database(lambda: study_queue.end_study(lease=self.lease, result=result))

    def _load(self) -> Study:
        rows = Study.objects.select_related("verification__environment_version")
        return rows.select_related("verification__benchmark__blob").get(pk=self.lease.work_id)

    def _answer(self, question: _Question) -> dict[str, Any] | None:
        # None if others go on first.
        match question.study.kind:
            case Study.Kind.DIFFERENCE:
                return self._compare(question)
            case Study.Kind.LOOK_AHEAD:
                return self._look_ahead(question)
            case Study.Kind.OUTPUTS:
                return self._check_outputs(question)
        return self._minimise(question)

    def _compare(self, question: _Question) -> dict[str, Any]:
        texts = texts_around(
            question.spec,
            question.benchmark,
            question.actions,
            action_space=question.row.action_space,
            check=self.check,
            memory_bytes=conf.replay_memory_bytes(),
        )
        spec = question.spec
        return text_difference(*texts, numbers=spec.state_numbers, parts=spec.state_parts).as_dict()

    def _check_outputs(self, question: _Question) -> dict[str, Any]:
        # What is not exact is measured as for a board, if this machine can.
        spec = question.spec
        noisy = [metric.name for metric in spec.metrics if not metric.exact]
        metrics = noisy if spec.measures_at_once else ()
        return self._replay(question, question.actions, metrics=metrics).as_dict()

    def _look_ahead(self, question: _Question) -> dict[str, Any] | None:
        # A large program's last actions are not tried where the time is used up.
        known = study_queue.found_so_far(question.study)
        before, first = (known.seconds, len(known.tried)) if known else (0.0, 0)
        next_report = self.began
        with self._trials(question) as trials:
            candidates = question.row.candidates if isinstance(question.row, PlayedState) else None
            tried = known.tried if known else ()
            for state in trials.look_ahead(question.actions, tried, candidates):
                found = replace(state, seconds=before + state.seconds)
                if len(found.tried) == found.total or found.seconds >= STUDY_SECONDS:
                    return found.as_dict()
                # Some are tried in any case: otherwise it would never end beside much other work.
                if len(found.tried) > first and self._must_give_way():
                    self._interrupt(found.as_dict())
                    return None
                if time.monotonic() >= next_report:
                    report = partial(study_queue.report_findings, progress=found.as_dict())
                    self.heart.call_database(partial(report, lease=self.lease))
                    next_report = time.monotonic() + conf.PROGRESS_SECONDS
                self.deadline = time.monotonic() + STUDY_SECONDS
        return None  # pragma: no cover - the last state has tried all

    def _minimise(self, question: _Question) -> dict[str, Any] | None:
        actions, stored = question.actions, dict(question.verification.result or {})
        digest = _final_digest(stored)
        if question.study.progress:
            minimiser = Minimiser.from_json(question.study.progress)
        else:
            steps = ReplayResult.from_json(stored).steps
            minimiser = Minimiser.of(len(actions), idle=[one.index for one in steps if one.had_no_effect])
        with self._trials(question) as trials:
            while (found := minimiser.done) is None:
                self.deadline = time.monotonic() + STUDY_SECONDS
                tried = [actions[position] for position in minimiser.candidate()]
                minimiser.answer(suffices=trials.digest(tried) == digest)
                if self._must_give_way():
                    self._interrupt(minimiser.as_dict())
                    return None
        self._confirm(question, [actions[position] for position in found.kept], digest)
        self.log.info("minimised", kept=len(found.kept), trials=found.trials)
        return found.as_dict()

    def _trials(self, question: _Question) -> AbstractContextManager[SequenceTrials]:
        return SequenceTrials.within(
            question.spec,
            question.benchmark,
            action_space=question.row.action_space,
            check=self.check,
            memory_bytes=conf.replay_memory_bytes(),
        )

    def _interrupt(self, progress: dict[str, Any]) -> None:
        interrupt = partial(study_queue.interrupt_study, progress=progress)
        self.heart.call_database(partial(interrupt, lease=self.lease))

    def _must_give_way(self) -> bool:
        # A verification that waits goes first, and other studies after a while.
        now = time.monotonic()
        if now >= self.began + conf.STUDY_SLICE_SECONDS:
            return True
        if now < self.next_glance:
            return False
        self.next_glance = now + conf.STUDY_GLANCE_SECONDS
        return self.heart.call_database(study_queue.verification_waits)

    def _confirm(self, question: _Question, actions: Sequence[Action], digest: str) -> None:
        row, spec = question.verification, question.spec
        wanted = spec.metric_names if row.wanted_metrics is None else row.wanted_metrics
        exact = [name for name in wanted if spec.metric(name).exact]
        result = self._replay(question, actions, metrics=exact)
        states = (result.initial, *result.steps)
        last = states[-1].digest if states[-1] else ""
        if not result.ok:
            raise UnrepeatableError(f"The shorter sequence fails with {result.reason}: {result.detail}")
        if last != digest or any(result.metrics[name] != (row.metrics or {}).get(name) for name in exact):
            raise UnrepeatableError("The shorter sequence does not end as the whole one did.")

    def _replay(
        self, question: _Question, actions: Sequence[Action], *, metrics: Sequence[str]
    ) -> ReplayResult:
        self.deadline = time.monotonic() + STUDY_SECONDS
        return replay(
            environment=question.spec,
            benchmark=question.benchmark,
            actions=actions,
            action_space=question.row.action_space or None,
            metrics=metrics,
            sandbox=True,
            on_progress=lambda _: self.check(),
            memory_bytes=conf.replay_memory_bytes(),
        )

    def check(self) -> None:
        self.heart.check()
        if time.monotonic() >= self.deadline:
            raise ReplayDeadlineError(f"This part of the study did not end within {STUDY_SECONDS} s.")


def _final_digest(stored: dict[str, object]) -> str:
    # The steps may have been pruned.
    pruned = stored.pop("pruned", None)
    if isinstance(pruned, dict) and pruned.get("digest"):
        return str(pruned["digest"])
    result = ReplayResult.from_json(stored)
    last = result.steps[-1] if result.steps else result.initial
    if last is None:
        raise UnrepeatableError("The digest of the final state was not kept.")
    return last.digest
