"""Limits have one home: the columns of the database and the API's document agree with ``optarena.limits``."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import connection, models
from drf_spectacular.generators import SchemaGenerator

from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = ("accounts", "datasets", "leaderboard", "runner")
OF_PROPERTIES = {
    "about": limits.DESCRIPTION_LENGTH,
    "action_space": limits.ACTION_SPACE_LENGTH,
    "actions": limits.MAX_ACTIONS_PER_ITEM,
    "affiliation": limits.AFFILIATION_LENGTH,
    "agent": limits.AGENT_LENGTH,
    "benchmark": limits.URI_LENGTH,
    "board": limits.NAMED_BOARD_LENGTH,
    "description": limits.DESCRIPTION_LENGTH,
    "email": limits.EMAIL_LENGTH,
    "items": limits.MAX_ITEMS_PER_SUBMISSION,
    "name": limits.TOKEN_NAME_LENGTH,
    "new_password": limits.PASSWORD_LENGTH,
    "password": limits.PASSWORD_LENGTH,
    "url": limits.SUBMISSION_URL_LENGTH,
    "username": limits.GIVEN_USERNAME_LENGTH,
}
"""The limit of each property of the API's document that states one."""


def our_models() -> Iterator[type[models.Model]]:
    for label in OURS:
        yield from apps.get_app_config(label).get_models()


def given_lengths(model: type[models.Model]) -> dict[str, str]:
    """What a model's source gives as the length of each of its texts; empty where it gives none."""
    [definition] = ast.parse(inspect.getsource(model)).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for line in definition.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(line.value, ast.Call):
            name = ast.unparse(line.targets[0] if isinstance(line, ast.Assign) else line.target)
            given = {one.arg: ast.unparse(one.value) for one in line.value.keywords}
            found[name] = given.get("max_length", "")
    texts = {
        field.name
        for field in model._meta.local_fields
        if isinstance(field, models.CharField | models.TextField) and field.max_length
    }
    return {name: text for name, text in found.items() if name in texts}


def test_a_column_is_as_long_as_its_limit(db: None) -> None:
    count = 0
    for model in our_models():
        for name, text in given_lengths(model).items():
            assert text.startswith("limits."), f"{text or 'the default'} has no name in optarena.limits"
            most = getattr(limits, text.removeprefix("limits."))
            field = model._meta.get_field(name)
            assert isinstance(field, models.Field)
            assert field.max_length == most, field
            if not isinstance(field, models.TextField):
                assert stored_length(model._meta.db_table, field.column) == most, field
            count += 1
    assert count > 50


def stored_length(table: str, column: str) -> int:
    """How many characters the database keeps in a column."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT character_maximum_length FROM information_schema.columns "
            "WHERE table_name = %s AND column_name = %s",
            [table, column],
        )
        [(length,)] = cursor.fetchall()
    return int(length)


def stated(document: Any, name: str = "") -> Iterator[tuple[str, int]]:
    """The longest texts and lists of a JSON schema, with the property that each belongs to."""
    if isinstance(document, list):
        for one in document:
            yield from stated(one, name)
    elif isinstance(document, dict):
        yield from (
            (name, document[key]) for key in ("maxLength", "maxItems") if isinstance(document.get(key), int)
        )
        for key, inner in document.items():
            if key == "properties":
                for own, schema in inner.items():
                    yield from stated(schema, own)
            else:
                yield from stated(inner, document.get("name", name) if key == "schema" else name)


def test_the_document_of_the_api_states_the_same_limits() -> None:
    found = set(stated(SchemaGenerator().get_schema(request=None, public=True)))
    assert {name for name, _ in found} >= {"username", "password"}
    assert {(name, most) for name, most in found if OF_PROPERTIES.get(name) != most} == set()
