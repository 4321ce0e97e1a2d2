"""The report of a search: ``NAME.run.json`` beside its results ``NAME.csv`` or ``NAME.json``.

It says what was run, so that anybody can repeat it, what it took, and which programs are finished, so that a
search that was interrupted can go on. ``optarena submit`` takes the effort from it.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from optarena import paths
from optarena.agents.outcomes import Budget, Objective, Sequence
from optarena.datasets.manifest import digest_of
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import json_document
from optarena.errors import InvalidInput
from optarena.file_locks import FileLock
from optarena.limits import MAX_SUBMISSION_BYTES
from optarena.state import EnvState, format_of, read_states, write_states
from optarena.tables import TextTable

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.agents.catalogue import AgentSpec, Known
    from optarena.datasets import Benchmark
    from optarena.outcome_store import OutcomeStore
    from optarena.specs import EnvironmentSpec


@contextlib.contextmanager
def lock_output(path: Path) -> Iterator[None]:
    # A hidden file beside it is locked meanwhile. Where the file system has no locks, nothing keeps others
    # out.
    if not path.name:
        message, remedy = f"{str(path)!r} does not name a file.", "Name one, such as results.csv."
        raise InvalidInput(message, field="output", value=str(path), remedy=remedy)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.lock")
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        held = FileLock.take(descriptor, beside)
    except (ImportError, OSError):  # a system without locks; the descriptor is closed
        beside.unlink(missing_ok=True)
        yield
        return
    if held is None:
        message = f"Another process is writing {path}."
        remedy = "Wait until it ends, or give another --output."
        raise InvalidInput(message, field="output", value=str(path), remedy=remedy)
    try:
        yield
    finally:
        beside.unlink(missing_ok=True)  # before the lock is released: later, it might be another process's
        held.release()


def check_new(path: Path, remedy: str) -> None:
    if path.exists():
        raise InvalidInput(f"{path} exists.", field="output", value=str(path), remedy=remedy)


def replace_file(path: Path, content: str | bytes) -> None:
    # There is either the former content or the whole new one.
    part = path.with_name(f".{path.name}.part")
    try:
        with paths.naming(path):
            part.write_bytes(content.encode() if isinstance(content, str) else content)
            part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


FORMAT: Final = 1
_TEXT: Final = kinds.text(longest=2_000, is_optional=True)
# It may name many programs.
_COMMAND: Final = kinds.text(longest=MAX_SUBMISSION_BYTES, is_optional=True)
_COUNT: Final = kinds.number(low=0, is_whole=True)
_AMOUNT: Final = kinds.number(low=0)
_TRAINED: Final = kinds.record({"name": Field(_TEXT, needed=True), "sha256": Field(_TEXT, needed=True)})
_IDENTITY: Final = kinds.record(
    {
        "agent": Field(_TEXT, needed=True),
        "version": Field(_COUNT, needed=True),
        "parameters": Field(kinds.map_of(kinds.either(_TEXT, kinds.number(is_whole=True))), needed=True),
        "environment": Field(_TEXT, needed=True),
        "environment_digest": Field(_TEXT, needed=True),
        "metric": Field(_TEXT, needed=True),
        "programs": Field(_TEXT, needed=True),
        "programs_sha256": Field(_TEXT, needed=True),
        "seed": Field(_COUNT, needed=True),
        "evaluations": Field(_COUNT),
        "minutes": Field(_AMOUNT),
        "work": Field(_COUNT),
        "start_sha256": Field(_TEXT),
        "trained_on": Field(kinds.list_of(_TRAINED)),
        "trained_on_test_set": Field(kinds.FLAG, needed=True),
        "command": Field(_COMMAND, needed=True),
        "carried_from": Field(_TEXT),
    }
)
_PROGRAM: Final = kinds.record(
    {
        "benchmark": Field(_TEXT, needed=True),
        "value": Field(kinds.number(), needed=True),
        "actions": Field(_COUNT, needed=True),
        "evaluations": Field(_COUNT, needed=True),
        "actions_run": Field(_COUNT, needed=True),
        "from_store": Field(_COUNT),
        "seconds": Field(_AMOUNT, needed=True),
        "is_finished": Field(kinds.FLAG, needed=True),
        "improvements": Field(kinds.list_of(kinds.list_of(kinds.number(), least=2))),
        "levels": Field(kinds.map_of(kinds.number())),
    }
)
_FILE: Final = kinds.record(
    {
        "format": Field(kinds.number(low=FORMAT, high=FORMAT, is_whole=True), needed=True),
        "run": Field(_IDENTITY, needed=True),
        "found": Field(kinds.list_of(_PROGRAM), needed=True),
        "cpu_seconds": Field(_AMOUNT, needed=True),
        "wall_seconds": Field(_AMOUNT, needed=True),
        "is_finished": Field(kinds.FLAG, needed=True),
        "is_repeatable": Field(kinds.FLAG),
        "evaluations": Field(_COUNT),
        "actions_run": Field(_COUNT),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchIdentity:
    """What a run does. Two runs of one identity that is not limited by time find the same.

    Attributes:
        programs: The programs in words: a dataset, a split of it, or their number.
        programs_sha256: The hash of the sorted lines ``uri sha256`` of the programs.
        evaluations: The budget of each program; None if the run is limited by time.
        minutes: The time of the whole run; such a run cannot be repeated exactly.
        work: The most that the evaluations of a program, times its cost as given, might be; None for any.
        start_sha256: The hash of the file of sequences that it began with; empty if there was none.
        trained_on: The known sequences that it used: their names and the hashes of their files.
        trained_on_test_set: Whether these were learned from some of the programs.
        command: The command that repeats it.
        carried_from: The version of the environment that it searched in, if its results were replayed in the
            present one since; then the command may find others.
    """

    agent: str
    version: int
    parameters: dict[str, int | str]
    environment: str
    environment_digest: str
    metric: str
    programs: str
    programs_sha256: str
    seed: int
    evaluations: int | None = None
    minutes: float | None = None
    work: int | None = None
    start_sha256: str = ""
    trained_on: tuple[dict[str, str], ...] = ()
    trained_on_test_set: bool = False
    command: str = ""
    carried_from: str = ""

    def difference(self, other: SearchIdentity) -> str:
        # The name of the first field in which another run differs; empty if it is the same run.
        mine, theirs = asdict(self), asdict(other)
        names = (name for name in mine if name != "command" and mine[name] != theirs[name])
        return next(names, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramReport:
    """What was found for one program.

    Attributes:
        actions: How many actions lead to the value.
        actions_run: How many actions were run for that, without those that were tried by looking ahead.
        from_store: How many of the evaluations a store answered.
        is_finished: Whether the search on it has ended; else it was interrupted, or had no time.
        improvements: For the program as given, and for each value that was better than all before it: the
            number of evaluations until then, and the value. Reports of earlier releases have none.
        levels: The metric's value at those levels of the compiler at which it is known.
    """

    benchmark: str
    value: float
    actions: int
    evaluations: int
    actions_run: int
    seconds: float
    from_store: int = 0
    is_finished: bool = True
    improvements: tuple[tuple[float, float], ...] = ()
    levels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReport:
    run: SearchIdentity
    found: tuple[ProgramReport, ...] = ()
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    is_finished: bool = False

    @property
    def evaluations(self) -> int:
        return sum(one.evaluations for one in self.found)

    @property
    def from_store(self) -> int:
        # How many of the evaluations a store answered.
        return sum(one.from_store for one in self.found)

    @property
    def compilations(self) -> int:
        # Of each program, on average and rounded up, as boards ask for them.
        return math.ceil(self.evaluations / max(1, len(self.found)))

    def finished(self) -> dict[str, ProgramReport]:
        return {one.benchmark: one for one in self.found if one.is_finished}

    def _repr_html_(self) -> str:
        columns = ("program", self.run.metric, "actions", "evaluations", "seconds")
        rows = (
            (one.benchmark, f"{one.value:g}", str(one.actions), str(one.evaluations), f"{one.seconds:.1f}")
            for one in self.found
        )
        note = f"{self.run.agent} on {self.run.programs}" + ("" if self.is_finished else ", not finished")
        table = TextTable(columns, tuple(rows), numbers=columns[1:], note=note)
        return table._repr_html_()  # the name that notebooks ask for

    def to_json(self) -> str:
        run = {name: value for name, value in asdict(self.run).items() if value is not None}
        return (
            json.dumps(
                {
                    "format": FORMAT,
                    "run": run,
                    "is_finished": self.is_finished,
                    "is_repeatable": self.run.minutes is None,
                    "evaluations": self.evaluations,
                    "actions_run": sum(one.actions_run for one in self.found),
                    "cpu_seconds": round(self.cpu_seconds, 3),
                    "wall_seconds": round(self.wall_seconds, 3),
                    "found": [asdict(one) for one in self.found],
                },
                indent=1,
                allow_nan=False,
            )
            + "\n"
        )

    @classmethod
    def parse(cls, data: bytes, *, name: str = "run.json") -> SearchReport:
        values = _FILE.require(json_document(data, field=name))
        run = values["run"]
        return cls(
            run=SearchIdentity(**{**run, "trained_on": tuple(run.get("trained_on", ()))}),
            found=tuple(ProgramReport(**one) for one in values["found"]),
            cpu_seconds=values["cpu_seconds"],
            wall_seconds=values["wall_seconds"],
            is_finished=values["is_finished"],
        )


def report_path(results: Path) -> Path:
    return results.with_suffix(".run.json")


def read_report(results: Path) -> SearchReport | None:
    path = report_path(results)
    if not path.is_file():
        return None
    with path.open("rb") as file:
        data = file.read(MAX_SUBMISSION_BYTES + 1)
    if len(data) > MAX_SUBMISSION_BYTES:
        message, remedy = f"{path} is too large.", "Remove it, or run the search again."
        raise InvalidInput(message, field="run", value=str(path), remedy=remedy)
    return SearchReport.parse(data, name=path.name)


def check_report(report: SearchReport, states: Iterable[EnvState], *, name: str) -> None:
    claimed = {state.benchmark: state.claims.get(report.run.metric) for state in states}
    reported = {one.benchmark: one.value for one in report.found}
    remedy = (
        "Run the search again with another --output, or remove the report and give the effort by options."
    )
    for uri in (*claimed, *reported):
        if uri not in claimed or uri not in reported:
            where = "the results" if uri in claimed else "their report"
            message = f"{name} contradicts its results: {uri} is in {where} alone."
            raise InvalidInput(message, field="run", value=uri, remedy=remedy)
        if claimed[uri] != reported[uri]:
            message = (
                f"{name} contradicts its results: {report.run.metric} of {uri} is {reported[uri]:g} in it."
            )
            raise InvalidInput(message, field="run", value=claimed[uri], remedy=remedy)


@dataclass(slots=True)
class SearchFiles:
    # Both are replaced as a whole after each program.
    results: Path
    report: SearchReport
    states: dict[str, EnvState] = field(default_factory=dict)

    @classmethod
    def open(cls, results: Path, run: SearchIdentity) -> SearchFiles:
        report = read_report(results)
        remedy = "Give another --output, or remove the file and its report."
        if report is None:
            if results.exists():
                message = f"{results} exists and has no report of a run."
                raise InvalidInput(message, field="output", value=str(results), remedy=remedy)
            return cls(results, SearchReport(run=run))
        if name := run.difference(report.run):
            there, here = getattr(report.run, name), getattr(run, name)
            message = f"{results} belongs to another run: its {name} is {there!r:.80}, not {here!r:.80}."
            raise InvalidInput(message, field=name, value=here, remedy=remedy)
        text = results.read_bytes() if results.exists() else b""
        kind: Literal["csv", "json"] = "json" if text.lstrip()[:1] in {b"[", b"{"} else "csv"
        states = read_states(text, format=kind, metrics=[run.metric]) if text else []
        files = cls(results, replace(report, run=run), {one.benchmark: one for one in states})
        kept = tuple(one for one in report.found if files._is_kept(one))
        files.report = replace(files.report, found=kept)
        kept_states = [files.states[one.benchmark] for one in kept]
        check_report(files.report, kept_states, name=str(report_path(results)))
        return files

    def _is_kept(self, one: ProgramReport) -> bool:
        # A report may be older than the results if the run was killed.
        state = self.states.get(one.benchmark)
        return state is not None and (
            one.is_finished or state.claims.get(self.report.run.metric) == one.value
        )

    def begun(self, uri: str) -> ProgramReport | None:
        return next((one for one in self.report.found if one.benchmark == uri), None)

    def add(self, state: EnvState, found: ProgramReport) -> None:
        reports = {one.benchmark: one for one in self.report.found}
        reports[found.benchmark] = found
        self.report = replace(self.report, found=tuple(reports.values()))
        self.states[found.benchmark] = state

    def save(self) -> None:
        # The report last: it says which results are finished.
        states = [self.states[one.benchmark] for one in self.report.found]
        replace_file(self.results, write_states(states, format=format_of(self.results)))
        replace_file(report_path(self.results), self.report.to_json())


# What each program gets while a run has time left: enough to begin with, so that a run always goes on.
_LEAST_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPlan:
    """What is to be searched.

    Attributes:
        programs: The programs in words, for the report.
        evaluations: How many sequences may be evaluated for each program; None if the run has a time.
        minutes: How long the run may take; shared out to the programs that are left.
        work: The most that the evaluations of a program, times its cost as given, may be; None for any.
        nproc: How many sessions work at a time.
        known: The known sequences and the policy that the agent uses, by kind.
        given: Sequences of a file that the user named, by program.
        given_saw_test_set: Whether the search that found them is said to have been trained on its programs.
        store: What is known from elsewhere, and keeps what is found out; results are the same without it.
    """

    agent: AgentSpec
    settings: Mapping[str, int | str]
    environment: EnvironmentSpec
    objective: Objective
    benchmarks: tuple[Benchmark, ...]
    programs: str
    seed: int = 0
    evaluations: int | None = None
    minutes: float | None = None
    work: int | None = None
    nproc: int = 1
    known: Mapping[str, Known]
    given: Mapping[str, Sequence]
    given_sha256: str = ""
    given_saw_test_set: bool = False
    command: str = ""
    store: OutcomeStore | None = None

    def identity(self) -> SearchIdentity:
        learned_from = {uri for one in self.known.values() for uri in one.trained_on}
        return SearchIdentity(
            agent=self.agent.name,
            version=self.agent.version_for(self.environment.action_table),
            parameters=dict(self.settings),
            environment=self.environment.slug,
            environment_digest=self.environment.digest,
            metric=self.objective.metric.name,
            programs=self.programs,
            programs_sha256=digest_of((one.uri, one.sha256) for one in self.benchmarks),
            seed=self.seed,
            evaluations=self.evaluations,
            minutes=self.minutes,
            work=self.work,
            start_sha256=self.given_sha256,
            trained_on=tuple({"name": one.name, "sha256": one.sha256} for one in self.known.values()),
            trained_on_test_set=self.given_saw_test_set
            or any(one.uri in learned_from for one in self.benchmarks),
            command=self.command,
        )

    def budget(self, left: int, seconds: float) -> Budget:
        if self.minutes is None:
            return Budget(self.evaluations)
        rest = Budget(seconds=self.minutes * 60).seconds - seconds
        return Budget(seconds=max(rest / left, _LEAST_SECONDS) if rest > 0 else 1e-9)

    def affordable(self, budget: Budget, cost: float) -> Budget:
        # At least one evaluation, whatever the program costs.
        if self.work is None or budget.evaluations is None or cost <= 0:
            return budget
        return Budget(min(budget.evaluations, max(1, int(self.work / cost))))
