"""Write submissions: receive, store, edit, withdraw and anonymise them, load baselines, request studies."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from datasets.bulk_inserts import insert_rows
from leaderboard.accounts.services import lock_account
from leaderboard.accounts.throttles import StudyThrottle
from leaderboard.boards import services as board_services
from leaderboard.boards.queries import board_scale
from leaderboard.common.rows import OwnedEntry
from leaderboard.models import (
    BestResult,
    Board,
    BoardRecord,
    Find,
    FormerVerdict,
    IdempotencyKey,
    PortableReplay,
    Submission,
    SubmissionEdit,
    SubmissionItem,
)
from leaderboard.records import queries as record_queries
from leaderboard.records import services as record_services
from leaderboard.submissions import documents, quotas, verdicts
from leaderboard.submissions import steps as submission_steps
from leaderboard.submissions.documents import ABOUT, Draft, about_from_query
from optarena import limits
from optarena.agents.catalogue import agent_named
from optarena.documents import kinds
from optarena.documents.places import Place
from optarena.documents.texts import is_printable
from optarena.errors import InvalidDocument, InvalidInput
from optarena.specs import environment_spec, environment_specs
from runner.database import database_now
from runner.errors import StudiesFullError, StudyRefusedError
from runner.models import Study, Verification
from runner.queue import demands, requests, transitions
from runner.queue import studies as study_queue
from runner.queue.work import Work

if TYPE_CHECKING:
    from baselines.reading import CommittedResult

log = structlog.get_logger(__name__)
Verdict = SubmissionItem.Verdict

_WITHDRAWN: Final = "user:withdrawn"
_WITHDRAWN_BY_STAFF: Final = "policy:withdrawn"
# What the check of a submission, and the replays that it asks for, depend on in a board.
_CHECKED: Final = (
    *("slug", "state", "environment_version_id", "dataset_version_id", "benchmarks"),
    *("metric", "reference_metric", "device"),
)


class KeyReused(InvalidInput):
    """The idempotency key belongs to a request with another body."""


class Conflict(InvalidInput):
    """The request contradicts the stored state."""


def _request_key(owner: User, key: str | None, *parts: bytes) -> IdempotencyKey | None:
    # Unsaved; None where no key was sent.
    if key is None:
        return None
    if not (0 < len(key) <= limits.IDEMPOTENCY_KEY_LENGTH and key.isascii() and is_printable(key)):
        raise InvalidInput(
            "The Idempotency-Key cannot be used.",
            field="Idempotency-Key",
            value=key[: limits.IDEMPOTENCY_KEY_LENGTH],
            remedy=(
                f"Send 1 to {limits.IDEMPOTENCY_KEY_LENGTH} printable ASCII characters, for example a UUID."
            ),
        )
    digest = hashlib.sha256()
    for part in parts:
        # Lengths in between: two requests must not differ only in where one part ends.
        digest.update(len(part).to_bytes(8, "big") + part)
    return IdempotencyKey(owner=owner, key=key, body_sha256=digest.hexdigest())


def _find_repeated(request_key: IdempotencyKey | None) -> Submission | None:
    if request_key is None:
        return None
    used = IdempotencyKey.objects.filter(owner=request_key.owner, key=request_key.key).first()
    if used is None:
        return None
    if used.body_sha256 != request_key.body_sha256:
        message = "This Idempotency-Key was used with another body."
        remedy = "Send a new key for a new submission, or the same body for the same key."
        raise KeyReused(message, field="Idempotency-Key", value=request_key.key, remedy=remedy)
    return Submission.objects.get(pk=used.submission_id)


@transaction.atomic
def submit(
    *, owner: User, draft: Draft, request_key: IdempotencyKey | None = None
) -> tuple[Submission, bool]:
    """Store a checked submission and request its replays; return it, and whether this call made it.

    Of two equal requests with one key at the same time, one stores; the other one waits, and returns what was
    stored.
    """
    # A deletion waits for this, or this sees it: nothing of a deleted account is written afterwards.
    lock_account(user=owner)
    submission_id = uuid.uuid4()
    if request_key is not None:
        # Waits for a transaction that holds the key; the foreign key is checked at commit.
        request_key.submission_id = submission_id
        IdempotencyKey.objects.bulk_create([request_key], ignore_conflicts=True)
        if not IdempotencyKey.objects.filter(submission_id=submission_id).exists():
            repeated = _find_repeated(request_key)
            if repeated is not None:
                return repeated, False
    checked, about = draft.board, asdict(draft.about)
    opened_at = timezone.now() if about.pop("open") else None
    submission = Submission.objects.create(
        **(about | {"id": submission_id, "board": checked, "opened_at": opened_at}),
        owner=owner,
        content_sha256=draft.content_sha256,
    )
    with quotas.as_quota_errors(owner):
        # They are locked: none can end or be cancelled before its item is stored.
        verifications = requests.request_verifications(
            environment=checked.environment_version,
            works=_works(draft),
            device=checked.device,
            payer=quotas.payer_of(owner.pk),
            limited=not quotas.is_exempt(owner),
        )
    known = {one.pk for one in verifications if one.is_terminal}
    items = [
        SubmissionItem(
            submission=submission,
            position=position,
            benchmark_id=item.benchmark.pk,
            benchmark_uri=item.benchmark_uri,
            actions=list(item.actions.actions),
            action_space=item.actions.action_space,
            actions_sha256=item.actions.sha256,
            commandline=item.commandline,
            reward=item.reward,
            walltime=item.walltime,
            claims=dict(item.claims),
            verification_id=verification.pk,
        )
        for position, (item, verification) in enumerate(zip(draft.items, verifications, strict=True))
    ]
    insert_rows(item for item in items if item.verification_id not in known)
    # From here on other transactions that score entries of this board wait.
    board = board_services.lock_boards(board_ids=[checked.pk]).get(checked.pk)
    if board is None or any(getattr(board, name) != getattr(checked, name) for name in _CHECKED):
        message = "The board was frozen or changed while the submission was checked."
        remedy = "Submit again, which checks it anew; the open boards are at /boards/."
        raise Conflict(message, field="board", value=checked.slug, remedy=remedy)
    scale = board_scale(board)
    if known:
        ended = [item for item in items if item.verification_id in known]
        verdicts.judge_items(board=board, items=ended, scale=scale)
        boards = {board.pk: board}
        new = verdicts.credit_finds(items=ended, boards=boards)
        verdicts.cap_copies(items=ended, boards=boards)
        insert_rows(ended)
        new.store()
        record_services.store_records(items=ended)
    board_services.add(board=board, submission=submission, items=items, scale=scale)
    return submission, True


def new_seconds(owner: User, draft: Draft) -> list[float]:
    # It is the most: replays that answer count as new if nothing verified has them, or a check would say
    # whether a guess of what others may have is right.
    board = draft.board
    is_measured = environment_spec(board.environment_version.env_id).measure is not None
    answers = requests.answers_of(
        environment=board.environment_version, works=_works(draft), device=board.device
    )
    items = SubmissionItem.objects.filter(verification_id__in={pk for _, pk in answers if pk is not None})
    is_open = Q(opens_at__lte=timezone.now())
    readable = items.filter(Q(submission__owner=owner) | is_open).values_list("verification_id", flat=True)
    known = set(readable)
    return [work.predicted_seconds(measured=is_measured) for work, pk in answers if pk not in known]


def _works(draft: Draft) -> list[Work]:
    spec = environment_spec(draft.board.environment_version.env_id)
    return [
        Work.of(
            spec=spec,
            benchmark=item.benchmark,
            benchmark_uri=item.benchmark_uri,
            actions=item.actions,
            metrics=needed_metrics(draft.board, item.claims),
        )
        for item in draft.items
    ]


def needed_metrics(board: Board, claims: Collection[str]) -> set[str]:
    return {board.metric, board.reference_metric, *claims} - {""}


def may_withdraw(entry: OwnedEntry, user: User | AnonymousUser) -> bool:
    return user.pk == entry.owner_id or user.is_staff


def refuse_withdrawal(entry: OwnedEntry, actor: User) -> None:
    """Refuse to withdraw what is somebody else's, or withdrawn already."""
    if not may_withdraw(entry, actor):
        raise PermissionDenied(f"Only its owner can withdraw a {entry.kind}.")
    if entry.withdrawn_at is not None:
        message = f"This {entry.kind} is already withdrawn."
        remedy = "Submit again if you want it to be ranked."
        raise Conflict(message, field=entry.kind.rsplit(maxsplit=1)[-1], value=str(entry.pk), remedy=remedy)


@transaction.atomic
def withdraw(*, submission_id: uuid.UUID, actor: User) -> Submission:
    # Its rows stay, unranked; replays that nobody else waits for are cancelled.
    submission = Submission.objects.select_for_update(no_key=True).get(pk=submission_id)
    refuse_withdrawal(submission, actor)
    waited_for = lock_replays(submission.items.filter(verification__isnull=False))
    submission.withdrawn_at = database_now()
    submission.save(update_fields=["withdrawn_at"])
    ids = list(submission.items.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    is_own = actor.pk == submission.owner_id
    withdrawn = verdicts.Judgement(
        verdict=Verdict.WITHDRAWN, reason=_WITHDRAWN if is_own else _WITHDRAWN_BY_STAFF
    )
    values = verdicts.judged_values(withdrawn, submission.withdrawn_at)
    SubmissionItem.objects.filter(pk__in=ids).update(**values)
    release(waited_for, owner_id=submission.owner_id)
    [board] = board_services.lock_boards(board_ids=[submission.board_id]).values()
    board_services.remove(board=board, submission=submission)
    log.info("submission_withdrawn", submission=str(submission_id), actor=actor.username)
    return submission


def lock_replays(rows: QuerySet[SubmissionItem] | QuerySet[PortableReplay]) -> list[uuid.UUID]:
    # The ids of their verifications that have not ended.
    wanted = rows.order_by().values("verification")
    locked = transitions.in_lock_order(Verification.objects.filter(pk__in=wanted))
    return [one.pk for one in locked if not one.is_terminal]


def release(verification_ids: Collection[uuid.UUID], *, owner_id: int) -> None:
    # Cancel what nobody waits for any more; the owner pays for no others. Cancelling comes first: it locks
    # the payers of a verification in their order, the owner among them.
    waiting = SubmissionItem.objects.filter(verification__in=verification_ids)
    wanted = waiting.exclude(verdict=Verdict.WITHDRAWN)
    owners = set(wanted.values_list("verification_id", "submission__owner"))
    portable = PortableReplay.objects.filter(
        verification__in=verification_ids, program__entry__withdrawn_at__isnull=True
    )
    # Nobody pays for an entry that defends its place.
    asked = portable.filter(program__entry__defends__isnull=True)
    owners |= set(asked.values_list("verification_id", "program__entry__owner"))
    shared = {one for one, _ in owners} | set(portable.values_list("verification_id", flat=True))
    unwanted = [one for one in verification_ids if one not in shared]
    if unwanted:
        requests.cancel_all(verification_ids=unwanted, actor="leaderboard", reason=_WITHDRAWN)
    others = [one for one in verification_ids if one in shared and (one, owner_id) not in owners]
    if others:
        demands.release(payer=quotas.payer_of(owner_id), verification_ids=others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    body: bytes
    format: Literal["json", "csv"]
    # The fields that CSV has no place for, as texts; they replace those of a JSON document.
    about: Mapping[str, str] = field(default_factory=dict)


def check(*, incoming: Incoming) -> Draft:
    about = about_from_query(incoming.about)
    if incoming.format == "json":
        return documents.draft(documents.read_json(incoming.body, about=about))
    slug = incoming.about.get("board", "").strip()
    # An unknown board is a problem that the check reports.
    board = documents.find_board(slug) if is_printable(slug) else None
    metrics = None if board is None else documents.claimable(board)
    return documents.draft(documents.read_csv(incoming.body, about=about, metrics=metrics))


def receive(*, owner: User, incoming: Incoming, key: str | None = None) -> tuple[Submission, bool]:
    documents.check_size(incoming.body)
    about = json.dumps(dict(incoming.about), sort_keys=True).encode()
    request_key = _request_key(owner, key, incoming.format.encode(), about, incoming.body)
    # Before the checks: a repeated request gets the same answer even if the board was frozen meanwhile.
    repeated = _find_repeated(request_key)
    if repeated is not None:
        return repeated, False
    quotas.count_upload(owner=owner, size=len(incoming.body))
    draft = check(incoming=incoming)
    return submit(owner=owner, draft=draft, request_key=request_key)


EDIT: Final = kinds.record(
    description=(
        "Fields that are missing stay as they are. An empty text removes what was there. `effort` is "
        "replaced as a whole. What is open cannot be closed."
    ),
    fields={name: ABOUT.fields[name] for name in ("description", "url", "effort", "open")},
)
_NO_EFFORT: Final[dict[str, Any]] = {
    "compilations": None,
    "walltime_seconds": None,
    "trained_on_test_set": False,
}


def read_edit(data: object) -> dict[str, Any]:
    read = dict(EDIT.require(data))
    if "effort" in read:
        read |= _NO_EFFORT | read.pop("effort")
    return read


def read_form(texts: Mapping[str, str]) -> dict[str, Any]:
    # A form shows all columns: what it leaves empty is removed.
    place = Place(is_spelled=True)
    read = EDIT.read(about_from_query(texts), place) or {}
    if place.problems:
        raise InvalidDocument(place.problems)
    effort: dict[str, Any] = read.pop("effort", {})
    return {"description": "", "url": ""} | _NO_EFFORT | effort | read


@transaction.atomic
def edit(*, submission_id: uuid.UUID, actor: User, values: Mapping[str, Any]) -> Submission:
    values = dict(values)
    if values.pop("open", False):
        open_sequences(submission_id=submission_id, actor=actor)
    lock_account(user=actor)
    submission = Submission.objects.select_for_update(no_key=True).get(pk=submission_id)
    if submission.owner_id != actor.pk:
        raise PermissionDenied("Only its owner can edit a submission.")
    changes = {
        name: [getattr(submission, name), value]
        for name, value in values.items()
        if not _are_equal(value, getattr(submission, name))
    }
    if not changes:
        return submission
    if SubmissionEdit.objects.filter(submission=submission).count() >= limits.MAX_EDITS:
        raise Conflict(
            f"This submission has been edited {limits.MAX_EDITS} times, which is the most that is allowed.",
            field="submission",
            value=str(submission_id),
            remedy="Submit again if there is more to say.",
        )
    for name, (_, value) in changes.items():
        setattr(submission, name, value)
    submission.save(update_fields=list(changes))
    SubmissionEdit.objects.create(submission=submission, at=timezone.now(), changes=changes)
    return submission


@transaction.atomic
def open_sequences(*, submission_id: uuid.UUID, actor: User) -> Submission:
    # Everybody may read them from now on. They cannot be closed again: somebody may have read them.
    lock_account(user=actor)
    submission = Submission.objects.select_for_update(no_key=True).get(pk=submission_id)
    if submission.owner_id != actor.pk:
        raise PermissionDenied("Only its owner can open the sequences of a submission.")
    if submission.opened_at is None:
        now = submission.opened_at = database_now()
        submission.save(update_fields=["opened_at"])
        rows = submission.items.select_for_update(no_key=True).order_by("pk")
        states = set(rows.values_list("state_sha256", flat=True)) - {""}
        submission.items.filter(opens_at__gt=now).update(opens_at=now)
        finds = Find.objects.filter(owner=actor, state_sha256__in=states, metric=submission.board.metric)
        list(finds.select_for_update(no_key=True).order_by("state_sha256"))  # as all that write them
        finds.filter(opens_at__gt=now).update(opens_at=now)
    return submission


def _are_equal(one: object, other: object) -> bool:
    # Browsers send other ends of lines.
    if isinstance(one, str) and isinstance(other, str):
        return one.splitlines() == other.splitlines()
    return one == other


def anonymise(*, user: User, former_name: str) -> None:
    submissions = Submission.objects.filter(owner=user)
    SubmissionEdit.objects.filter(submission__in=submissions.values("pk")).delete()
    submissions.update(description="", url="")
    IdempotencyKey.objects.filter(owner=user).delete()
    FormerVerdict.objects.filter(reopened_by=former_name).update(reopened_by=user.username)


_CARRIED: Final = (
    " It searched in an earlier version of the environment; in this one it may find something else."
)


def submit_baseline(*, owner: User, result: CommittedResult) -> tuple[Submission, bool]:
    run = result.report.run
    remark = _CARRIED if run.carried_from else ""
    document = {
        "board": result.board.slug,
        "agent": result.agent,
        "description": agent_named(run.agent).summary + remark,
        "open": True,
        "effort": {
            "compilations": result.compilations,
            "walltime_seconds": result.wall_seconds,
            "trained_on_test_set": run.trained_on_test_set,
        },
        "items": [
            {"benchmark": one.benchmark, "commandline": one.commandline, "claims": dict(one.claims)}
            for one in result.states
        ],
    }
    body = json.dumps(document).encode()
    incoming = Incoming(body=body, format="json")
    submission, is_new = _submitted(owner, incoming), False
    if submission is None:
        key = f"baseline-{hashlib.sha256(body).hexdigest()}"
        submission, is_new = receive(owner=owner, incoming=incoming, key=key)
    if submission.baseline_command != run.command:
        _mark_as_baseline(submission, run.command)
    return submission, is_new


@transaction.atomic
def _mark_as_baseline(submission: Submission, command: str) -> None:
    # Each baseline has a rank of its own; everybody may read it: it is committed in the project.
    submission.baseline_command = command
    submission.save(update_fields=["baseline_command"])
    [board] = board_services.lock_boards(board_ids=[submission.board_id]).values()
    board_services.regroup(board=board, submission=submission)


def _submitted(owner: User, incoming: Incoming) -> Submission | None:
    # Of the same results; keys are pruned, and descriptions may be reworded.
    try:
        draft = check(incoming=incoming)
    except InvalidDocument:
        return None  # `receive` refuses it as well, unless the board was frozen since
    same = Submission.objects.filter(
        owner=owner, board=draft.board, agent=draft.about.agent, content_sha256=draft.content_sha256
    )
    return same.order_by("created", "id").first()


_RETRY_SECONDS: Final = 600
_LOOK: Final = "Look at the item's page: it says what can be asked about it."
# Minimisations that one pass requests; the next pass goes on.
_A_PASS: Final = 5


def ask_difference(*, submission_id: uuid.UUID, position: int, step: str, actor: User) -> SubmissionItem:
    item = item_at(submission_id, position)
    number = submission_steps.step_number(step, item)
    _refuse(item, submission_steps.why_no_difference(item) or record_queries.why_closed(item, actor))
    if submission_steps.difference_of(item, number).may_be_asked:
        _ask(item, Study.Kind.DIFFERENCE, number, actor)
    return item


def ask_minimised(*, submission_id: uuid.UUID, position: int, actor: User) -> SubmissionItem:
    item = item_at(submission_id, position)
    _refuse(item, submission_steps.why_not_minimised(item) or record_queries.why_closed(item, actor))
    if submission_steps.minimised_of(item).may_be_asked:
        _ask(item, Study.Kind.MINIMISED, len(item.actions), actor)
    return item


def item_at(submission_id: uuid.UUID, position: int) -> SubmissionItem:
    known = SubmissionItem.objects.select_related(
        "submission__board__environment_version", "verification", "benchmark__version"
    ).defer("benchmark__version__manifest", "benchmark__version__statistics")
    return known.get(submission=submission_id, position=position)


def _refuse(item: SubmissionItem, why: str) -> None:
    if why:
        raise item_conflict(item, why)


def item_conflict(item: SubmissionItem, why: str, *, remedy: str = _LOOK) -> Conflict:
    return Conflict(f"The item is {item.verdict}. {why}", field="item", value=str(item), remedy=remedy)


def _ask(item: SubmissionItem, kind: Study.Kind, steps: int, actor: User) -> None:
    if item.verification is None:  # pragma: no cover - a verified item has one
        raise item_conflict(item, "It has no replay.")
    try:
        study_queue.request_study(
            kind=kind,
            subject=item.verification,
            steps=steps,
            payer=quotas.payer_of(actor.pk),
            admit=partial(_count, actor),
        )
    except StudyRefusedError as error:
        raise item_conflict(item, str(error)) from error
    except StudiesFullError as error:
        raise _later(str(error), _RETRY_SECONDS) from error


def _count(actor: User) -> None:
    throttle = StudyThrottle()
    if not quotas.is_exempt(actor) and not throttle.allow(actor.pk, 1):
        raise _later("You have asked more than the workers answer for one account.", throttle.wait())


def _later(message: str, seconds: float) -> quotas.QuotaExceeded:
    return quotas.exceeded(message, seconds, field="item", again="Ask again")


def minimise_bests() -> int:
    """Have best results and records of boards with exact metrics minimised, some at a time."""
    number, refused = 0, Q()
    while settings.OPTARENA_MINIMISE and number < _A_PASS:
        items = _unminimised(BestResult.objects.all(), refused)
        items = items or _unminimised(BoardRecord.objects.all(), refused)
        if not items:
            break
        for item in items[: _A_PASS - number]:
            found = item.verification
            if found is None:  # pragma: no cover - a verified item has one
                continue
            try:
                study_queue.request_study(
                    kind=Study.Kind.MINIMISED, subject=found, steps=len(item.actions), payer=None
                )
            except (StudyRefusedError, StudiesFullError) as error:
                log.debug("not minimised", item=str(item), why=str(error))
                # Those that the same workers study; items of other classes and versions must not wait.
                refused |= Q(
                    item__verification__hardware_class=found.hardware_class,
                    item__verification__environment_digest=found.environment_digest,
                )
                break
            number += 1
    return number


def _unminimised(rows: QuerySet[BestResult] | QuerySet[BoardRecord], refused: Q) -> list[SubmissionItem]:
    known = Study.objects.filter(verification=OuterRef("item__verification"), kind=Study.Kind.MINIMISED)
    wanted = rows.filter(
        ~Exists(known),
        board__exact=True,
        item__verdict=Verdict.VERIFIED,
        item__verification__environment_digest__in={spec.digest for spec in environment_specs()},
    ).exclude(item__actions=[])
    wanted = wanted.exclude(refused) if refused else wanted
    # Without an order: the planner would walk through all items in theirs.
    return [row.item for row in wanted.order_by().select_related("item__verification")[:_A_PASS]]
