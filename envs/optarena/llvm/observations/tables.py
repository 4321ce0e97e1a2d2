"""Observations that are tables: a dict of columns, each with one value per row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.service.proto.compiler_gym_service_pb2 import (
    DictEvent,
    DictSpace,
    Event,
    Int64Range,
    Int64SequenceSpace,
    Int64Tensor,
    ListEvent,
    Space,
    SpaceSequenceSpace,
    StringSpace,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_INT64_MAX: Final = 2**63 - 1
TEXTS: Final = Space(
    space_sequence=SpaceSequenceSpace(
        length_range=Int64Range(min=0, max=_INT64_MAX),
        space=Space(string_value=StringSpace(length_range=Int64Range(min=0))),
    )
)
"""The space of lists of texts, in the form that CompilerGym's clients can read; without a maximum they would
read 0."""


def texts(values: Iterable[str]) -> Event:
    """The event that holds a list of texts."""
    return Event(event_list=ListEvent(event=[Event(string_value=value) for value in values]))


def table_space(names: Iterable[str], words: Iterable[str]) -> Space:
    """The space of tables with integer columns and text columns."""
    any_length = Int64Range(min=0)
    integers = Space(int64_sequence=Int64SequenceSpace(length_range=any_length))
    return Space(space_dict=DictSpace(space=dict.fromkeys(names, integers) | dict.fromkeys(words, TEXTS)))


def table_event(columns: Mapping[str, list[int]], words: Mapping[str, list[str]]) -> Event:
    """The event that holds a table."""
    integers = {
        name: Event(int64_tensor=Int64Tensor(shape=[len(column)], value=column))
        for name, column in columns.items()
    }
    strings = {name: texts(column) for name, column in words.items()}
    return Event(event_dict=DictEvent(event=integers | strings))
