"""The program as a graph similar to ProGraML's (Cummins et al., ICML 2021).

``ProgramGraph`` is a dict of columns. Those named ``node_…`` have a value for each node, those named
``edge_…`` one for each edge, and ``function`` holds the names of all functions in the module's order. The
same module always gives the same columns.

Nodes come in this order: the root, which represents all code outside the program; each function's
instructions in their order, or one node for a function without a body; variables and constants, by first use.

- ``node_kind``: index into ``NODE_KINDS``. A variable is an instruction's result or an argument that some
  instruction uses. Constants are globals, addresses of functions and literals; each is one node.
- ``node_opcode``: an instruction's number in ``OPCODES``; 0 for other nodes.
- ``node_type``, ``node_bits``: kind of the type, by ``TYPES``, and the width of an integer, else 0.
- ``node_function``, ``node_block``: numbers of the node's function and block, counted over the module; -1 for
  constants and the root, which are in no function, and for the block of arguments and declarations.
- ``node_value``: the value of a constant integer of up to 64 bits, taken as signed; 0 for other nodes.

Edges are directed, and there may be several between two nodes.

- ``edge_source``, ``edge_target``: nodes.
- ``edge_kind``: index into ``EDGE_KINDS``. A control edge leads to the next instruction: inside a block, or
  from its last instruction to the first one of each successor. A data edge leads from an instruction to its
  variable, or from a variable or constant to an instruction that uses it; blocks, metadata, inline assembly
  and the callee of a call are not data. A call edge leads from a call, invoke or callbr to the first
  instruction of the callee, and back from the last instruction of each block without successors; to and from
  the node of a function without a body; and to and from the root for functions that other modules can call.
- ``edge_position``: of a control edge, the successor's number; of a data edge, the operand's number (the
  value of a switch case has the number of the block to which it leads); else 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.llvm import features
from optarena.llvm.feature_names import EDGE_COLUMNS, FUNCTION_COLUMN, NODE_COLUMNS
from optarena.llvm.observations.definition import Observed
from optarena.llvm.observations.tables import table_event, table_space

if TYPE_CHECKING:
    from optarena.llvm.live_session import LiveSession
    from optarena.service.proto.compiler_gym_service_pb2 import Event

COLUMNS: Final = (*(f"node_{name}" for name in NODE_COLUMNS), *(f"edge_{name}" for name in EDGE_COLUMNS))


def columns(session: LiveSession) -> tuple[dict[str, list[int]], list[str]]:
    """The columns of numbers, and the names of the functions."""
    functions, nodes, edges = features.program_graph(session.module)
    return dict(zip(COLUMNS, (*nodes.values(), *edges.values()), strict=True)), functions


def _graph(session: LiveSession) -> Event:
    numbers, functions = columns(session)
    return table_event(numbers, {FUNCTION_COLUMN: functions})


OBSERVED: Final = (
    Observed(
        name="ProgramGraph",
        space=table_space(COLUMNS, [FUNCTION_COLUMN]),
        default=table_event({name: [] for name in COLUMNS}, {FUNCTION_COLUMN: []}),
        compute=_graph,
    ),
)
