"""Observations that are tables: a dict of columns, each with one value per row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.service.proto.compiler_gym_service_pb2 import (
    DictEvent,
    DictSpace,
    Event,
    Int64Range,
    Int64SequenceSpace,
    Int64Tensor,
    Space,
    StringSequenceSpace,
    StringTensor,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def table_space(names: Iterable[str], texts: Iterable[str]) -> Space:
    """The space of tables with integer columns and text columns."""
    any_length = Int64Range(min=0)
    integers = Space(int64_sequence=Int64SequenceSpace(length_range=any_length))
    strings = Space(string_sequence=StringSequenceSpace(length_range=any_length))
    return Space(space_dict=DictSpace(space=dict.fromkeys(names, integers) | dict.fromkeys(texts, strings)))


def table_event(columns: Mapping[str, list[int]], texts: Mapping[str, list[str]]) -> Event:
    """The event that holds a table."""
    integers = {
        name: Event(int64_tensor=Int64Tensor(shape=[len(column)], value=column))
        for name, column in columns.items()
    }
    strings = {
        name: Event(string_tensor=StringTensor(shape=[len(column)], value=column))
        for name, column in texts.items()
    }
    return Event(event_dict=DictEvent(event=integers | strings))
