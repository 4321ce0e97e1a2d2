"""Tests of the program graph, and of its export."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from typing import Any

import pytest

from optarena.errors import InvalidInput, ToolMissing
from optarena.llvm import features
from optarena.llvm.feature_names import EDGE_KINDS, NODE_KINDS
from optarena.llvm.graph_export import to_networkx
from optarena.llvm.module import Module
from optarena.service.converters import event_to_member, space_to_gymnasium
from tests.kit.llvm import programs
from tests.kit.llvm.graph_reference import Reference
from tests.kit.llvm.observing import member, space_of, view

nx: Any = importlib.import_module("networkx")  # it has no types


SMALL = (
    programs.EMPTY
    + b"""
declare i32 @outside(i32)
define i32 @main(i32 %x) {
  %a = add i32 %x, -5
  %c = icmp eq i32 %a, %a
  br i1 %c, label %yes, label %no
yes:
  %r = call i32 @helper(i32 %a)
  ret i32 %r
no:
  ret i32 -5
}
define internal i32 @helper(i32 %n) {
  %r = call i32 @outside(i32 %n)
  ret i32 %r
}
"""
)


def test_the_columns_equal_the_reference_before_and_after_passes() -> None:
    for name, module in programs.states():
        functions, nodes, edges = features.program_graph(module)
        reference = Reference(module)
        assert functions == reference.functions, name
        assert list(zip(*nodes.values(), strict=True)) == reference.nodes, name
        assert Counter(zip(*edges.values(), strict=True)) == Counter(reference.edges), name


def test_a_graph_by_hand() -> None:
    graph = to_networkx(view("ProgramGraph", SMALL))
    texts = [graph.nodes[node]["text"] for node in graph]
    assert texts[:10] == ["root", "outside", "Add", "ICmp", "Br", "Call", "Ret", "Ret", "Call", "Ret"]
    assert texts[10:] == ["i32", "i32", "i32", "i1", "i32", "i32", "i32"]
    edges = {(one, two, data["kind"], data["position"]) for one, two, data in graph.edges(data=True)}
    assert {edge[:2] + edge[3:] for edge in edges if edge[2] == "control"} == {
        *((2, 3, 0), (3, 4, 0), (4, 5, 0), (4, 7, 1), (5, 6, 0), (8, 9, 0))
    }
    assert {edge[:2] for edge in edges if edge[2] == "call"} == {
        *((0, 2), (6, 0), (7, 0)),  # from outside, as main is not local
        *((5, 8), (9, 5), (8, 1), (1, 8)),
    }
    assert {(10, 2, "data", 0), (11, 2, "data", 1), (12, 3, "data", 0), (12, 3, "data", 1)} <= edges
    assert (11, 7, "data", 0) in edges  # equal constants are one node
    plain = {"opcode": None, "function": None, "block": None, "value": None}
    assert graph.nodes[0] == plain | {"kind": "root", "type": None, "text": "root"}
    assert graph.nodes[11] == plain | {"kind": "constant", "type": "i32", "text": "i32", "value": -5}
    call = {"kind": "instruction", "type": "i32", "text": "Call", "opcode": "Call", "value": None}
    assert graph.nodes[8] == call | {"function": "helper", "block": 3}


def test_the_same_program_gives_the_same_columns() -> None:
    for name in ("opcodes", "random"):
        program = {"opcodes": programs.OPCODES, "random": programs.random_program()}[name]
        with Module.parse(program) as one, Module.parse(program) as two:
            assert features.program_graph(one) == features.program_graph(two)
            before = one.bitcode()
            features.program_graph(one)
            assert one.bitcode() == before


def test_the_observation_is_a_member_of_its_space() -> None:
    message = space_of("ProgramGraph")
    space = space_to_gymnasium(message.space)
    assert message.deterministic
    for value in (
        event_to_member(message.default_observation, message.space),
        member("ProgramGraph", programs.OPCODES),
        member("ProgramGraph", programs.EMPTY),
    ):
        assert value in space
    assert {**value, "node_kind": value["node_kind"].astype(float)} not in space


@pytest.mark.parametrize("form", [view, member])
def test_networkx_gets_every_node_and_edge(form: Any) -> None:
    columns = form("ProgramGraph", programs.OPCODES)
    graph = to_networkx(columns)
    assert isinstance(graph, nx.MultiDiGraph)
    assert [NODE_KINDS.index(graph.nodes[node]["kind"]) for node in graph] == columns["node_kind"].tolist()
    edges = sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[2])
    assert [edge[2] for edge in edges] == list(range(len(columns["edge_kind"])))
    assert [edge[0] for edge in edges] == columns["edge_source"].tolist()
    assert [edge[1] for edge in edges] == columns["edge_target"].tolist()
    assert [EDGE_KINDS.index(edge[3]["kind"]) for edge in edges] == columns["edge_kind"].tolist()
    assert [edge[3]["position"] for edge in edges] == columns["edge_position"].tolist()


def test_a_dict_that_is_no_graph_is_refused() -> None:
    with pytest.raises(InvalidInput, match="lacks node_kind") as caught:
        to_networkx({"Autophase": [1]})
    assert caught.value.field == "graph"


def test_without_networkx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ToolMissing, match=r"optarena\[graph\]"):
        to_networkx({})
