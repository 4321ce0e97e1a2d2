"""What clients of CompilerGym 0.2.5 read: everything that a service of ours says."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.session_process import session_types
from optarena.specs import environment_specs
from tests.kit.compiler_gym_client import NAMED_BY_LLVM, read_event, read_spaces
from tests.kit.every_service import DIGITS, SERVICES
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.service.session import CompilationSession

sys.path.insert(0, str(PLUGINS))

SESSION_TYPES = sorted(
    {spec.service for spec in environment_specs()}
    | {compiler.session_type for compiler, connect in SERVICES.values() if connect}
)
LLVM = "optarena.llvm.session:LlvmSession"


def offered(session_type: type[CompilationSession]) -> pb.GetSpacesReply:
    return pb.GetSpacesReply(
        action_space_list=session_type.action_spaces, observation_space_list=session_type.observation_spaces
    )


@pytest.mark.parametrize("name", SESSION_TYPES)
def test_every_service_is_read_by_a_client_of_compiler_gym(name: str) -> None:
    read_spaces(offered(session_types.load(name)))


def test_the_names_that_its_llvm_environment_reads_are_there() -> None:
    named = {space.name for space in offered(session_types.load(LLVM)).observation_space_list}
    assert named >= NAMED_BY_LLVM


@pytest.fixture(scope="module")
def llvm() -> Iterator[ManagedConnection]:
    with ManagedConnection.open(LLVM) as connection:
        yield connection


def test_its_names_give_what_ours_give_in_forms_that_it_reads(llvm: ManagedConnection) -> None:
    spaces = llvm.get_spaces(pb.GetSpacesRequest()).observation_space_list
    benchmark = pb.Benchmark(uri="benchmark://user-v0/digits", program=pb.File(contents=DIGITS.read_bytes()))
    request = pb.StartSessionRequest(benchmark=benchmark, observation_space=range(len(spaces)))
    events = llvm.start_session(request).observation
    values = {space.name: read_event(event) for space, event in zip(spaces, events, strict=True)}
    for metric in ("ObjectTextSize", "TextSize"):
        for level in ("O0", "O3", "Oz"):
            assert values[metric + level] == values[f"{metric}Bytes{level}"] > 0
    graph, columns = values["Programl"], values["ProgramGraph"]
    assert [node["block"] for node in graph["nodes"]] == [
        block if block >= 0 else None for block in columns["node_block"]
    ]
    assert [link["target"] for link in graph["links"]] == list(columns["edge_target"])
    assert graph["graph"]["function"] == columns["function"]
    assert (values["IsRunnable"], list(values["Runtime"])) == (0, [])
    assert "define" in values["LexedIr"]["token_value"]
