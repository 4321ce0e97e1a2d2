"""Counts of instructions, and a table of the functions' properties.

``InstCount`` (71 integers, ``INSTCOUNT_NAMES``) counts instructions by the opcodes of LLVM 22; its length and
order are those of that version. Only functions with a body count.

``FunctionProperties`` is a dict of columns with a row for each function with a body, in the module's order:
``function`` holds their names, and each name of ``PROPERTY_NAMES`` one integer per function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.llvm import features
from optarena.llvm.feature_names import FUNCTION_COLUMN, INSTCOUNT_NAMES, PROPERTY_NAMES
from optarena.llvm.observations.definition import Observed, vector
from optarena.llvm.observations.tables import table_event, table_space

if TYPE_CHECKING:
    from optarena.llvm.live_session import LiveSession
    from optarena.service.proto.compiler_gym_service_pb2 import Event


def _properties(session: LiveSession) -> Event:
    names, columns = features.function_properties(session.module)
    return table_event(columns, {FUNCTION_COLUMN: names})


OBSERVED: Final = (
    vector("InstCount", len(INSTCOUNT_NAMES), lambda session: features.instcount_numbers(session.module)),
    Observed(
        name="FunctionProperties",
        space=table_space(PROPERTY_NAMES, [FUNCTION_COLUMN]),
        default=table_event({name: [] for name in PROPERTY_NAMES}, {FUNCTION_COLUMN: []}),
        compute=_properties,
    ),
)
