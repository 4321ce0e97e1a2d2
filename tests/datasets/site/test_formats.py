"""How numbers are written on the pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.template.defaultfilters import date as date_filter

from datasets.site import formats
from datasets.site.templatetags import site


@pytest.mark.parametrize("name", ["score", "signed_percent", "number", "duration"])
def test_what_does_not_exist_is_a_dash(name: str) -> None:
    written = site.register.filters[name]
    assert [written(None), written("")] == [formats.NOTHING] * 2


def test_figures_are_written_for_people() -> None:
    assert formats.score(1.23456) == "1.2346"
    assert formats.signed_percent(0.051) == "+5.10 %"
    assert formats.signed_percent(-0.051) == "\N{MINUS SIGN}5.10 %"
    assert formats.number(12345.0) == "12,345"
    assert formats.number(1.5) == "1.5"
    assert [formats.short(value) for value in (512, 16_384, 4 * 2**20, 2**31)] == ["512", "16k", "4M", "2G"]
    assert formats.percent(0.5) == "50%"


def test_seconds_are_written_in_the_unit_that_fits() -> None:
    assert [formats.duration(s) for s in (0.5, 12, 120, 7200, 172800)] == [
        "500 ms",
        "12.0 s",
        "2 min",
        "2.0 h",
        "2.0 days",
    ]


def test_a_moment_names_its_time_zone() -> None:
    when = datetime(2026, 3, 1, 0, 5, 9, tzinfo=timezone(timedelta(hours=2)))
    assert formats.moment(when) == "2026-02-28 22:05 UTC"
    assert formats.moment(when, "seconds") == "2026-02-28 22:05:09 UTC"


def test_a_value_is_found_by_a_key_that_is_a_variable() -> None:
    assert site.get({"a": 1}, "a") == 1
    assert site.get(None, "a") == ""


def test_moments_are_written_as_django_writes_them() -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
    assert formats.iso(at) == date_filter(at, "c")
    assert formats.day(at) == date_filter(at, "Y-m-d") == "2026-01-02"
