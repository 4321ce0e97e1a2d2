"""Rows that are inserted together are stored as each of them alone would be."""

from __future__ import annotations

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from datasets import bulk_inserts
from datasets.bulk_inserts import insert_rows
from runner.models import Payer, Verification
from tests.factories import make_work

pytestmark = pytest.mark.django_db

ARRAYS = [
    None,
    [],
    ["size"],
    ["size", "time"],
    [""],
    ["NULL", "null"],
    ['"', "\\", "{a,b}"],
    ["a b", "é", "\n"],
]
DOCUMENTS: list[object] = [[1], [True], [1.5], ["1"], [], {}, {"a": None}, "text"]


@pytest.fixture(params=[1, 3, 100], ids="in statements of {}".format)
def _batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_inserts, "_BATCH", request.param)


def verifications(number: int) -> list[Verification]:
    """Rows that are like a stored one, but not the same work."""
    given = Verification.objects.filter(pk=make_work().pk).values().get()
    return [
        Verification(**given | {"id": uuid.uuid4(), "actions_sha256": f"{place:064}"})
        for place in range(number)
    ]


@pytest.mark.usefixtures("_batches")
def test_all_values_of_all_rows_are_stored() -> None:
    rows = verifications(len(ARRAYS))
    for row, array, document in zip(rows, ARRAYS, DOCUMENTS, strict=True):
        row.wanted_metrics, row.actions, row.detail = array, document, f"'{array}' %s"
    assert insert_rows(iter(rows)) == rows
    fields = [field.attname for field in Verification._meta.concrete_fields]
    for row in rows:
        stored = Verification.objects.get(pk=row.pk)
        assert [repr(getattr(stored, name)) for name in fields] == [
            repr(getattr(row, name)) for name in fields
        ]
        assert not row._state.adding


def test_documents_that_compare_equal_are_not_taken_for_one() -> None:
    rows = verifications(2)
    rows[0].actions, rows[1].actions = [1, 0], [True, False]
    insert_rows(rows)
    assert repr(Verification.objects.get(pk=rows[1].pk).actions) == "[True, False]"


@pytest.mark.usefixtures("_batches")
def test_keys_that_the_database_counts_are_those_of_the_rows_in_their_order() -> None:
    rows = [Payer(name=f"user:{number}", counted_at=timezone.now()) for number in range(7)]
    insert_rows(rows)
    keys = [Payer.objects.get(name=row.name).pk for row in rows]
    assert [row.pk for row in rows] == keys == sorted(keys)


@pytest.mark.usefixtures("_batches")
def test_a_row_that_is_there_undoes_all_or_is_left_out() -> None:
    Payer.objects.create(name="user:2", counted_at=timezone.now())
    names = [f"user:{number}" for number in range(4)]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Payer(name=name, counted_at=timezone.now()) for name in names)
    assert Payer.objects.filter(name__in=names).count() == 1
    more = (Payer(name=name, counted_at=timezone.now()) for name in names)
    assert insert_rows(more, ignore_conflicts=True) == []  # their keys are counted, so nothing tells
    assert Payer.objects.filter(name__in=names).count() == 4


@pytest.mark.usefixtures("_batches")
def test_those_that_were_not_there_are_told_by_their_own_keys() -> None:
    rows = verifications(5)
    rows[1].save()
    rows[3].pk = Verification.objects.exclude(pk=rows[1].pk).get().pk
    new = insert_rows(rows, ignore_conflicts=True)
    assert new == [rows[0], rows[2], rows[4]]
    assert not any(row._state.adding for row in new)
    assert Verification.objects.count() == 5
