"""Write portable boards and entries: seal an entry, score, review and withdraw it."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import statistics
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hmac import HMAC
from typing import Any, Final

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.crypto import salted_hmac

from datasets.models import Benchmark
from leaderboard.accounts.services import lock_account
from leaderboard.boards.models import is_current
from leaderboard.boards.ranking import plausible_limit
from leaderboard.boards.services import free_slug, loaded_dataset
from leaderboard.models import PortableBoard, PortableEntry, PortableProgram, PortableReplay, PortableRound
from leaderboard.people.agent_names import family
from leaderboard.portable import queries as portable_queries
from leaderboard.submissions import documents, quotas
from leaderboard.submissions.documents import has_few_actions
from leaderboard.submissions.quotas import QuotaExceeded
from leaderboard.submissions.services import lock_replays, refuse_withdrawal, release
from leaderboard.submissions.steps import have_same_actions
from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import EnvironmentSpec, PortableBoardSpec, environment_spec, portable_board_specs
from optarena.specs.rewards import level_text
from optarena.suggestions import did_you_mean
from runner.database import database_now
from runner.models import EnvironmentVersion, State, Verification
from runner.queue import demands
from runner.queue.wakeups import sync_environment_versions
from runner.queue.work import ActionSequence, predicted_seconds

# A board with entries may change these: each round keeps what was promised of its programs.
_DESCRIBING = ("title", "description", "programs", "report_dataset", "report_split", "plausible_ratio")
_SALT: Final = "leaderboard.portable"
_SEED_BYTES: Final = 8
_RETRY_SECONDS: Final = 60
# Rounds of a week begin on Mondays, as this one does.
_FIRST_ROUND: Final = datetime(1970, 1, 5, tzinfo=UTC)
_BATCH: Final = 500
_GIVE_ONE: Final = "Give the actions of one sequence, at least one."
_log = structlog.get_logger(__name__)


def load_portable_boards(*, definitions: Sequence[PortableBoardSpec] | None = None) -> list[PortableBoard]:
    # A board with entries whose comparison has changed is closed, under a slug with its environment's
    # version; rounds whose programs have not been drawn yet move to the new board with their entries if the
    # actions mean the same there.
    sync_environment_versions()
    return [_load(one) for one in (portable_board_specs() if definitions is None else definitions)]


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
    boards = PortableBoard.objects
    former = boards.select_for_update(no_key=True).filter(slug=definition.slug).first()
    is_changed = former and any(getattr(former, name) != value for name, value in compared.items())
    if former and is_changed and former.entries.exists():
        former.slug = free_slug(boards.all(), f"{former.slug}-{former.environment_version.digest[:8]}")
        former.is_open = False
        former.save(update_fields=["slug", "is_open"])
    described = {name: getattr(definition, name) for name in _DESCRIBING}
    board, _ = boards.update_or_create(slug=definition.slug, defaults=compared | described)
    was = former.environment_version if former else version
    are_alike = was.env_id == version.env_id and have_same_actions(was.spec, version.spec)
    if former and (was == version or are_alike):
        waiting = former.rounds.filter(drawn_at__isnull=True)
        former.entries.filter(round__in=waiting).update(board=board)
        waiting.update(board=board)
    return board


def drawn_range(dataset: str) -> Benchmark:
    # The range of a generated dataset from which programs are drawn.
    found = loaded_dataset(dataset).benchmarks.filter(kind=Benchmark.Kind.PARAMETRIC).first()
    if found is None or not found.is_generated:
        message = f"The programs of {dataset} are not generated, so anybody could have searched them."
        raise InvalidInput(message, field="dataset", value=dataset, remedy="Name a generated dataset.")
    return found


SEQUENCE: Final = kinds.record(
    description=documents.ITEM.schema["description"],
    one_of=("commandline", "actions"),
    fields={
        "commandline": Field(kinds.text(is_trimmed=True)),
        "actions": Field(kinds.INTEGERS, description="Members of the action space."),
        "action_space": documents.ITEM.fields["action_space"],
    },
)
_ABOUT: Final = {
    "board": replace(
        documents.ABOUT.fields["board"],
        description="The board of portable entries.",
        example=next(iter(portable_board_specs())).slug,
    ),
    "agent": replace(documents.ABOUT.fields["agent"], description="The agent's name.", example="mine"),
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


def _draft(owner: User, body: bytes) -> PortableEntry:
    """The checked entry of a document, ready to be sealed."""
    data = documents.json_object(body, "{'board': …, 'agent': …, 'sequences': […]}")
    place = Place()
    about = _READ_HERE.read(data, place) or {}
    board = _board(about.get("board", ""), place)
    listed = _given_sequences(data.get("sequences"), place)
    if board is None:
        raise InvalidDocument(place.problems)
    spec = environment_spec(board.environment_version.env_id)
    level = level_text(board.baseline_level)
    levels = (f"{spec.compiler.partition(' ')[0]} {level}", level)
    documents.refuse_known_name(about.get("agent", ""), levels, place.at("agent"))
    found = [_sequence(one, spec, place.record(row)) for row, one in enumerate(listed)]
    seen: dict[str, int] = {}
    for row, (given, one) in enumerate(zip(listed, found, strict=True)):
        if one is not None and seen.setdefault(one.sha256, row) != row:
            name = "commandline" if isinstance(given, dict) and given.get("commandline") else "actions"
            message = "An earlier sequence has the same actions."
            place.record(row).at(name).problem(message, None, "Keep one of the two.")
    if place.problems:
        raise InvalidDocument(place.problems)
    return PortableEntry(
        board=board,
        owner=owner,
        agent=about["agent"],
        agent_group=f"{owner.pk} {family(about['agent'])}",
        sequences=[list(one.actions) for one in found if one],
        sequence_sha256=[one.sha256 for one in found if one],
        # Neither the order of the sequences nor the submitter is part of it.
        content_sha256=hashlib.sha256(json.dumps(sorted(seen)).encode()).hexdigest(),
    )


def _board(slug: str, place: Place) -> PortableBoard | None:
    if not slug:
        return None  # reading has reported it
    boards = {one.slug: one for one in PortableBoard.objects.select_related("environment_version")}
    board = boards.get(slug)
    if board is None:
        known = [one.slug for one in boards.values() if one.is_open]
        otherwise = f"Boards of portable entries: {', '.join(known) or 'none yet'}."
        remedy = did_you_mean(slug, known, otherwise=otherwise)
        place.at("board").problem("There is no such board of portable entries.", slug, remedy)
    elif not board.is_open or not is_current(board):
        remedy = "Choose an open board at /portable/."
        place.at("board").problem("This board takes no entries any more.", slug, remedy)
    else:
        return board
    return None


def _given_sequences(data: object, place: Place) -> list[object]:
    most = limits.MAX_PORTABLE_SEQUENCES
    if not isinstance(data, list) or not data:
        remedy = "Send a list of objects, each with a commandline or actions."
        place.at("sequences").problem("An entry needs at least one sequence.", data, remedy)
    elif len(data) > most:
        message = f"The entry has {len(data):,} sequences; at most {most} are allowed."
        place.at("sequences").problem(message, len(data), "Keep those that add most to the others.")
    else:
        return data
    return []


def _sequence(data: object, spec: EnvironmentSpec, place: Place) -> ActionSequence | None:
    """The actions of one sequence; None with at least one problem."""
    before = len(place.problems)
    read: dict[str, Any] = SEQUENCE.read(data, place) or {}
    given = [name for name in ("commandline", "actions") if read.get(name)]
    if len(place.problems) > before:
        return None
    if len(given) != 1:
        message = "Give a command line or a list of actions, not both." if given else "The sequence is empty."
        place.at("actions").problem(message, None, _GIVE_ONE)
        return None
    if not has_few_actions(read.get("actions", ()), place):
        return None
    try:
        found = _actions(read, spec)
    except InvalidInput as error:
        name = error.field if error.field == "action_space" else given[0]
        place.at(name).problem(error.message, error.value, error.remedy or "Correct the value.")
        return None
    if not found.actions:
        place.at(given[0]).problem("The sequence is empty.", None, _GIVE_ONE)
    return found if found.actions and has_few_actions(found.actions, place) else None


def _actions(read: dict[str, Any], spec: EnvironmentSpec) -> ActionSequence:
    if "commandline" in read:
        found = ActionSequence.parsed(spec, read["commandline"])
    else:
        found = ActionSequence.checked(spec, read["actions"], read.get("action_space", ""))
    if found.action_space:
        message = f"Portable entries take actions of {spec.action_table.name} only."
        remedy = "Use the environment's first action space."
        raise UnknownName(message, field="action_space", value=found.action_space, remedy=remedy)
    return found


def seal_document(*, owner: User, body: bytes) -> tuple[PortableEntry, bool]:
    """Check and seal a portable entry, or find the same one of the same agent; and whether it was sealed."""
    quotas.count_upload(owner=owner, size=len(body))
    entry = _draft(owner, body)
    with transaction.atomic():
        lock_account(user=owner)  # of two requests at once, the second one sees what the first one sealed
        own = PortableEntry.objects.filter(
            owner=owner, board=entry.board, drawn_at__isnull=True, defends__isnull=True
        )
        if (waiting := own.first()) is not None:
            if (waiting.agent, waiting.content_sha256) == (entry.agent, entry.content_sha256):
                return waiting, False
            _refuse_second(waiting)
        _refuse_too_much(entry)
        entry.round = _current_round(entry.board)
        entry.known = _known_sequences(entry)
        entry.save(force_insert=True)
    return entry, True


def _known_sequences(entry: PortableEntry) -> list[int]:
    """The numbers of the sequences that another owner had published before this one had sealed them."""
    alike = PortableEntry.objects.filter(
        board__dataset=entry.board.dataset, sequence_sha256__overlap=entry.sequence_sha256
    )
    sealed: dict[str, datetime] = {}
    for hashes, moment in alike.filter(owner=entry.owner).values_list("sequence_sha256", "sealed_at"):
        for one in hashes:
            sealed[one] = min(moment, sealed.get(one, moment))
    published: set[str] = set()
    others = alike.filter(portable_queries.PUBLISHED).exclude(owner=entry.owner)
    for hashes, moment in others.values_list("sequence_sha256", portable_queries.SHOWN_AT):
        published |= {one for one in hashes if one not in sealed or moment < sealed[one]}
    return [number for number, one in enumerate(entry.sequence_sha256) if one in published]


def _current_round(board: PortableBoard) -> PortableRound:
    ends_at = round_end(database_now())
    if (found := board.rounds.filter(ends_at=ends_at).first()) is not None:
        return found
    made, _ = board.rounds.get_or_create(ends_at=ends_at, defaults=promised(board, ends_at))
    return made


def round_end(moment: datetime) -> datetime:
    """The end of the round that a moment is in: all entries that are sealed until then meet its programs."""
    length = timedelta(seconds=settings.OPTARENA_ROUND_SECONDS)
    return _FIRST_ROUND + ((moment - _FIRST_ROUND) // length + 1) * length


def _refuse_second(waiting: PortableEntry) -> None:
    ends_at, now = waiting.round.ends_at, database_now()
    says = f"takes part in this round, and its programs are drawn at {ends_at:%Y-%m-%d %H:%M} UTC"
    instead = f"Withdraw it at {waiting.get_absolute_url()} and submit this one instead"
    if ends_at <= now:
        says, instead = "waits for its programs, since its round is over", "Submit again in some minutes"
    problem = QuotaExceeded(
        f"Your entry of {waiting.agent} {says}.",
        field="sequences",
        value="",
        remedy=f"{instead}, or wait for the next round." if ends_at > now else f"{instead}.",
    )
    wait = max(0, math.ceil((ends_at - now).total_seconds())) + _RETRY_SECONDS
    raise quotas.with_headers(problem, waiting.owner, wait)


def _refuse_too_much(entry: PortableEntry) -> None:
    if quotas.is_exempt(entry.owner):
        return
    # The drawn programs are not known yet, but small.
    sizes: list[tuple[int, float | None]] = [(0, None)] * entry.board.programs
    sizes += [(one.size_bytes, one.run_seconds) for one in portable_queries.report_programs(entry.board)]
    costs = [
        predicted_seconds(size_bytes=size, actions=len(actions), run_seconds=seconds)
        for size, seconds in sizes
        for actions in entry.sequences
    ]
    with quotas.as_quota_errors(entry.owner):
        demands.check_quota(payer=quotas.payer_of(entry.owner_id), number=len(costs), seconds=sum(costs))


def drawn_uris(one: PortableRound) -> list[str]:
    # Program number i is the HMAC-SHA256 of the board, the round's end and i, with a secret of this server,
    # modulo the number of programs; a program that was drawn already is left out.
    range_ = drawn_range(one.board.dataset)
    low, high = range_.parameter_min or 0, range_.parameter_max or 0
    wanted = min(one.programs, high - low + 1)
    found: dict[int, None] = {}
    for number in itertools.count():
        if len(found) == wanted:
            break
        digest = _secret(one, str(number)).digest()
        found[low + int.from_bytes(digest[:_SEED_BYTES], "big") % (high - low + 1)] = None
    return [range_.uri.replace("{n}", str(seed)) for seed in found]


def nonce_of(one: PortableRound) -> str:
    # Without it, the hash of a few programs would tell which ones they are.
    return _secret(one, "nonce").hexdigest()


def _secret(one: PortableRound, what: str) -> HMAC:
    message = f"{one.board.slug} {int(one.ends_at.timestamp())} {what}"
    return salted_hmac(_SALT, message, algorithm="sha256")


def promised(board: PortableBoard, ends_at: datetime) -> dict[str, Any]:
    """What is known of a round's programs before they are: their number, and a hash with a nonce."""
    one = PortableRound(board=board, ends_at=ends_at, programs=board.programs)
    lines = "\n".join([nonce_of(one), *drawn_uris(one)])
    return {"programs": one.programs, "programs_sha256": hashlib.sha256(lines.encode()).hexdigest()}


def read_round(board: PortableBoard, given: str) -> None:
    """Give a board the rows of the round that a request names, or of the last one, and of later ones."""
    board.round = portable_queries.chosen_round(board, given)
    board.rows = [] if board.round is None else portable_queries.round_rows(board.round)
    board.ends = portable_queries.round_ends(board)
    board.sealed = portable_queries.sealed_rows(board)
    board.open_round = None
    if board.is_open:
        ends_at = round_end(database_now())
        known = board.rounds.filter(ends_at=ends_at).first()
        board.open_round = known or PortableRound(ends_at=ends_at, **promised(board, ends_at))


@transaction.atomic(savepoint=False)  # if it fails, the transaction of the transition fails
def score_ended_entries(*, verifications: Iterable[Verification]) -> None:
    # The caller holds the verifications' row locks. Of two replays that end at the same time, the second one
    # waits here for the entry, and sees the first.
    finished = [one.pk for one in verifications if one.is_terminal]
    concerned = PortableEntry.objects.filter(programs__replays__verification__in=finished)
    waiting = PortableEntry.objects.filter(
        pk__in=concerned.values("pk"), ended_at__isnull=True, withdrawn_at__isnull=True
    )
    locked = waiting.select_for_update(no_key=True, of=("self",)).select_related("board")
    for entry in locked.order_by("pk"):
        score_if_ended(entry)


def needed_metrics(*, verifications: Collection[uuid.UUID]) -> set[str]:
    """The metrics that portable entries need of these replays."""
    return set(_counting(verifications).values_list("program__entry__board__metric", flat=True))


def _counting(verifications: Collection[uuid.UUID]) -> QuerySet[PortableReplay]:
    return PortableReplay.objects.filter(
        verification__in=verifications, program__entry__withdrawn_at__isnull=True
    )


@transaction.atomic(savepoint=False)  # as above
def reopen_entries(*, verifications: Collection[uuid.UUID], replay: Verification) -> None:
    # The caller holds the row locks of the doubted replays. A reviewer's decision was about the former
    # result: a new one that is implausible waits for a reviewer.
    rows = _counting(verifications)
    concerned = PortableEntry.objects.filter(pk__in=rows.values("program__entry"))
    locked = concerned.select_for_update(no_key=True).order_by("pk")
    keys = list(locked.values_list("pk", flat=True))
    rows.update(verification=replay)
    PortableProgram.objects.filter(entry__in=keys).update(value=None, best=None)
    entries = PortableEntry.objects.filter(pk__in=keys)
    entries.filter(published_at=None, unverified=0).update(published_at=F("ended_at"))
    entries.update(
        ended_at=None,
        score=None,
        score_error=None,
        report_score=None,
        unverified=0,
        is_doubted=False,
        is_accepted=None,
    )


def score_if_ended(entry: PortableEntry) -> None:
    replays = PortableReplay.objects.filter(program__entry=entry)
    if replays.filter(verification__finished_at__isnull=True).exists():
        return
    recorded = replays.filter(verification__state=State.RECORDED)
    rows = recorded.values_list(f"verification__metrics__{entry.board.metric}", "sequence", "program")
    # The transaction of the transition must not fail for a value that is missing, or not above 0.
    # Of equal sequences the one that was known counts, so that a copy gains nothing by another beside it.
    measured = [
        (float(value), sequence not in entry.known, sequence, program)
        for value, sequence, program in rows
        if value and value > 0
    ]
    best = {program: (value, sequence) for value, _, sequence, program in sorted(measured, reverse=True)}
    programs = list(entry.programs.all())
    for program in programs:
        program.value, program.best = best.get(program.pk, (program.unoptimised, None))
    PortableProgram.objects.bulk_update(programs, ["value", "best"], batch_size=_BATCH)
    unknown = Q(verification__reason__startswith="infra:") | Q(verification__state=State.CANCELLED)
    entry.unverified = len(rows) - len(measured) + replays.filter(unknown).count()
    entry.ended_at = database_now()
    if not entry.unverified:  # else its replays say nothing about the entry
        _score(entry, programs)
    entry.save(update_fields=["unverified", "ended_at", "score", "score_error", "report_score", "is_doubted"])


def _score(entry: PortableEntry, programs: Sequence[PortableProgram]) -> None:
    drawn, reported = (
        [math.log(one.ratio) for one in programs if one.is_drawn is kind and one.ratio]
        for kind in (True, False)
    )
    entry.is_doubted = _is_implausible(entry, math.exp(max(drawn)))
    entry.score = math.exp(statistics.fmean(drawn))
    if len(drawn) > 1:
        entry.score_error = statistics.stdev(drawn) / math.sqrt(len(drawn))
    entry.report_score = math.exp(statistics.fmean(reported)) if reported else None


def _is_implausible(entry: PortableEntry, largest: float) -> bool:
    """Whether the largest ratio on a drawn program is beyond the board's limit, and what others reached.

    One's own entries do not raise the limit, unless a reviewer published them.
    """
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
    """Publish quarantined entries, or refuse them; others stay as they are. The number of decided ones."""
    waiting = PortableEntry.objects.filter(
        pk__in=entry_ids, is_doubted=True, is_accepted__isnull=True, ended_at__isnull=False
    )
    locked = list(waiting.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    PortableEntry.objects.filter(pk__in=locked).update(is_accepted=accept)
    for pk in locked:
        _log.info("portable_entry_reviewed", entry=str(pk), accepted=accept, reviewer=reviewer)
    return len(locked)


@transaction.atomic
def withdraw(*, entry_id: uuid.UUID, actor: User) -> None:
    """Withdraw an entry as submissions are; one whose programs have not been drawn yet never gets any.

    It takes part in no later round either.
    """
    entry = PortableEntry.objects.get(pk=entry_id)
    refuse_withdrawal(entry, actor)
    # The verifications first: the order of locks that every writer keeps.
    waited_for = lock_replays(PortableReplay.objects.filter(program__entry=entry))
    entry = PortableEntry.objects.select_for_update(no_key=True).get(pk=entry_id)
    refuse_withdrawal(entry, actor)
    entry.withdrawn_at = database_now()
    entry.drawn_at = entry.drawn_at or entry.withdrawn_at
    entry.save(update_fields=["withdrawn_at", "drawn_at"])
    release(waited_for, owner_id=entry.owner_id)
    _log.info("portable_entry_withdrawn", entry=str(entry_id), actor=actor.username)


def withdraw_sealed(*, owner: User) -> None:
    """Withdraw what waits for its programs, of an account that is deleted."""
    now = database_now()
    waiting = PortableEntry.objects.filter(owner=owner, drawn_at__isnull=True)
    waiting.update(withdrawn_at=now, drawn_at=now)
