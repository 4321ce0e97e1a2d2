"""Read recipes: of an item, of the best results of a board, and as what a reader pastes or downloads."""

from __future__ import annotations

import gzip
import io
import shlex
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from leaderboard.models import Board, SubmissionItem
from leaderboard.records.queries import add_reading, may_read_actions, why_closed
from leaderboard.submissions.services import Conflict
from optarena.deploy import sources
from optarena.deploy.exports import FORMS, TEXTS, PortableExport, portable_export
from optarena.deploy.recipe import METRICS, Recipe, Sequence, write_recipe
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from optarena.state import EnvState
from runner.database import read_rows

DEFAULT: Final = "config"
RECIPE: Final = "recipe"
FORMATS: Final = (RECIPE, *FORMS)
# With their titles, in the order in which pages show them.
TITLES: Final = {
    "config": "Configuration file",
    "flags": "Options",
    "make": "make",
    "cmake": "CMake",
    "meson": "Meson",
    "shell": "Shell script",
    "link": "Whole program",
}
# So many of the best open sequences are looked at, one of each program: some may be equal, or not for builds.
_LOOKED_UP: Final = 4 * sources.MOST
_BEST_OPEN: Final = """
SELECT item.id FROM (SELECT benchmark_uri FROM leaderboard_bestresult WHERE board_id = %(board)s) AS best
CROSS JOIN LATERAL (
    SELECT item.id, item.ratio FROM leaderboard_submissionitem AS item
    JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
    WHERE item.benchmark_uri = best.benchmark_uri AND item.verdict = 'verified'
        AND submission.board_id = %(board)s AND item.opens_at <= %(now)s
    ORDER BY item.ratio DESC, submission.created, item.id LIMIT 1) AS item
ORDER BY item.ratio DESC, item.id LIMIT %(most)s
"""
_SHOWN_OF_AN_ITEM: Final = (
    *("submission", "position", "benchmark_uri", "commandline", "verdict", "reason", "own", "opens_at"),
    *("submission__owner", "submission__agent", "benchmark__licence", "verification__metrics"),
)


def item_recipe(
    item: SubmissionItem, viewer: User | AnonymousUser | None, absolute: Callable[[str], str]
) -> Recipe:
    """The recipe of an item's sequence; ``absolute`` completes the address of a page.

    Raises:
        Conflict: There is none, or this viewer may not read it.
    """
    board = item.submission.board
    if item.verdict != SubmissionItem.Verdict.VERIFIED:
        raise _refusal("Only the sequence of a verified item can be used in builds.", str(item))
    why = _unfit(board) or why_closed(item, viewer)
    if why:
        raise _refusal(why, str(item))
    try:
        sequence = _sequence(item, board.metric, absolute)
    except InvalidInput as error:  # such as decisions on single loops
        raise _refusal(error.message, str(item)) from error
    return sources.item_recipe(sequence, board.metric)


def why_no_board_recipe(board: Board) -> str:
    """Why builds cannot use the results of a board, whatever they are; empty if they can."""
    if sources.build_metric(board.metric) is None and not _unfit(board):
        return "Builds choose by size, and this board compares times. Choose a single item."
    return _unfit(board)


def board_recipe(board: Board, absolute: Callable[[str], str]) -> Recipe:
    """The recipe of the best sequences of a board that everybody may read, all of them different.

    Raises:
        Conflict: There are none, or builds cannot use them.
    """
    compared = sources.build_metric(board.metric)
    if (why := why_no_board_recipe(board)) or compared is None:
        raise _refusal(why, board.slug)
    given: dict[str, Any] = {"board": board.pk, "most": _LOOKED_UP, "now": timezone.now()}
    keys = [key for (key,) in read_rows(_BEST_OPEN, given)]
    rows = SubmissionItem.objects.filter(pk__in=keys).select_related(
        "submission", "benchmark", "verification"
    )
    items = rows.only(*_SHOWN_OF_AN_ITEM).in_bulk()
    found: dict[str, Sequence] = {}
    for item in add_reading([items[key] for key in keys if key in items], None):
        try:
            sequence = _sequence(item, board.metric, absolute) if may_read_actions(item, None) else None
        except InvalidInput:
            continue  # such as decisions on single loops, or no actions
        if sequence is not None and len(found) < sources.MOST:
            found.setdefault(sequence.pipeline, sequence)
    if not found:
        raise _refusal(
            "None of this board's best sequences can be read by everybody and used in builds yet.", board.slug
        )
    return sources.sequences_recipe(found.values(), metric=compared)


def _unfit(board: Board) -> str:
    version, spec = board.environment_version, environment_spec(board.environment_version.env_id)
    # Boards are read without what old versions of environments depended on.
    described = spec.version_spec() if version.digest == spec.digest else version.spec
    return sources.why_not_in_builds(version.env_id, described)


def _refusal(message: str, value: str) -> Conflict:
    return Conflict(message, field="item", value=value, remedy="Choose another item, or another board.")


def _sequence(item: SubmissionItem, metric: str, absolute: Callable[[str], str]) -> Sequence:
    compared = sources.build_metric(metric) or METRICS[0]
    known = {name: value for name, value in item.measured.items() if name == compared}
    state = EnvState(benchmark=item.benchmark_uri, commandline=item.commandline, claims=known)
    return sources.state_sequence(
        state,
        compared,
        address=absolute(item.get_absolute_url()),
        agent=item.submission.agent,
        licence=item.benchmark.licence,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A download; deterministic, so that the same recipe is the same bytes."""

    name: str
    content_type: str
    content: bytes


def export_file(recipe: Recipe, form: str) -> File:
    """A recipe as a download: itself, a text, or an archive of a folder.

    Raises:
        InvalidInput: The recipe has nothing for this form.
    """
    if form == RECIPE:
        return File(
            name="recipe.json", content_type="application/json", content=write_recipe(recipe).encode()
        )
    exported = portable_export(recipe, form)
    if form in TEXTS:
        [(name, content)] = exported.files.items()
        return File(name=name, content_type="text/plain; charset=utf-8", content=content)
    name = f"{exported.folder}-{form}.tar.gz"
    return File(name=name, content_type="application/gzip", content=_archive(exported))


def _archive(exported: PortableExport) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(exported.files.items()):
            entry = tarfile.TarInfo(f"{exported.folder}/{name}")  # without owner and time
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(file.getvalue(), mtime=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownForm:
    """A form as a page shows it: what a shell fetches and builds, and what is pasted then."""

    name: str
    title: str
    address: str
    commands: str
    how: str
    use: str


def shown_forms(recipe: Recipe, address: str, *, is_open: bool) -> Iterator[ShownForm]:
    """The forms that a recipe has; ``address`` is that of the export, which may need a token."""
    token = "" if is_open else ' -H "Authorization: Bearer $OPTARENA_TOKEN"'
    for name, title in TITLES.items():
        try:
            exported = portable_export(recipe, name)
        except InvalidInput:
            continue  # of several sequences there is no link form
        source = f"{address}?format={name}"
        fetch = f"curl -fsS{token} {shlex.quote(source)}"
        if exported.folder:
            commands = [f"{fetch} | tar xzf -", *exported.commands]
        else:
            commands = [f"{fetch} -o {next(iter(exported.files))}"] if name == "shell" else []
        yield ShownForm(
            name=name,
            title=title,
            address=source,
            commands="\n".join(commands),
            how=exported.how,
            use=exported.use,
        )
