"""What further replays find out: what a step changes, which steps suffice, what each action would give next.

Texts are compared here, and it is decided which sequence is tried next. Both are pure data, so a server reads
the results without loading environments; ``study_states`` applies the actions.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any, Final, NamedTuple

from optarena import limits
from optarena.actions import Action, ActionTable, is_structured
from optarena.errors import InvalidInput

CONTEXT: Final = 3  # Lines around a change that are shown as well


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDifference:
    # `text` is the unified format without the lines that name files. `added`, `removed` and `lines` count the
    # whole difference; `shown` and `shortened` (lines whose end was cut off) what `text` has. `renumbered`
    # lines differ in the numbers of values alone, which a compiler gives anew each time, and count as equal.
    # Where not `aligned`, parts that are too long to be matched are one change each.
    text: str
    added: int
    removed: int
    lines: int
    shown: int
    shortened: int
    before: int
    after: int
    renumbered: int
    aligned: bool

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> TextDifference:
        names = {one.name for one in fields(cls)}
        if not isinstance(data, Mapping) or set(data) != names:
            raise ValueError("This is not a difference of two texts.")
        counts = names - {"text", "aligned"}
        is_one = isinstance(data["text"], str) and isinstance(data["aligned"], bool)
        if not is_one or any(type(data[name]) is not int or data[name] < 0 for name in counts):
            raise ValueError("This is not a difference of two texts.")
        return cls(**data)


def text_difference(before: str, after: str, *, numbers: str = "", parts: str = "") -> TextDifference:
    # `numbers` is a regular expression of what does not tell two lines apart, `parts` one of parts whose
    # names stand at the head of each group of changes.
    old, new = before.splitlines(), after.splitlines()
    changes, aligned = _numberless_changes(old, new, numbers)
    shown: list[str] = []
    lines = size = shortened = 0
    names = [_PartNames.of(text, parts) for text in (before, after)]
    for line in _unified(old, new, changes, names):
        lines += 1
        most = limits.DIFFERENCE_LINE_LENGTH
        text = line if len(line) <= most else f"{line[:most]} … ({len(line) - 1:,} characters)"
        size += len(text.encode(errors="replace")) + 1
        if lines == len(shown) + 1 <= limits.DIFFERENCE_LINES and size <= limits.DIFFERENCE_BYTES:
            shown.append(text)
            shortened += text is not line
    at = new_at = renumbered = 0
    for change in [*changes, _Change(len(old), len(old), len(new), len(new))]:
        pairs = zip(old[at : change.start], new[new_at : change.new_start], strict=True)
        renumbered += sum(one != other for one, other in pairs)
        at, new_at = change.end, change.new_end
    return TextDifference(
        text="\n".join(shown),
        added=sum(one.added for one in changes),
        removed=sum(one.removed for one in changes),
        lines=lines,
        shown=len(shown),
        shortened=shortened,
        before=len(old),
        after=len(new),
        renumbered=renumbered,
        aligned=aligned,
    )


def _numberless_changes(old: Sequence[str], new: Sequence[str], numbers: str) -> tuple[list[_Change], bool]:
    pattern = re.compile(numbers) if numbers else None
    keys, new_keys = ([pattern.sub("\0", one) for one in lines] if pattern else lines for lines in (old, new))
    return _changes(keys, new_keys)


class _Change(NamedTuple):
    start: int
    end: int
    new_start: int
    new_end: int

    @property
    def removed(self) -> int:
        return self.end - self.start

    @property
    def added(self) -> int:
        return self.new_end - self.new_start


def _changes(old: Sequence[str], new: Sequence[str]) -> tuple[list[_Change], bool]:
    # Also whether all lines between were matched.
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    found: list[_Change] = []
    aligned, left = True, limits.ALIGNED_PAIRS
    for piece in _pieces(old, new, _Change(head, len(old) - tail, head, len(new) - tail)):
        pairs = piece.removed * piece.added
        if pairs == 0:
            found += [piece] if piece.removed or piece.added else []
        elif pairs <= left:
            left -= pairs
            matcher = SequenceMatcher(
                None, old[piece.start : piece.end], new[piece.new_start : piece.new_end], autojunk=False
            )
            found += [
                _Change(i1 + piece.start, i2 + piece.start, j1 + piece.new_start, j2 + piece.new_start)
                for kind, i1, i2, j1, j2 in matcher.get_opcodes()
                if kind != "equal"
            ]
        else:
            aligned = False
            found.append(piece)
    return found, aligned


def _pieces(old: Sequence[str], new: Sequence[str], whole: _Change) -> Iterator[_Change]:
    # What lies between lines that occur once in either text, such as the heads of functions: matching takes
    # time that grows with the product of two lengths.
    places = _once(old, whole.start, whole.end)
    new_places = _once(new, whole.new_start, whole.new_end)
    pairs = sorted((place, new_places[line]) for line, place in places.items() if line in new_places)
    at, new_at = whole.start, whole.new_start
    for place, new_place in _ascending(pairs):  # the most whose order is the same in both
        yield _Change(at, place, new_at, new_place)
        at, new_at = place + 1, new_place + 1
    yield _Change(at, whole.end, new_at, whole.new_end)


def _once(lines: Sequence[str], start: int, end: int) -> dict[str, int]:
    numbers = Counter(lines[start:end])
    return {lines[place]: place for place in range(start, end) if numbers[lines[place]] == 1}


def _ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    # A longest part of pairs, ordered by their first numbers, whose second numbers ascend too.
    ends: list[int] = []  # the least second number at which an ascending part of each length ends
    tops: list[int] = []
    before: list[int] = []
    for index, (_, second) in enumerate(pairs):
        length = bisect_left(ends, second)
        ends[length : length + 1], tops[length : length + 1] = [second], [index]
        before.append(tops[length - 1] if length else -1)
    chain: list[tuple[int, int]] = []
    index = tops[-1] if tops else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@dataclass(frozen=True, slots=True)
class _PartNames:
    # Of a text: where each part begins and ends, in lines, and its name.
    starts: list[int]
    ends: list[int]
    names: list[str]

    @classmethod
    def of(cls, text: str, parts: str) -> _PartNames:
        found = cls([], [], [])
        line = at = 0
        for match in re.finditer(parts, text) if parts else ():
            line, at = line + text.count("\n", at, match.start()), match.start()
            found.starts.append(line)
            found.ends.append(line + match[0].count("\n"))
            found.names.append(match["name"].strip('"'))
        return found

    def at(self, line: int) -> str:
        index = bisect_right(self.starts, line) - 1
        return self.names[index] if index >= 0 and line <= self.ends[index] else ""


def _unified(
    old: Sequence[str], new: Sequence[str], changes: Sequence[_Change], names: Sequence[_PartNames]
) -> Iterator[str]:
    for hunk in _hunks(changes):
        first, last = hunk[0], hunk[-1]
        at, end = max(0, first.start - CONTEXT), min(len(old), last.end + CONTEXT)
        new_range = _range(first.new_start - (first.start - at), last.new_end + (end - last.end))
        name = names[1].at(first.new_start) or names[0].at(first.start)
        yield f"@@ -{_range(at, end)} +{new_range} @@ {name}".rstrip()
        new_at = first.new_start - (first.start - at)
        for change in hunk:
            yield from (f" {line}" for line in new[new_at : change.new_start])
            yield from (f"-{line}" for line in old[change.start : change.end])
            yield from (f"+{line}" for line in new[change.new_start : change.new_end])
            new_at = change.new_end
        yield from (f" {line}" for line in new[new_at : last.new_end + (end - last.end)])


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    # A function, or with an empty name what is in none. Each line of `text` begins with a space, or with + or
    # - where a step changed it; None where it is too long to be kept. `lines` counts those of the part now.
    name: str
    lines: int
    added: int
    removed: int
    text: str | None

    @property
    def changed(self) -> bool:
        return bool(self.added or self.removed)

    @classmethod
    def from_json(cls, data: object) -> TextPart:
        if not isinstance(data, Mapping) or set(data) != {one.name for one in fields(cls)}:
            raise ValueError("This is not a part of a text.")
        counts = [data[name] for name in ("lines", "added", "removed")]
        are_texts = isinstance(data["name"], str) and isinstance(data["text"], str | None)
        if not are_texts or any(type(one) is not int or one < 0 for one in counts):
            raise ValueError("This is not a part of a text.")
        return cls(**data)


def text_parts(before: str, after: str, *, parts: str = "", numbers: str = "") -> tuple[TextPart, ...]:
    """The parts of two texts, changed ones first; text beyond the limit is left out."""
    old, new = (_split(text, parts) for text in (before, after))
    found = [_compared(name, old.get(name, ""), new.get(name, ""), numbers) for name in {**new, **old}]
    found.sort(key=lambda one: not one.changed)
    left = limits.PLAYED_TEXT_BYTES
    kept: list[TextPart] = []
    for part in found[: limits.PLAYED_TEXT_PARTS]:
        size = len((part.text or "").encode(errors="replace"))
        kept.append(part if size <= left else replace(part, text=None))
        left -= size if size <= left else 0
    return tuple(kept)


def _split(text: str, parts: str) -> dict[str, str]:
    # By name; what is between the parts comes last.
    found: dict[str, str] = {}
    between: list[str] = []
    at = 0
    for match in re.finditer(parts, text) if parts else ():
        between.append(text[at : match.start()])
        found[match["name"].strip('"')] = match[0]
        at = match.end()
    between.append(text[at:])
    return {**found, "": re.sub(r"\n{3,}", "\n\n", "".join(between).strip("\n"))}


def _compared(name: str, before: str, after: str, numbers: str) -> TextPart:
    old, new = before.splitlines(), after.splitlines()
    changes, _ = _numberless_changes(old, new, numbers)
    lines: list[str] = []
    at = 0
    for change in changes:
        lines += [f" {line}" for line in new[at : change.new_start]]
        lines += [f"-{line}" for line in old[change.start : change.end]]
        lines += [f"+{line}" for line in new[change.new_start : change.new_end]]
        at = change.new_end
    lines += [f" {line}" for line in new[at:]]
    return TextPart(
        name=name,
        lines=len(new),
        added=sum(one.added for one in changes),
        removed=sum(one.removed for one in changes),
        text="\n".join(lines),
    )


def _hunks(changes: Sequence[_Change]) -> list[list[_Change]]:
    # Those together whose lines around them touch.
    hunks: list[list[_Change]] = []
    for change in changes:
        if hunks and change.start - hunks[-1][-1].end <= 2 * CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _range(start: int, stop: int) -> str:
    # As the unified format writes it: an empty one begins before its line.
    length = stop - start
    begin = start + 1 if length else start
    return f"{begin}" if length == 1 else f"{begin},{length}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimisation:
    # `kept` are positions from 0, ascending. `minimal`: none of them can be left out; False where the limit
    # of trials was reached before.
    kept: tuple[int, ...]
    minimal: bool
    trials: int

    def as_dict(self) -> dict[str, Any]:
        return {"kept": list(self.kept), "minimal": self.minimal, "trials": self.trials}

    @classmethod
    def from_json(cls, data: object, *, actions: int) -> Minimisation:
        if not isinstance(data, Mapping) or set(data) != {"kept", "minimal", "trials"}:
            raise ValueError("This is not a minimisation.")
        kept, minimal, trials = data["kept"], data["minimal"], data["trials"]
        if not isinstance(kept, list) or not isinstance(minimal, bool) or type(trials) is not int:
            raise ValueError("This is not a minimisation.")
        if any(type(one) is not int for one in kept) or sorted({*kept}) != kept:
            raise ValueError("The kept positions are not a list of ascending numbers.")
        if kept and not 0 <= kept[0] <= kept[-1] < actions:
            raise ValueError(f"The kept positions are not those of {actions} actions.")
        return cls(kept=tuple(kept), minimal=minimal, trials=trials)


@dataclass(slots=True, kw_only=True)
class Minimiser:
    # `candidate` says what to try, and `answer` takes the outcome. `size`: how many are left out together; 0
    # while the `idle` ones, which have no effect, are, all at once. `start`: how many of the last `kept` ones
    # stay: parts are tried from the end, so that of equal actions the first is kept. `shrunk`: whether this
    # round has left out any.
    kept: list[int]
    idle: list[int]
    size: int = 0
    start: int = 0
    shrunk: bool = False
    trials: int = 0
    applied: int = 0

    @classmethod
    def of(cls, actions: int, *, idle: Collection[int] = ()) -> Minimiser:
        return cls(kept=list(range(actions)), idle=sorted(idle))

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Minimiser:
        if set(data) != {one.name for one in fields(cls)}:
            raise ValueError("This is not the state of a minimisation.")
        return cls(**data)

    @property
    def done(self) -> Minimisation | None:
        is_minimal = self.size == 1 and self.start >= len(self.kept) and not self.shrunk
        ahead = self.applied + len(self.kept)
        is_used_up = self.trials >= limits.MINIMISED_TRIALS or ahead > limits.MINIMISED_ACTIONS
        if not is_minimal and not is_used_up:
            return None
        return Minimisation(kept=tuple(self.kept), minimal=is_minimal, trials=self.trials)

    def candidate(self) -> list[int]:
        if not self.size:
            left_out = set(self.idle)
            return [one for one in self.kept if one not in left_out]
        end = len(self.kept) - self.start
        return self.kept[: max(0, end - self.size)] + self.kept[end:]

    def answer(self, *, suffices: bool) -> None:
        tried = self.candidate()
        self.trials += 1
        self.applied += len(tried)
        first, self.shrunk = not self.size, self.shrunk or suffices
        if suffices:
            self.kept = tried
        elif not first:
            self.start += self.size
        if first:
            self._begin(max(1, len(self.kept) // 2))
        self._next_round()

    def _next_round(self) -> None:
        # With half the size once the last part was tried; with single ones while that helps.
        if self.start < len(self.kept):
            return
        if self.size > 1:
            self._begin(self.size // 2)
        elif self.shrunk:
            self._begin(1)

    def _begin(self, size: int) -> None:
        self.size, self.start, self.shrunk = size, 0, False


def read_played(text: str) -> tuple[Action, ...]:
    """The actions of a game as its address has them: ``3,15,39``, or ``0.6,12.2`` of two numbers each.

    Raises:
        InvalidInput: There are too many, or one is not a number.
    """
    words = text.split(",") if text else []
    if len(words) > limits.PLAYED_ACTIONS:
        raise InvalidInput(
            f"The game has {len(words):,} actions, and at most {limits.PLAYED_ACTIONS:,} can be played.",
            field="actions",
            value=f"{len(words)} actions",
            remedy="Leave out those without effect, or submit the sequence as a file.",
        )
    return tuple(map(_read_action, words))


def _read_action(word: str) -> Action:
    parts = word.split(".")
    if not all(
        part.isascii() and part.isdecimal() and len(part) <= limits.PARAMETER_DIGITS for part in parts
    ):
        raise InvalidInput(
            f"{word[: limits.PROBLEM_VALUE_LENGTH]!r} is not the number of an action.",
            field="actions",
            value=word[: limits.PROBLEM_VALUE_LENGTH],
            remedy="Give integers with commas between them: 3,15,39.",
        )
    return int(word) if len(parts) == 1 else tuple(map(int, parts))


def played_text(actions: Iterable[Action]) -> str:
    """What ``read_played`` reads."""
    return ",".join(str(one) if isinstance(one, int) else ".".join(map(str, one)) for one in actions)


def found_candidates(
    table: ActionTable, words: str, actions: Sequence[Action]
) -> tuple[tuple[Action, ...], int] | None:
    """The actions after some others that are tried where a text finds them, and how many it finds.

    None where all actions of a table are tried.
    """
    if not is_structured(table):
        return None
    found = list(table.matching(words, actions))  # type: ignore[attr-defined] # not of all tables
    return tuple(found[: limits.FOUND_ACTIONS]), len(found)


class ActionOutcome(NamedTuple):
    # What an action would give from a state. `cost` is None where it is not known, `error` the type of the
    # error in which the compiler would end; with `ends`, nothing could follow. `summary` says what the state
    # would be, in an environment that does.
    action: Action
    cost: float | None
    effect: bool
    error: str
    ends: bool
    summary: str = ""

    @classmethod
    def from_json(cls, data: object) -> ActionOutcome:
        match data:
            case [
                int() | list() as action,
                int() | float() | None as cost,
                bool(effect),
                str(error),
                bool(ends),
                str(summary),
            ]:
                numbers = action if isinstance(action, list) else [action]
                if numbers and all(type(one) is int and one >= 0 for one in numbers):
                    chosen = action if isinstance(action, int) else tuple(numbers)
                    return cls(chosen, cost, effect, error, ends, summary)
        raise ValueError("This is not the outcome of an action.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAheadResult:
    """A state of a program, and what each action would give from there.

    Attributes:
        costs: The cost before the first step and after each; that of the state alone where each takes a
            compilation, or is known at the end only; empty where the environment has no exact one.
        idle: The steps without effect, counted from 1.
        parts: The text of the state with what the last step changed.
        total: How many actions are to be tried.
        tried: Their outcomes so far, in the order of the action table; at the end fewer than ``total`` if the
            time was used up.
        seconds: The time that it took so far.
        summary: What the state is beside its cost, in an environment that says so.
    """

    costs: tuple[float, ...]
    idle: tuple[int, ...]
    parts: tuple[TextPart, ...]
    total: int
    tried: tuple[ActionOutcome, ...] = ()
    seconds: float = 0.0
    summary: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self) | {"tried": [list(one) for one in self.tried]}

    @classmethod
    def from_json(cls, data: object, *, actions: int) -> LookAheadResult:
        """Read what ``as_dict`` gave for so many actions; ValueError if it is something else."""
        if not isinstance(data, Mapping) or set(data) != {one.name for one in fields(cls)}:
            raise ValueError("This is not a look ahead.")
        lists = [data[name] for name in ("costs", "idle", "parts", "tried")]
        if not all(isinstance(one, list | tuple) for one in lists):
            raise ValueError("This is not a look ahead.")
        costs, idle, parts, tried = lists
        if len(costs) not in (0, 1, actions + 1) or any(type(one) not in (int, float) for one in costs):
            raise ValueError(f"The costs are not those of {actions} steps.")
        if any(type(one) is not int or not 0 < one <= actions for one in idle):
            raise ValueError(f"The steps without effect are not among {actions}.")
        types = {name: type(data[name]) for name in ("total", "seconds", "summary")}
        if types["total"] is not int or types["seconds"] not in (int, float) or types["summary"] is not str:
            raise ValueError("This is not a look ahead.")
        return cls(
            costs=tuple(costs),
            idle=tuple(idle),
            parts=tuple(map(TextPart.from_json, parts)),
            total=data["total"],
            tried=tuple(map(ActionOutcome.from_json, tried)),
            seconds=data["seconds"],
            summary=data["summary"],
        )
