"""Write portable boards and entries: seal an entry, draw its programs, score, review and withdraw it."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import statistics
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, F, Max, Q
from django.utils.crypto import salted_hmac

from datasets.models import Benchmark, DatasetVersion
from datasets.selectors import find_benchmarks
from leaderboard.accounts.services import lock_account
from leaderboard.boards.queries import level_text
from leaderboard.boards.ranking import plausible_limit
from leaderboard.models import (
    UNOPTIMISED_LEVEL,
    PortableBoard,
    PortableEntry,
    PortableProgram,
    PortableReplay,
)
from leaderboard.people.agent_names import agent_name, family
from leaderboard.portable.level_values import level_values
from leaderboard.portable.queries import report_programs
from leaderboard.submissions import quotas
from leaderboard.submissions.documents import MalformedDocument, check_size, refuse_known_name
from leaderboard.submissions.quotas import QuotaExceeded
from leaderboard.submissions.services import Conflict, may_withdraw, release
from leaderboard.submissions.steps import have_same_actions
from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import load_json
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import environment_spec, environment_specs, portable_board_specs
from optarena.suggestions import did_you_mean
from runner.clock import database_now
from runner.models import EnvironmentVersion, State, Verification
from runner.queue import demands, requests, transitions
from runner.queue.wakeups import sync_environment_versions
from runner.queue.work import ActionSequence, Work, predicted_seconds

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

    from optarena.specs import EnvironmentSpec, PortableBoardSpec

# A board with entries may change these: each entry keeps the programs that were drawn for it.
_DESCRIBING = ("title", "description", "programs", "report_dataset", "report_split", "plausible_ratio")


def load_portable_boards(*, definitions: Sequence[PortableBoardSpec] | None = None) -> list[PortableBoard]:
    # A board with entries whose comparison has changed is closed, under a slug with its environment's
    # version; entries whose programs have not been drawn yet move to the new board if their actions mean the
    # same there.
    sync_environment_versions()
    wanted = portable_board_specs() if definitions is None else definitions
    return [_load(definition) for definition in wanted]


@transaction.atomic
def _load(definition: PortableBoardSpec) -> PortableBoard:
    spec = environment_spec(definition.environment)
    drawn_range(definition.dataset)
    version = EnvironmentVersion.objects.get(env_id=spec.slug, digest=spec.digest)
    compared = {
        "dataset": definition.dataset,
        "metric": definition.metric,
        "baseline_level": definition.baseline_level,
        "environment_version": version,
    }
    former = PortableBoard.objects.select_for_update(no_key=True).filter(slug=definition.slug).first()
    board = former or PortableBoard(slug=definition.slug)
    changed = former is not None and any(getattr(former, name) != value for name, value in compared.items())
    if former is not None and changed and former.entries.exists():
        _close(former)
        board = PortableBoard(slug=definition.slug)
    for name, value in compared.items():
        setattr(board, name, value)
    for name in _DESCRIBING:
        setattr(board, name, getattr(definition, name))
    board.save()
    if former is not None and _has_actions_of(version, former.environment_version):
        PortableEntry.objects.filter(board=former, drawn_at__isnull=True).update(board=board)
    return board


def _has_actions_of(version: EnvironmentVersion, former: EnvironmentVersion) -> bool:
    # As far as the descriptions of the two versions say.
    is_same_environment = version.env_id == former.env_id
    return version == former or (is_same_environment and have_same_actions(version.spec, former.spec))


def drawn_range(dataset: str) -> Benchmark:
    version = DatasetVersion.objects.filter(name=dataset).first()
    if version is None:
        raise UnknownName(
            f"Dataset {dataset} is not loaded.",
            field="dataset",
            value=dataset,
            remedy=f"Run `manage.py load_dataset {dataset}` first.",
        )
    found = version.benchmarks.filter(kind=Benchmark.Kind.PARAMETRIC).first()
    if found is None or not found.is_generated:
        message = f"The programs of {dataset} are not generated, so anybody could have searched them."
        raise InvalidInput(message, field="dataset", value=dataset, remedy="Name a generated dataset.")
    return found


def _close(board: PortableBoard) -> None:
    slug = f"{board.slug}-{board.environment_version.digest[:8]}"
    names = itertools.chain([slug], (f"{slug}-{number}" for number in itertools.count(2)))
    board.slug = next(name for name in names if not PortableBoard.objects.filter(slug=name).exists())
    board.is_open = False
    board.save(update_fields=["slug", "is_open"])


log = structlog.get_logger(__name__)


@transaction.atomic
def withdraw(*, entry_id: uuid.UUID, actor: User) -> PortableEntry:
    # An entry whose programs have not been drawn yet never gets any.
    entry = PortableEntry.objects.get(pk=entry_id)
    if not may_withdraw(entry, actor):
        raise PermissionDenied("Only its owner can withdraw a portable entry.")
    # The verifications first: the order of locks that every writer keeps.
    wanted = Verification.objects.filter(portable_replays__program__entry=entry)
    rows = Verification.objects.filter(pk__in=wanted.order_by().values("pk"))
    waited_for = [one.pk for one in transitions.in_lock_order(rows) if not one.is_terminal]
    entry = PortableEntry.objects.select_for_update(no_key=True).get(pk=entry_id)
    if entry.withdrawn_at is not None:
        raise Conflict(
            "This portable entry is already withdrawn.",
            field="entry",
            value=str(entry_id),
            remedy="Submit again if you want it to be ranked.",
        )
    entry.withdrawn_at = database_now()
    entry.drawn_at = entry.drawn_at or entry.withdrawn_at
    entry.save(update_fields=["withdrawn_at", "drawn_at"])
    release(waited_for, owner_id=entry.owner_id)
    log.info("portable_entry_withdrawn", entry=str(entry_id), actor=actor.username)
    return entry


def is_implausible(entry: PortableEntry, ratios: Collection[float]) -> bool:
    # One's own entries do not raise the limit, unless a reviewer published them.
    largest = max(ratios)
    if largest <= entry.board.plausible_ratio:
        return False
    scored = PortableProgram.objects.filter(is_drawn=True, value__gt=0, entry__board=entry.board_id)
    known = scored.filter(entry__score__isnull=False, entry__withdrawn_at__isnull=True)
    others = Q(entry__is_doubted=False) & ~Q(entry__owner=entry.owner_id)
    trusted = known.filter(others | Q(entry__is_accepted=True))
    best = trusted.aggregate(best=Max(F("reference") / F("value")))["best"]
    return largest > plausible_limit(entry.board.plausible_ratio, best)


@transaction.atomic
def review(*, entry_ids: Collection[uuid.UUID], accept: bool, reviewer: str) -> int:
    waiting = PortableEntry.objects.filter(
        pk__in=entry_ids, is_doubted=True, is_accepted__isnull=True, ended_at__isnull=False
    )
    locked = list(waiting.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    PortableEntry.objects.filter(pk__in=locked).update(is_accepted=accept)
    for pk in locked:
        log.info("portable_entry_reviewed", entry=str(pk), accepted=accept, reviewer=reviewer)
    return len(locked)


_GIVE_ONE: Final = "Give the actions of one sequence, at least one."
SEQUENCE: Final = kinds.record(
    description="Either `commandline` or `actions`, not both.",
    one_of=("commandline", "actions"),
    fields={
        "commandline": Field(kinds.text(is_trimmed=True)),
        "actions": Field(kinds.INTEGERS, description="Members of the action space."),
        "action_space": Field(
            kinds.text(longest=limits.ACTION_SPACE_LENGTH, is_trimmed=True, is_optional=True),
            description="The action space of `actions`, if it is not the environment's first.",
        ),
    },
)
_ABOUT: Final[Mapping[str, Field]] = {
    "board": Field(
        kinds.text(longest=limits.NAMED_BOARD_LENGTH, is_trimmed=True),
        needed=True,
        description="The board of portable entries.",
        example=next(iter(portable_board_specs())).slug,
    ),
    "agent": Field(
        agent_name(longest=limits.AGENT_LENGTH), needed=True, description="The agent's name.", example="mine"
    ),
}
ENTRY: Final = kinds.record(
    {
        **_ABOUT,
        "sequences": Field(
            kinds.list_of(SEQUENCE, least=1),
            needed=True,
            description=f"At most {limits.MAX_PORTABLE_SEQUENCES} sequences, of which the best counts for "
            "each program.",
        ),
    }
)
_READ_HERE: Final = kinds.record(_ABOUT, elsewhere=("sequences",))


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableDraft:
    board: PortableBoard
    agent: str
    sequences: tuple[ActionSequence, ...]

    @property
    def content_sha256(self) -> str:
        # Neither their order nor the submitter is part of it.
        content = json.dumps(sorted(one.sha256 for one in self.sequences))
        return hashlib.sha256(content.encode()).hexdigest()


def portable_draft(body: bytes) -> PortableDraft:
    check_size(body)
    data = _object(body)
    place = Place()
    about = _READ_HERE.read(data, place) or {}
    board = _board(about.get("board", ""), place)
    listed = _listed(data.get("sequences"), place)
    if board is None:
        raise InvalidDocument(place.problems)
    spec = environment_spec(board.environment_version.env_id)
    refuse_known_name(about.get("agent", ""), _level_names(spec, board), place.at("agent"))
    found = [_sequence(one, spec, place.record(row)) for row, one in enumerate(listed)]
    sequences = tuple(one for one in found if one is not None)
    _refuse_repeated(listed, found, place)
    if place.problems:
        raise InvalidDocument(place.problems)
    return PortableDraft(board=board, agent=about["agent"], sequences=sequences)


def _object(body: bytes) -> dict[str, object]:
    try:
        data = load_json(body.decode("utf-8"), most=limits.MAX_JSON_NAMES)
    except (ValueError, RecursionError) as error:
        message = f"The body is not valid JSON: {error}."
        raise MalformedDocument(message, field="body", remedy="Send UTF-8 JSON.") from error
    if not isinstance(data, dict):
        remedy = "Send {'board': …, 'agent': …, 'sequences': […]}."
        raise MalformedDocument("The body must be a JSON object.", field="body", remedy=remedy)
    return data


def _board(slug: str, place: Place) -> PortableBoard | None:
    if not slug:
        return None  # reading has reported it
    boards = {one.slug: one for one in PortableBoard.objects.select_related("environment_version")}
    board = boards.get(slug)
    if board is None:
        known = [one.slug for one in boards.values() if one.is_open]
        remedy = did_you_mean(
            slug, known, otherwise=f"Boards of portable entries: {', '.join(known) or 'none yet'}."
        )
        place.at("board").problem("There is no such board of portable entries.", slug, remedy)
        return None
    if not board.is_open or not is_present(board):
        remedy = "Choose an open board at /portable/."
        place.at("board").problem("This board takes no entries any more.", slug, remedy)
        return None
    return board


def is_present(board: PortableBoard) -> bool:
    return board.environment_version.digest in {spec.digest for spec in environment_specs()}


def _level_names(spec: EnvironmentSpec, board: PortableBoard) -> tuple[str, str]:
    level = level_text(board.baseline_level)
    return f"{spec.compiler.partition(' ')[0]} {level}", level


def _listed(data: object, place: Place) -> list[object]:
    if not isinstance(data, list) or not data:
        remedy = "Send a list of objects, each with a commandline or actions."
        place.at("sequences").problem("An entry needs at least one sequence.", data, remedy)
        return []
    most = limits.MAX_PORTABLE_SEQUENCES
    if len(data) > most:
        message = f"The entry has {len(data):,} sequences; at most {most} are allowed."
        place.at("sequences").problem(message, len(data), "Keep those that add most to the others.")
        return []
    return data


def _sequence(data: object, spec: EnvironmentSpec, place: Place) -> ActionSequence | None:
    before = len(place.problems)
    read: dict[str, Any] = SEQUENCE.read(data, place) or {}
    given = [name for name in ("commandline", "actions") if read.get(name)]
    if len(place.problems) > before or not _is_one(given, place):
        return None
    if not _is_short(read.get("actions", ()), place):
        return None
    try:
        found = _actions(read, spec)
    except InvalidInput as error:
        name = error.field if error.field == "action_space" else given[0]
        remedy = error.remedy or "Correct the value."
        place.at(name).problem(error.message, error.value, remedy)
        return None
    if not found.actions:
        place.at(given[0]).problem("The sequence is empty.", None, _GIVE_ONE)
    return found if found.actions and _is_short(found.actions, place) else None


def _actions(read: Mapping[str, Any], spec: EnvironmentSpec) -> ActionSequence:
    found = (
        ActionSequence.parsed(spec, read["commandline"])
        if "commandline" in read
        else ActionSequence.checked(spec, read["actions"], read.get("action_space", ""))
    )
    if found.action_space:
        raise UnknownName(
            f"Portable entries take actions of {spec.action_table.name} only.",
            field="action_space",
            value=found.action_space,
            remedy="Use the environment's first action space.",
        )
    return found


def _is_one(given: Sequence[str], place: Place) -> bool:
    if len(given) == 1:
        return True
    message = "Give a command line or a list of actions, not both." if given else "The sequence is empty."
    place.at("actions").problem(message, None, _GIVE_ONE)
    return False


def _is_short(actions: Sequence[object], place: Place) -> bool:
    if len(actions) <= limits.MAX_ACTIONS_PER_ITEM:
        return True
    message = f"At most {limits.MAX_ACTIONS_PER_ITEM:,} actions are allowed; these are {len(actions):,}."
    place.at("actions").problem(message, None, "Drop actions that have no effect.")
    return False


def _refuse_repeated(listed: Sequence[object], found: Sequence[ActionSequence | None], place: Place) -> None:
    seen: dict[str, int] = {}
    for row, (given, one) in enumerate(zip(listed, found, strict=True)):
        if one is not None and seen.setdefault(one.sha256, row) != row:
            name = "commandline" if isinstance(given, dict) and given.get("commandline") else "actions"
            message = "An earlier sequence has the same actions."
            place.record(row).at(name).problem(message, None, "Keep one of the two.")


# An entry whose programs cannot be drawn is tried at least so often,
LEAST_DRAWS: Final = 5
# and for so long: what is wrong may be mended meanwhile.
LONGEST_SEALED: Final = timedelta(hours=1)
_SALT: Final = "leaderboard.portable"
_SEED_BYTES: Final = 8
_RETRY_SECONDS: Final = 60
_BATCH: Final = 500
_log = structlog.get_logger(__name__)


def receive(*, owner: User, body: bytes) -> tuple[PortableEntry, bool]:
    # The same entry of the same agent again is the one that exists.
    quotas.count_upload(owner=owner, size=len(body))
    return _seal(owner, portable_draft(body))


@transaction.atomic
def _seal(owner: User, draft: PortableDraft) -> tuple[PortableEntry, bool]:
    lock_account(user=owner)  # of two requests at once, the second one sees what the first one sealed
    own = PortableEntry.objects.filter(owner=owner)
    same = own.filter(board=draft.board, agent=draft.agent, content_sha256=draft.content_sha256)
    if (found := same.filter(unverified=0, withdrawn_at__isnull=True).first()) is not None:
        return found, False
    _refuse_too_much(owner, draft, waiting=own.filter(drawn_at__isnull=True).first())
    entry = PortableEntry.objects.create(
        board=draft.board,
        owner=owner,
        agent=draft.agent,
        agent_group=f"{owner.pk} {family(draft.agent)}",
        sequences=[list(one.actions) for one in draft.sequences],
        content_sha256=draft.content_sha256,
    )
    return entry, True


def _refuse_too_much(owner: User, draft: PortableDraft, *, waiting: PortableEntry | None) -> None:
    # Its replays are requested when the programs are drawn, and count then. Until then another entry must
    # wait, so that two cannot share what is left.
    if waiting is not None:
        problem = QuotaExceeded(
            f"The programs of your entry of {waiting.agent} have not been drawn yet.",
            field="sequences",
            value="",
            remedy=f"Submit again in a minute, or withdraw that entry at {waiting.get_absolute_url()}.",
        )
        problem.retry_after = _RETRY_SECONDS
        raise quotas.with_headers(problem, owner)
    if quotas.is_exempt(owner):
        return
    costs = list(_costs(draft))
    with quotas.as_quota_errors(owner):
        demands.check_quota(payer=quotas.payer_of(owner.pk), number=len(costs), seconds=sum(costs))


def _costs(draft: PortableDraft) -> Iterator[float]:
    # The drawn programs are not known yet, but small.
    sizes: list[tuple[int, float | None]] = [(0, None)] * draft.board.programs
    sizes += [(one.size_bytes, one.run_seconds) for one in report_programs(draft.board)]
    for size, seconds in sizes:
        for sequence in draft.sequences:
            yield predicted_seconds(size_bytes=size, actions=len(sequence.actions), run_seconds=seconds)


def drawn_uris(entry: PortableEntry) -> list[str]:
    # Program number i is the HMAC-SHA256 of the dataset, the entry's hash and i, with a secret of this
    # server, modulo the number of programs; a program that was drawn already is left out.
    range_ = drawn_range(entry.board.dataset)
    low, high = range_.parameter_min or 0, range_.parameter_max or 0
    wanted = min(entry.board.programs, high - low + 1)
    found: dict[int, None] = {}
    number = 0
    while len(found) < wanted:
        message = f"{entry.board.dataset} {entry.content_sha256} {number}"
        digest = salted_hmac(_SALT, message, algorithm="sha256").digest()
        found[low + int.from_bytes(digest[:_SEED_BYTES], "big") % (high - low + 1)] = None
        number += 1
    return [range_.uri.replace("{n}", str(seed)) for seed in found]


def draw_next() -> PortableEntry | None:
    # Programs are generated, and measured at the level that the board compares with, in a process of its own.
    # If that fails, the entry is tried again after the others, and has failed in the end: while it waits, its
    # owner can seal no other. So has an entry whose board was closed meanwhile, or that has waited for long
    # for an environment that is not installed here.
    waiting = PortableEntry.objects.filter(drawn_at__isnull=True)
    boards = PortableBoard.objects.filter(is_open=True).select_related("environment_version")
    is_here = Q(board__in=[one for one in boards if is_present(one)])
    is_old = Q(sealed_at__lte=database_now() - LONGEST_SEALED)
    for homeless in waiting.filter(Q(board__is_open=False) | (is_old & ~is_here)).select_related("board"):
        _give_up(homeless)
    ordered = (
        waiting.filter(is_here).select_related("board__environment_version").order_by("draws", "sealed_at")
    )
    entry = ordered.first()
    if entry is None:
        return None
    entry.draws += 1
    PortableEntry.objects.filter(pk=entry.pk).update(draws=F("draws") + 1)
    try:
        return _draw(entry)
    except Exception:  # noqa: BLE001 - logged with its traceback, and tried again
        _log.exception("programs_not_drawn", entry=str(entry.pk), draws=entry.draws)
        if entry.draws >= LEAST_DRAWS and database_now() - entry.sealed_at >= LONGEST_SEALED:
            _give_up(entry)
        return None


def _draw(entry: PortableEntry) -> PortableEntry | None:
    spec = environment_spec(entry.board.environment_version.env_id)
    uris = drawn_uris(entry)
    values = level_values(
        environment=spec.id,
        observation=spec.metric(entry.board.metric).observation,
        level=entry.board.baseline_level,
        uris=uris,
    )
    return _request(entry, [*_drawn(uris, values), *_reported(entry.board, len(uris))])


def _give_up(entry: PortableEntry) -> None:
    # Not one of its replays was made.
    now = database_now()
    PortableEntry.objects.filter(pk=entry.pk, drawn_at__isnull=True).update(
        drawn_at=now, ended_at=now, unverified=entry.board.programs * len(entry.sequences)
    )


def _drawn(uris: Sequence[str], values: Sequence[tuple[float, float]]) -> Iterator[PortableProgram]:
    rows = find_benchmarks(uris)
    for position, (uri, (given, at_level)) in enumerate(zip(uris, values, strict=True)):
        yield PortableProgram(
            position=position,
            benchmark=rows[uri],
            benchmark_uri=uri,
            is_drawn=True,
            reference=at_level,
            unoptimised=given,
        )


def _reported(board: PortableBoard, first: int) -> Iterator[PortableProgram]:
    for position, benchmark in enumerate(report_programs(board), start=first):
        recorded = {one.level: one.value for one in benchmark.baselines.all() if one.metric == board.metric}
        if {board.baseline_level, UNOPTIMISED_LEVEL} <= recorded.keys():
            yield PortableProgram(
                position=position,
                benchmark=benchmark,
                benchmark_uri=benchmark.uri,
                is_drawn=False,
                reference=recorded[board.baseline_level],
                unoptimised=recorded[UNOPTIMISED_LEVEL],
            )


@transaction.atomic
def _request(drawn: PortableEntry, programs: Sequence[PortableProgram]) -> PortableEntry | None:
    # Nothing is stored if the entry has been drawn or moved to another board meanwhile.
    locked = PortableEntry.objects.select_for_update(no_key=True, of=("self",)).filter(drawn_at__isnull=True)
    same = locked.filter(pk=drawn.pk, board=drawn.board_id, board__is_open=True)
    entry = same.select_related("board__environment_version").first()
    if entry is None:
        return None
    for program in programs:
        program.entry = entry
    stored = PortableProgram.objects.bulk_create(programs, batch_size=_BATCH)
    pairs = [(program, number) for program in stored for number in range(len(entry.sequences))]
    rows = requests.request_verifications(
        environment=entry.board.environment_version,
        works=_works(entry, stored),
        payer=quotas.payer_of(entry.owner_id),
    )
    PortableReplay.objects.bulk_create(
        [
            PortableReplay(program=program, sequence=number, verification=row)
            for (program, number), row in zip(pairs, rows, strict=True)
        ],
        batch_size=_BATCH,
    )
    entry.drawn_at = database_now()
    entry.save(update_fields=["drawn_at"])
    _score_if_ended(entry)
    return entry


def _works(entry: PortableEntry, programs: Iterable[PortableProgram]) -> list[Work]:
    spec = environment_spec(entry.board.environment_version.env_id)
    sequences = [ActionSequence.checked(spec, actions) for actions in entry.sequences]
    return [
        Work.of(
            spec=spec,
            benchmark=program.benchmark,
            benchmark_uri=program.benchmark_uri,
            actions=sequence,
            metrics=[entry.board.metric],
        )
        for program in programs
        for sequence in sequences
    ]


@transaction.atomic(savepoint=False)  # if it fails, the transaction of the transition fails
def settle(*, verifications: Iterable[Verification]) -> None:
    # The caller holds the verifications' row locks. Of two replays that end at the same time, the second one
    # waits here for the entry, and sees the first.
    finished = [one.pk for one in verifications if one.is_terminal]
    concerned = PortableEntry.objects.filter(programs__replays__verification__in=finished)
    waiting = PortableEntry.objects.filter(
        pk__in=concerned.values("pk"), ended_at__isnull=True, withdrawn_at__isnull=True
    )
    locked = waiting.select_for_update(no_key=True, of=("self",)).select_related("board")
    for entry in locked.order_by("pk"):
        _score_if_ended(entry)


def metrics_of(*, verifications: Collection[uuid.UUID]) -> set[str]:
    rows = _counting(verifications).order_by()
    return set(rows.values_list("program__entry__board__metric", flat=True))


def _counting(verifications: Collection[uuid.UUID]) -> QuerySet[PortableReplay]:
    return PortableReplay.objects.filter(
        verification__in=verifications, program__entry__withdrawn_at__isnull=True
    )


@transaction.atomic(savepoint=False)  # as above
def reopen(*, verifications: Collection[uuid.UUID], replay: Verification) -> None:
    # The caller holds the row locks of the doubted replays. A reviewer's decision was about the former
    # result: a new one that is implausible waits for a reviewer.
    rows = _counting(verifications)
    concerned = PortableEntry.objects.filter(pk__in=rows.values("program__entry"))
    locked = concerned.select_for_update(no_key=True).order_by("pk")
    entries = list(locked.values_list("pk", flat=True))
    rows.update(verification=replay)
    PortableProgram.objects.filter(entry__in=entries).update(value=None, best=None)
    first_published = PortableEntry.objects.filter(pk__in=entries, published_at=None, unverified=0)
    first_published.update(published_at=F("ended_at"))
    PortableEntry.objects.filter(pk__in=entries).update(
        ended_at=None,
        score=None,
        score_error=None,
        report_score=None,
        unverified=0,
        is_doubted=False,
        is_accepted=None,
    )


def _score_if_ended(entry: PortableEntry) -> None:
    replays = PortableReplay.objects.filter(program__entry=entry)
    if replays.filter(verification__finished_at__isnull=True).exists():
        return
    programs = {program.pk: program for program in entry.programs.all()}
    for program in programs.values():
        program.value, program.best = program.unoptimised, None
    recorded = replays.filter(verification__state=State.RECORDED).order_by("program", "sequence")
    rows = recorded.values_list("program", "sequence", f"verification__metrics__{entry.board.metric}")
    unmeasured = 0
    for key, sequence, value in rows:
        if not value or value < 0:  # the transaction of the transition must not fail for it
            unmeasured += 1
            continue
        program = programs[key]
        if program.value is None or program.best is None or value < program.value:
            program.value, program.best = float(value), sequence
    PortableProgram.objects.bulk_update(programs.values(), ["value", "best"], batch_size=_BATCH)
    unknown = Q(verification__reason__startswith="infra:") | Q(verification__state=State.CANCELLED)
    entry.unverified = unmeasured + replays.aggregate(number=Count("pk", filter=unknown))["number"]
    entry.ended_at = database_now()
    _score(entry, list(programs.values()))
    entry.save(update_fields=["unverified", "ended_at", "score", "score_error", "report_score", "is_doubted"])


def _score(entry: PortableEntry, programs: Sequence[PortableProgram]) -> None:
    # A replay that could not be made says nothing about the entry.
    if entry.unverified:
        return
    drawn, reported = (
        [math.log(one.ratio) for one in programs if one.is_drawn is kind and one.ratio]
        for kind in (True, False)
    )
    entry.is_doubted = is_implausible(entry, [math.exp(one) for one in drawn])
    entry.score = math.exp(statistics.fmean(drawn))
    if len(drawn) > 1:
        entry.score_error = statistics.stdev(drawn) / math.sqrt(len(drawn))
    entry.report_score = math.exp(statistics.fmean(reported)) if reported else None
