"""Requests drawn from the OpenAPI document, good and bad: the server answers as the document says."""

from __future__ import annotations

import functools
import json
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from django.core.cache import cache
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.urls import resolve
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from leaderboard.common.middleware import known_parameters
from leaderboard.submissions.uploads import CSV_PARAMETERS
from tests.kit.arena import Arena, body, rolled_back
from tests.kit.examples import examples
from tests.kit.folders import ROOT
from tests.kit.portable import PORTABLE_SLUG

if TYPE_CHECKING:
    from pathlib import Path

    import schemathesis


pytestmark = pytest.mark.django_db
SLUGS: Final = {"environments": "llvm-ic-v0", "portable": PORTABLE_SLUG}
NO_ID: Final = str(uuid.UUID(int=0))
CSV_FIELDS: Final = [one.name for one in CSV_PARAMETERS]
WRITTEN: Final = ROOT / "docs" / "openapi.yaml"
DOCUMENT: Final = yaml.load(WRITTEN.read_text(), yaml.CSafeLoader)
METHODS: Final = {
    operation["operationId"]: method.upper()
    for path in DOCUMENT["paths"].values()
    for method, operation in path.items()
}
"""The method of each operation."""
PLAIN = {"Accept-Encoding": "identity"}
"""This client does not decompress."""


NEGATIVE: Final = "negative"


def is_read(name: str) -> bool:
    return METHODS[name] == "GET"


@functools.cache
def operations() -> dict[str, Any]:
    import schemathesis  # noqa: PLC0415 - all processes of a run collect this file, and one needs it

    document = schemathesis.openapi.from_dict(DOCUMENT)
    document.app = get_wsgi_application()
    document.location = "/api/v1/schema/"
    found = []
    for one in document.get_all_operations():
        if hasattr(one, "err"):
            raise one.err()
        found.append(one.ok())
    return {one.definition.raw["operationId"]: one for one in found}


def checks() -> list[Any]:
    from schemathesis import checks  # noqa: PLC0415 - as above

    return [checks.not_a_server_error, checks.content_type_conformance, checks.response_schema_conformance]


@pytest.fixture(scope="module", autouse=True)
def _open_connection(arena: Arena) -> Iterator[None]:
    """Each request is undone, so the connection must stay open."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


def real_keys(arena: Arena, path: str) -> dict[str, object]:
    return {
        "submission_id": str(arena.submission.pk),
        "entry_id": str(arena.entry.pk),
        "position": 0,
        "name": "tiny-v0",
        "username": "ada",
        "path": "alpha",
        "step": "1",
        "slug": next((slug for room, slug in SLUGS.items() if room in path), "test-ic"),
    }


def test_the_document_has_the_operations_of_the_api() -> None:
    assert {"submit", "validate_submission", "withdraw", "standings", "benchmarks"} <= set(METHODS)
    assert operations().keys() == METHODS.keys()


def test_each_operation_is_described() -> None:
    assert not [name for name, one in operations().items() if not one.definition.raw.get("description")]


def test_the_document_that_is_checked_in_is_the_servers_and_valid(tmp_path: Path) -> None:
    """`python manage.py spectacular --file docs/openapi.yaml` writes it anew; its difference is reviewed."""
    file = tmp_path / "openapi.yaml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(file))
    assert file.read_text() == WRITTEN.read_text()


def test_the_document_names_the_parameters_that_are_read() -> None:
    for operation in operations().values():
        where = re.sub(r"\{[^}]*\}", "0", re.sub(r"{(submission|entry)_id}", NO_ID, operation.path))
        view: Any = resolve(where).func
        named = {one.name for one in operation.query}
        free = operation.method.upper() in getattr(view.cls, "free_queries", ())
        assert named == (set(CSV_FIELDS) if free else set(known_parameters(view.cls))), operation.path


@pytest.mark.drawn
@pytest.mark.parametrize(
    ("name", "mode"),
    [
        # Of what only reads, wrong requests are drawn by `./run soak` alone.
        pytest.param(name, mode, marks=[pytest.mark.soak] if mode == NEGATIVE and is_read(name) else [])
        for name in METHODS
        for mode in ("positive", NEGATIVE)
    ],
)
def test_answers_are_as_the_document_says(name: str, mode: str, arena: Arena) -> None:
    from schemathesis.generation import GenerationMode  # noqa: PLC0415 - as above

    operation, asked = operations()[name], 0
    keys = real_keys(arena, operation.path)

    @settings(
        max_examples=examples(1 if is_read(name) else 2),
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=GenerationMode(mode)),
        role=st.sampled_from(["owner", "staff", ""]),
        real=st.sampled_from([True, False]),
    )
    def check(case: schemathesis.Case[Any], role: str, *, real: bool) -> None:
        nonlocal asked
        asked += 1
        cache.clear()  # of throttles
        if real:
            case.path_parameters = {
                one: keys.get(one, value) for one, value in (case.path_parameters or {}).items()
            }
        token = {"Authorization": f"Bearer {arena.tokens[role]}"} if role else {}
        with rolled_back():
            answer = case.call(headers=PLAIN | token)
            if answer.status_code != HTTPStatus.PERMANENT_REDIRECT:  # as of every address with blanks
                case.validate_response(answer, checks=checks())

    with suppress(Unsatisfiable):  # nothing can be wrong about a request without parameters and body
        check()
    assert asked or mode == NEGATIVE


def test_a_good_submission_is_answered_as_the_document_says(arena: Arena) -> None:
    for name in ("submit", "validate_submission"):
        case = operations()[name].Case(body=body(), media_type="application/json")
        with rolled_back():
            token = {"Authorization": f"Bearer {arena.tokens['owner']}"}
            answer = case.call_and_validate(headers=PLAIN | token, checks=checks())
        assert answer.status_code in (200, 202), json.dumps(answer.json())
