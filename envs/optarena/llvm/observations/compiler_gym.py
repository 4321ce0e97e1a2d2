"""Observations by the names, and in the forms, that clients written for CompilerGym read.

``ObjectTextSizeO0`` and such are other names of ``ObjectTextSizeBytesO0`` and such. ``Programl`` is the
program graph as a JSON document that networkx reads: ``node_link_graph(value, edges="links")``;
``ProgramlJson`` is the same document as text. ``LexedIr`` is a table of the tokens of the program's text, see
``lexing``.

``IsRunnable`` and ``Runtime`` are about a program's workloads. A service is told none, so for it no program
is runnable, and there are no seconds; an environment has the workloads and derives both itself.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import lexing
from optarena.llvm.graph_export import node_link
from optarena.llvm.observations import basic, building, graph
from optarena.llvm.observations.definition import Observed, count, text
from optarena.llvm.observations.tables import table_event, table_space
from optarena.service.proto.compiler_gym_service_pb2 import (
    DoubleRange,
    DoubleSequenceSpace,
    DoubleTensor,
    Event,
    Int64Range,
    Opaque,
    Space,
)

if TYPE_CHECKING:
    from optarena.llvm.live_session import LiveSession

_LEVELS: Final = ("O0", "O3", "Oz")
_GRAPH: Final = "json://networkx/MultiDiGraph"
_TOKEN_NUMBERS: Final = ("token_id",)
_TOKEN_TEXTS: Final = ("token_kind", "token_category", "token_value")
_NO_SECONDS: Final = Event(double_tensor=DoubleTensor(shape=[0]))


def _aliases() -> list[Observed]:
    known = {one.name: one for one in (*basic.OBSERVED, *building.OBSERVED)}
    metrics = (basic.TEXT_SIZE, building.TEXT_SIZE)
    return [
        replace(known[metric + level], name=metric.removesuffix("Bytes") + level)
        for metric in metrics
        for level in _LEVELS
    ]


def _linked(session: LiveSession) -> dict[str, Any]:
    return node_link(*graph.columns(session))


def _packed(document: dict[str, Any]) -> Any:  # noqa: ANN401 # an Any message of a space or an event
    holder = Event()
    holder.any_value.Pack(Opaque(format=_GRAPH, data=json.dumps(document).encode()))
    return holder.any_value


_EMPTY: Final = node_link(dict.fromkeys(graph.COLUMNS, ()), [])


def _tokens(session: LiveSession) -> Event:
    found = list(lexing.tokens(session.module.text()))
    numbers = {"token_id": [token.id for token in found]}
    words = (
        [one.kind for one in found],
        [one.category for one in found],
        [one.value for one in found],
    )
    return table_event(numbers, dict(zip(_TOKEN_TEXTS, words, strict=True)))


def _workloads(session: LiveSession) -> int:
    del session
    return 0


OBSERVED: Final = (
    *_aliases(),
    Observed(
        name="Programl",
        space=Space(any_value=_packed(_EMPTY)),
        default=Event(any_value=_packed(_EMPTY)),
        compute=lambda session: Event(any_value=_packed(_linked(session))),
    ),
    text("ProgramlJson", lambda session: json.dumps(_linked(session))),
    Observed(
        name="LexedIr",
        space=table_space(_TOKEN_NUMBERS, _TOKEN_TEXTS),
        default=table_event({"token_id": []}, {name: [] for name in _TOKEN_TEXTS}),
        compute=_tokens,
    ),
    count("IsRunnable", _workloads),
    Observed(
        name="Runtime",
        space=Space(
            double_sequence=DoubleSequenceSpace(
                length_range=Int64Range(min=0), scalar_range=DoubleRange(min=0.0)
            )
        ),
        default=_NO_SECONDS,
        compute=lambda _: _NO_SECONDS,
        deterministic=False,
        platform_dependent=True,
    ),
)
