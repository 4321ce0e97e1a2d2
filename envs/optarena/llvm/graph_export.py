"""Program graphs for networkx: as its objects, with ``pip install "optarena[graph]"``, and as JSON data."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from optarena.errors import InvalidInput, ToolMissing
from optarena.llvm.feature_names import (
    EDGE_COLUMNS,
    EDGE_KINDS,
    FUNCTION_COLUMN,
    NODE_COLUMNS,
    NODE_KINDS,
    OPCODES,
    TYPES,
)

_PROGRAML_TYPES: Final = {"variable": 1, "constant": 2}
_OPCODE_NAMES: Final = {number: name for name, number in OPCODES.items()}


def to_networkx(graph: Mapping[str, Any]) -> Any:  # noqa: ANN401 # networkx is optional, and has no types
    """A ``ProgramGraph`` as a ``networkx.MultiDiGraph``.

    Args:
        graph: The value of ``env.observation["ProgramGraph"]``, or of a step.

    Returns:
        Nodes ``0 … n-1``, each with ``kind`` (of ``NODE_KINDS``), ``opcode`` (of ``OPCODES``), ``type``
        (``i32``, ``pointer``), ``text`` (its opcode, or else its type, or else its function), ``function`` (a
        name), ``block`` and ``value``; attributes that a node lacks are None. Edges are in the order of the
        columns, each with ``kind`` (of ``EDGE_KINDS``) and ``position``; ``key`` is the edge's number.

    Raises:
        ToolMissing: networkx is not installed.
        InvalidInput: ``graph`` is not a program graph.
    """
    try:
        nx: Any = importlib.import_module("networkx")
    except ImportError as error:
        raise ToolMissing(
            "networkx is not installed.",
            field="networkx",
            remedy="Install it: pip install 'optarena[graph]'.",
        ) from error
    functions = list(graph.get(FUNCTION_COLUMN, ()))
    result = nx.MultiDiGraph()
    result.add_nodes_from(enumerate(_node(row, functions) for row in _rows(graph, "node", NODE_COLUMNS)))
    for number, edge in enumerate(_rows(graph, "edge", EDGE_COLUMNS)):
        kind = EDGE_KINDS[edge["kind"]]
        result.add_edge(edge["source"], edge["target"], key=number, kind=kind, position=edge["position"])
    return result


def node_link(graph: Mapping[str, Any], functions: Sequence[str]) -> dict[str, Any]:
    """A program graph as the JSON data that ``networkx.node_link_graph(…, edges="links")`` reads.

    Args:
        graph: The columns of numbers of a ``ProgramGraph``.
        functions: The names of its functions.

    Returns:
        Nodes and edges have the attributes of ``to_networkx``, and ProGraML's numbers besides: ``type`` 0 for
        code, 1 for a variable, 2 for a constant; ``flow`` 0 for control, 1 for data, 2 for a call; functions
        by number. ProGraML's ``type`` takes the place of the value's type, which is ``value_type``.
    """
    nodes = [
        {"id": number, **_programl_node(_node(row, functions), row)}
        for number, row in enumerate(_rows(graph, "node", NODE_COLUMNS))
    ]
    links = [
        {
            "source": edge["source"],
            "target": edge["target"],
            "key": number,
            "kind": EDGE_KINDS[edge["kind"]],
            "flow": edge["kind"],
            "position": edge["position"],
        }
        for number, edge in enumerate(_rows(graph, "edge", EDGE_COLUMNS))
    ]
    named = {"function": list(functions), "module": []}
    return {"directed": True, "multigraph": True, "graph": named, "nodes": nodes, "links": links}


def _programl_node(node: Mapping[str, Any], row: Mapping[str, int]) -> dict[str, Any]:
    # The root and declarations are code in ProGraML.
    role, number = _PROGRAML_TYPES.get(node["kind"], 0), row["function"]
    return {**node, "value_type": node["type"], "type": role, "function": number if number >= 0 else None}


def _rows(graph: Mapping[str, Any], prefix: str, names: Sequence[str]) -> Iterator[dict[str, int]]:
    missing = [f"{prefix}_{name}" for name in names if f"{prefix}_{name}" not in graph]
    if missing:
        raise InvalidInput(
            f"The value is not a program graph: it lacks {', '.join(missing)}.",
            field="graph",
            remedy='Give the value of env.observation["ProgramGraph"].',
        )
    columns = (map(int, graph[f"{prefix}_{name}"]) for name in names)
    return (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def _node(row: Mapping[str, int], functions: Sequence[str]) -> dict[str, Any]:
    kind = NODE_KINDS[row["kind"]]
    typed = kind in {"instruction", "variable", "constant"}
    named = f"i{row['bits']}" if row["bits"] else TYPES[row["type"]]
    opcode = _OPCODE_NAMES[row["opcode"]] if kind == "instruction" else None
    function = functions[row["function"]] if row["function"] >= 0 else None
    return {
        "kind": kind,
        "opcode": opcode,
        "type": named if typed else None,
        "text": opcode or (named if typed else function or kind),
        "function": function,
        "block": row["block"] if row["block"] >= 0 else None,
        "value": row["value"] if kind == "constant" and row["bits"] else None,
    }
