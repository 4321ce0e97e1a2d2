"""Finds the object of an API address, or raises a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404

from datasets import selectors

if TYPE_CHECKING:
    from datasets.models import Benchmark, DatasetVersion


def get_version(name: str, *related: str) -> DatasetVersion:
    """The dataset version of this name, with what it refers to.

    Raises:
        Http404: There is none.
    """
    rows = selectors.dataset_versions()
    found = (rows.select_related(*related) if related else rows).filter(name=name).first()
    if found is None:
        raise Http404(f"There is no dataset {name!r}; see /api/v1/datasets/.")
    return found


def get_benchmark(name: str, path: str) -> Benchmark:
    """The benchmark at a path inside a dataset version.

    Raises:
        Http404: There is none.
    """
    found = selectors.find_in_dataset(get_version(name), path)
    if found is None:
        raise Http404(f"The dataset {name!r} does not have a benchmark {path!r}.")
    return found
