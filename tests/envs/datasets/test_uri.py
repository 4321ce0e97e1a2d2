"""The grammar of benchmark URIs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.datasets import BenchmarkUri
from optarena.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "scheme", "dataset", "path"),
    [
        ("benchmark://kernels-v0/quicksort", "benchmark", "kernels-v0", "quicksort"),
        ("kernels-v0/quicksort", "benchmark", "kernels-v0", "quicksort"),
        ("benchmark://kernels-v0", "benchmark", "kernels-v0", ""),
        ("generator://csmith-v0/42", "generator", "csmith-v0", "42"),
        ("benchmark://loop_tool-v0/1024", "benchmark", "loop_tool-v0", "1024"),
        ("benchmark://cbench-v12/a/b.c", "benchmark", "cbench-v12", "a/b.c"),
        ("file:///data/x.bc", "file", "", "/data/x.bc"),
        ("file:///data/with%20space.bc", "file", "", "/data/with space.bc"),
    ],
)
def test_valid_uris_are_taken_apart(text: str, scheme: str, dataset: str, path: str) -> None:
    uri = BenchmarkUri.parse(text)
    assert (uri.scheme, uri.dataset, uri.path) == (scheme, dataset, path)
    assert BenchmarkUri.parse(str(uri)) == uri


def test_parameters_are_kept_in_order() -> None:
    uri = BenchmarkUri.parse("generator://csmith-v0/1?b=2&a=x%20y")
    assert uri.params == (("b", "2"), ("a", "x y"))
    assert str(uri) == "generator://csmith-v0/1?b=2&a=x+y"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quicksort",
        "kernels/quicksort",
        "benchmark://",
        "benchmark://kernels-v0/",
        "benchmark://kernels-v0/../secret",
        "benchmark://kernels-v0/a//b",
        "benchmark://kernels-v0/a b",
        "benchmark://kernels-v0/a\n",
        "benchmark://kernels-v0/a\nb",
        "benchmark://Kernels-v0/a",
        "1://kernels-v0/a",
        "file://x.bc",
        "file:///",
        "file:///folder/",
        "benchmark://kernels-v0/a?novalue",
        "benchmark://kernels-v0/" + "a" * 3000,
    ],
)
def test_invalid_uris_are_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        BenchmarkUri.parse(text)
    assert caught.value.remedy


def test_a_text_that_is_too_long_is_told_the_limit() -> None:
    with pytest.raises(InvalidInput, match=f"characters, more than {limits.ANY_URI_LENGTH}"):
        BenchmarkUri.parse("file:///" + "a" * limits.ANY_URI_LENGTH)


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        uri = BenchmarkUri.parse(text)
    except InvalidInput:
        return
    assert BenchmarkUri.parse(str(uri)) == uri
