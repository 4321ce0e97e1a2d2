"""Reads and checks portable entries, with every problem; writes nothing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from leaderboard.agent_names import agent_name
from leaderboard.models import PortableBoard
from leaderboard.selectors import level_text
from leaderboard.services.documents import MalformedDocument, check_size
from leaderboard.services.validation import refuse_known_name
from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import load_json
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import environment_spec, environment_specs, portable_board_specs
from optarena.suggestions import did_you_mean
from runner.work import ActionSequence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optarena.specs import EnvironmentSpec

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
    """A checked portable entry, ready to be sealed."""

    board: PortableBoard
    agent: str
    sequences: tuple[ActionSequence, ...]

    @property
    def content_sha256(self) -> str:
        """The hash of the set of sequences: neither their order nor the submitter is part of it."""
        content = json.dumps(sorted(one.sha256 for one in self.sequences))
        return hashlib.sha256(content.encode()).hexdigest()


def portable_draft(body: bytes) -> PortableDraft:
    """Check the JSON document of a portable entry.

    Raises:
        MalformedDocument: It is not a JSON object.
        DocumentTooLarge: It is over the limit.
        InvalidDocument: With every problem.
    """
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
    """Whether the environment installed here is the version that the board compares."""
    return board.environment_version.digest in {spec.digest for spec in environment_specs()}


def _level_names(spec: EnvironmentSpec, board: PortableBoard) -> tuple[str, str]:
    """The names of the level that a board compares with: the compiler with it, and the level alone."""
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
    """The actions of one sequence; None with at least one problem."""
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
    """The actions, which are of the environment's first space.

    Raises:
        InvalidInput: They are not, or cannot be read.
    """
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
