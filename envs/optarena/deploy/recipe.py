"""A recipe says which passes clang runs on which file of a build: versioned JSON, checked as a whole.

Its schema is in ``recipe.schema.json``. The first rule that matches a file counts, and the last one, ``*``,
matches every file. A sequence has its passes as text and as actions of a table, which must agree; a level of
the compiler, such as ``default<Oz>``, has only the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import document_error, json_document
from optarena.documents.places import Place
from optarena.errors import InvalidAction, InvalidDocument
from optarena.llvm.actions import CURATED, SEPARATOR
from optarena.llvm.toolchain import CLANG_MAJOR

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA: Final = 1
LEVELS: Final = ("O1", "O2", "O3", "Os", "Oz")
UNIT: Final = "unit"
LINK: Final = "link"
CODE: Final = "text_size_bytes"
LOADED: Final = "load_size_bytes"
# The first one is the default: passes that save some bytes of code may add tables of many more.
METRICS: Final = (LOADED, CODE)
MOST_BYTES: Final = 16_000_000
MOST_SEQUENCES: Final = 16
EVERY: Final = "*"
# What clang's own passes would lower, and what the author of a function has asked for.
REQUIRED: Final = "coro-cond(coro-early),always-inline,coro-cond(cgscc(coro-split),coro-cleanup,globaldce)"
# What the linker's own passes do, too: for -fsanitize=cfi, and for what nothing outside the program uses.
_LINKED: Final = ("lowertypetests", "globaldce", "ipsccp", "globalopt", "deadargelim")
# How opt names what the compiler does with a file, and the linker with a program.
_LEVELS: Final = {UNIT: "default", LINK: "lto"}
_SHA256: Final = re.compile("[0-9a-f]{64}")
_LINE: Final = kinds.text(longest=1_000)
_PASSES: Final = kinds.text(longest=2_000_000)  # of as many actions as an item may have
_ORIGIN: Final = kinds.record(
    {
        "address": Field(_LINE, description="Where it was found: a submission's item."),
        "benchmark": Field(_LINE, description="The program that it was found on."),
        "agent": Field(_LINE),
        "licence": Field(_LINE, description="Of that program, as SPDX identifier."),
    }
)
_SEQUENCE: Final = kinds.record(
    {
        "pipeline": Field(_PASSES, needed=True, description="As for `opt -passes=`."),
        "actions": Field(kinds.INTEGERS, description="The same as numbers of the table; none for a level."),
        "origin": Field(_ORIGIN),
        "expected": Field(kinds.number(low=0), description="The metric's value where it was found."),
    }
)
_RULE: Final = kinds.record(
    {
        "source": Field(_LINE, description="The end of a path at a slash, or * for every file."),
        "sha256": Field(
            kinds.matching(_SHA256, "64 hexadecimal digits"), description="Of a module that was recorded."
        ),
        "scope": Field(kinds.choice(UNIT, LINK), description="One file, which is the default, or a program."),
        "sequences": Field(kinds.list_of(_SEQUENCE, least=1, is_numbered=True), needed=True),
    },
    one_of=("source", "sha256"),
)
_RECIPE: Final = kinds.record(
    {
        "schema": Field(kinds.number(is_whole=True, low=0), needed=True),
        "llvm": Field(kinds.number(is_whole=True, low=0), needed=True, description="LLVM's major version."),
        "level": Field(kinds.choice(*LEVELS), needed=True, description="The option -O of the front end."),
        "metric": Field(
            kinds.choice(*METRICS), needed=True, description="What the best sequence has least of."
        ),
        "table": Field(kinds.choice(CURATED.name), needed=True),
        "required": Field(kinds.text(longest=10_000, is_optional=True), needed=True),
        "rules": Field(kinds.list_of(_RULE, least=1, is_numbered=True), needed=True),
    },
    description="Which passes clang runs on which file of a build.",
)
SCHEMA_DOCUMENT: Final = {"$schema": "https://json-schema.org/draft/2020-12/schema", **_RECIPE.schema}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """Passes, and where they were found.

    Attributes:
        actions: Numbers of the table; empty for a level of the compiler.
        origin: Values of ``address``, ``benchmark``, ``agent`` and ``licence``, as far as they are known.
        expected: The value of the recipe's metric where they were found; None if unknown.
    """

    pipeline: str
    actions: tuple[int, ...] = ()
    origin: Mapping[str, str] = field(default_factory=dict)
    expected: float | None = None

    @classmethod
    def of_actions(cls, actions: tuple[int, ...], **rest: Any) -> Sequence:  # noqa: ANN401 # the other fields
        """The sequence of some actions, as the environments run them."""
        return cls(pipeline=pipeline_of(actions), actions=actions, **rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The sequences for a file, of which the best one counts. One of ``source`` and ``sha256`` is empty."""

    sequences: tuple[Sequence, ...]
    source: str = ""
    sha256: str = ""
    scope: str = UNIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Which passes clang runs on which file; see ``recipe.schema.json``."""

    rules: tuple[Rule, ...]
    level: str = "Oz"
    metric: str = METRICS[0]
    required: str = REQUIRED

    def of_scope(self, scope: str) -> tuple[Rule, ...]:
        """The rules for single files, or for whole programs."""
        return tuple(one for one in self.rules if one.scope == scope)


def default_sequence(level: str, scope: str = UNIT) -> Sequence:
    """The compiler's own level as a sequence, for single files or for the linked program."""
    return Sequence(pipeline=f"{_LEVELS[scope]}<{level}>")


def linked_prefix(required: str) -> str:
    """What runs before a sequence on a linked program, beside what a recipe requires."""
    return SEPARATOR.join(filter(None, (required, *_LINKED)))


def pipeline_of(actions: tuple[int, ...]) -> str:
    """The text of some actions for ``opt -passes=``."""
    return SEPARATOR.join(CURATED.action(index).pipeline for index in actions)


def read_recipe(path: Path) -> Recipe:
    """The recipe in a file.

    Raises:
        InvalidDocument: The file is not a recipe; every problem is listed.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise document_error("recipe", f"{path} has more than {MOST_BYTES:,} bytes.", "Name a recipe's file.")
    return parse_recipe(data)


def parse_recipe(data: bytes) -> Recipe:
    """The recipe in a document; the errors of ``read_recipe``."""
    place = Place()
    values = _RECIPE.read(json_document(data, field="recipe"), place) or {}
    if values.get("schema", SCHEMA) != SCHEMA:
        message = f"This version reads schema {SCHEMA}."
        place.at("schema").problem(message, values["schema"], "Make the recipe again, or update optarena.")
    if values.get("llvm", CLANG_MAJOR) != CLANG_MAJOR:
        message = f"The recipe is for LLVM {values['llvm']}, and passes belong to one major version."
        place.at("llvm").problem(message, values["llvm"], f"Make a recipe for LLVM {CLANG_MAJOR}.")
    if place.problems:
        raise InvalidDocument(place.problems)
    rules = tuple(_rule(one) for one in values["rules"])
    _check_rules(rules, place.at("rules"))
    if place.problems:
        raise InvalidDocument(place.problems)
    return Recipe(rules=rules, **{name: values[name] for name in ("level", "metric", "required")})


def write_recipe(recipe: Recipe) -> str:
    """The text of a recipe's file."""
    document = {
        "schema": SCHEMA,
        "llvm": CLANG_MAJOR,
        "level": recipe.level,
        "metric": recipe.metric,
        "table": CURATED.name,
        "required": recipe.required,
        "rules": [_rule_data(one) for one in recipe.rules],
    }
    text = json.dumps(document, indent=2, ensure_ascii=False)
    # The numbers of a sequence belong on one line.
    return re.sub(r"\[[\d,\s]+\]", lambda found: re.sub(r"\s+", " ", found[0]), text) + "\n"


def _rule_data(rule: Rule) -> dict[str, Any]:
    sequences = [
        {
            "pipeline": one.pipeline,
            **({"actions": list(one.actions)} if one.actions else {}),
            **({"origin": dict(one.origin)} if one.origin else {}),
            **({} if one.expected is None else {"expected": one.expected}),
        }
        for one in rule.sequences
    ]
    named = {"sha256": rule.sha256} if rule.sha256 else {"source": rule.source}
    return {**named, "scope": rule.scope, "sequences": sequences}


def _rule(values: dict[str, Any]) -> Rule:
    sequences = tuple(Sequence(**one) for one in values["sequences"])
    return Rule(**{**values, "sequences": sequences})


def _check_rules(rules: tuple[Rule, ...], place: Place) -> None:
    for index, rule in enumerate(rules):
        here = place.element(index)
        _check_name(rule, here)
        for number, before in enumerate(rules[:index]):
            if _hides(before, rule):
                message = f"Rule {number} already matches every file that this one matches."
                remedy = "Remove one of them, or put this one before."
                here.at("sha256" if rule.sha256 else "source").problem(
                    message, rule.sha256 or rule.source, remedy
                )
                break
        _check_sequences(rule, here.at("sequences"))
    for scope in (UNIT, LINK):
        own = [one for one in rules if one.scope == scope]
        if own and own[-1].source != EVERY:
            what = f"The last rule of scope {scope} must match every file."
            place.problem(what, own[-1].source or own[-1].sha256, 'Add a rule with "source": "*".')


def _check_name(rule: Rule, place: Place) -> None:
    if bool(rule.source) == bool(rule.sha256):
        remedy = "Give the end of a path, or the hash of a module."
        place.problem("A rule must have one of source and sha256.", rule.source or None, remedy)
    elif rule.source.endswith("/") or "//" in rule.source:
        place.at("source").problem("The text is not the end of a file's path.", rule.source, "Name a file.")
    elif rule.scope == LINK and rule.source != EVERY:
        message = "A whole program has no source."
        place.at("source").problem(message, rule.source or rule.sha256, 'Give "*".')


def _hides(before: Rule, rule: Rule) -> bool:
    if before.scope != rule.scope:
        return False
    if rule.sha256 or before.sha256:
        return before.source == EVERY or (bool(rule.sha256) and before.sha256 == rule.sha256)
    return before.source == EVERY or f"/{rule.source}".endswith(f"/{before.source}")


def _check_sequences(rule: Rule, place: Place) -> None:
    most = 1 if rule.scope == LINK else MOST_SEQUENCES
    if len(rule.sequences) > most:
        message = f"A rule of scope {rule.scope} may have {most}."
        place.problem(message, len(rule.sequences), "Remove the others.")
    for index, sequence in enumerate(rule.sequences):
        for name, message, value, remedy in _sequence_problems(sequence, rule.scope):
            place.element(index).at(name).problem(message, value, remedy)


def _sequence_problems(sequence: Sequence, scope: str) -> Iterator[tuple[str, str, object, str]]:
    if not sequence.actions:
        levels = [default_sequence(one, scope).pipeline for one in LEVELS]
        if sequence.pipeline not in levels:
            message = "A text without actions must be a level of the compiler."
            remedy = f"Add the actions, or give one of {', '.join(levels)}."
            yield "pipeline", message, sequence.pipeline, remedy
        return
    try:
        text = pipeline_of(sequence.actions)
    except (InvalidAction, TypeError) as error:
        remedy = getattr(error, "remedy", "") or "Give whole numbers."
        yield "actions", getattr(error, "message", "An action is not a number."), None, remedy
        return
    if text != sequence.pipeline:
        pairs = zip(text.split(SEPARATOR), [*sequence.pipeline.split(SEPARATOR), ""], strict=False)
        wanted, given = next((one for one in pairs if one[0] != one[1]), (text, sequence.pipeline))
        message = "The text differs from the actions."
        yield "pipeline", message, given, f"The actions say {wanted[:80]!r} there; correct one of both."
