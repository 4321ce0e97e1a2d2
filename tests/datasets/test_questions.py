"""What may be asked of the lists of the API: nothing is passed over in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from datasets.models import DatasetVersion

pytestmark = pytest.mark.django_db

DATASETS = "/api/v1/datasets/"
BENCHMARKS = f"{DATASETS}tiny-v0/benchmarks/"


@pytest.mark.parametrize(
    ("url", "asked", "remedy"),
    [
        (BENCHMARKS, {"domian": "x"}, "Did you mean 'domain'"),
        (BENCHMARKS, {"offset": "5"}, "The known ones are: domain, language, licence, split, kind, search"),
        (DATASETS, {"depreciated": "true"}, "Did you mean 'deprecated'"),
        (BENCHMARKS, {"page_size": "abc"}, "from 1 to 100"),
        (BENCHMARKS, {"page_size": "0"}, "from 1 to 100"),
        (BENCHMARKS, {"page_size": "-1"}, "from 1 to 100"),
        (BENCHMARKS, {"page_size": "101"}, "from 1 to 100"),
        (DATASETS, {"page_size": "9" * 5000}, "from 1 to 100"),
        (DATASETS, {"deprecated": "1"}, "documented"),
        (BENCHMARKS, {"kind": "foo"}, "documented"),
    ],
    ids=str,
)
def test_what_is_asked_in_vain_is_a_problem_with_value_and_remedy(
    client: Client, version: DatasetVersion, url: str, asked: dict[str, str], remedy: str
) -> None:
    response = client.get(url, asked)
    assert (response.status_code, response.json()["type"]) == (422, "/problems/#invalid-document")
    (error,) = response.json()["errors"]
    ((name, value),) = asked.items()
    assert (error["field"], error["value"][:100]) == (name, value[:100])
    assert remedy in error["remedy"]
    assert "was stored" not in response.json()["remedy"]


def test_what_every_list_takes_may_be_asked(client: Client, version: DatasetVersion) -> None:
    assert len(client.get(BENCHMARKS, {"page_size": "100", "domain": "sorting"}).json()["results"]) == 3
    assert len(client.get(BENCHMARKS, {"page_size": "1"}).json()["results"]) == 1


def test_every_unknown_parameter_is_named(client: Client, version: DatasetVersion) -> None:
    errors = client.get(BENCHMARKS, {"a": "1", "b": "2"}).json()["errors"]
    assert [error["field"] for error in errors] == ["a", "b"]
