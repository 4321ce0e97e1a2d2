"""What clients of CompilerGym 0.2.5 read: everything that a service of ours says.

The reader is written from that version's message definitions. Its converter takes each message apart by the
one field that holds its value. It knows most kinds; a message that holds one of the others, or that names a
type of its own, stops the client when it is made.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest
from google.protobuf.message import DecodeError

from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.compiler_gym_service_pb2 import CommandlineSpace, Event, Opaque
from optarena.service.session_process import session_types
from optarena.specs import environment_specs
from tests.kit.every_service import DIGITS, SERVICES
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from optarena.service.session import CompilationSession

sys.path.insert(0, str(PLUGINS))

CONTAINERS: Final = frozenset({"space_list", "space_union", "space_dict", "space_sequence"})
SCALARS: Final = frozenset({"boolean_value", "int64_value", "float_value", "double_value", "string_value"})
SEQUENCES: Final = frozenset(
    f"{element}_sequence" for element in ("boolean", "byte", "bytes", "int64", "float", "double")
)
BOXES: Final = frozenset(f"{element}_box" for element in ("boolean", "byte", "int64", "float", "double"))
TENSORS: Final = frozenset(
    f"{element}_tensor" for element in ("boolean", "byte", "int64", "float", "double", "string")
)
GRAPH: Final = "json://networkx/MultiDiGraph"
NAMED_BY_LLVM: Final = frozenset(
    {
        *("Ir", "InstCount", "Autophase", "LexedIr", "CpuInfo"),
        *(f"IrInstructionCount{level}" for level in ("", "O0", "O3", "Oz")),
        *(f"{of}TextSize{level}" for of in ("", "Object") for level in ("Bytes", "O0", "O3", "Oz")),
        *("IrSha1", "Bitcode", "BitcodeFile", "Programl", "ProgramlJson"),
        *("IsBuildable", "IsRunnable", "Runtime", "Buildtime"),
    }
)
"""All observations of the service behind its environment ``llvm-v0``."""


class Refused(Exception):
    """The client cannot read a message."""


def read_spaces(reply: pb.GetSpacesReply) -> None:
    """Read what a service offers, as the client does when an environment is made."""
    if not reply.observation_space_list:
        raise Refused("there is no observation space")
    named: list[tuple[str, pb.Space, pb.Event | None]]
    named = [(one.name, one.space, None) for one in reply.action_space_list]
    named += [(one.name, one.space, one.default_observation) for one in reply.observation_space_list]
    for name, space, default in named:
        try:
            read_space(space, is_named=True)
            read_event(default or Event())
        except Refused as refusal:
            raise Refused(f"{name}: {refusal}") from refusal


def read_space(space: pb.Space, *, is_named: bool = False) -> None:
    """Read a space; one with a name must be an object that can have one."""
    _require(not space.HasField("type_id"), "no type of a space but a permutation is known")
    kind = space.WhichOneof("value")
    if kind is None:
        if is_named:
            raise Refused("a space without a value cannot have a name")
        return
    value = getattr(space, kind)
    for inner in _parts(kind, value):
        read_space(inner)
    if kind in BOXES:
        _read_tensor(value.low)
        _read_tensor(value.high)
    elif kind == "named_discrete":
        _require(bool(value.name), "no names")
    elif kind == "space_sequence":
        _require(value.length_range.max >= value.length_range.min, "a maximum that is left out is 0")
    elif kind == "any_value":
        _read_packed_space(value, is_named=is_named)
    else:
        _require(kind in SCALARS | SEQUENCES | CONTAINERS | {"discrete"}, f"{kind} is not known")


def _parts(kind: str, value: Any) -> list[pb.Space]:  # the message of this kind
    if kind == "space_sequence":
        return [value.space]
    if kind == "space_dict":
        return list(value.space.values())
    return list(value.space) if kind in CONTAINERS else []


def read_event(event: pb.Event) -> Any:  # whatever it holds
    """The value of an event; None if it has none."""
    _require(not event.HasField("type_id"), "no type of an event is known")
    kind = event.WhichOneof("value")
    if kind is None:
        return None
    value = getattr(event, kind)
    if kind in TENSORS:
        return _read_tensor(value)
    if kind == "event_list":
        return [read_event(item) for item in value.event]
    if kind == "event_dict":
        return {key: read_event(item) for key, item in value.event.items()}
    return _read_document(value) if kind == "any_value" else value


def _require(condition: bool, problem: str) -> None:  # noqa: FBT001 # as assert takes it
    if not condition:
        raise Refused(problem)


def _read_tensor(tensor: Any) -> Any:  # one of six messages
    size = math.prod(tensor.shape)
    _require(size == len(tensor.value), f"{len(tensor.value)} values do not have shape {list(tensor.shape)}")
    return tensor.value


def _read_packed_space(packed: Any, *, is_named: bool) -> None:  # an Any message
    if packed.TypeName() == CommandlineSpace.DESCRIPTOR.full_name:
        _require(bool(CommandlineSpace.FromString(packed.value).name), "no names")
        return
    _read_document(packed)
    is_graph = Opaque.FromString(packed.value).format == GRAPH
    _require(is_graph or not is_named, "a document that is not a graph cannot have a name")


def _read_document(packed: Any) -> Any:  # an Any message; any JSON data
    _require(packed.TypeName() == Opaque.DESCRIPTOR.full_name, f"{packed.TypeName()} is not known")
    try:
        opaque = Opaque.FromString(packed.value)
        _require(opaque.format in {"json://", GRAPH}, f"format {opaque.format} is not known")
        document = json.loads(opaque.data)
    except (DecodeError, ValueError) as error:
        raise Refused(f"{error}") from error
    if opaque.format == GRAPH:
        _require({"nodes", "links"} <= document.keys(), "the document is not a graph")
    return document


SESSION_TYPES = sorted(
    {spec.service for spec in environment_specs() if not spec.predecessor}  # which needs its own process
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
