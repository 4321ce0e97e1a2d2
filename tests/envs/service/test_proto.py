"""The messages: generated from the checked-in ``.proto``, and wire-compatible with existing clients."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from google.protobuf.descriptor import FieldDescriptor

import optarena.service.proto
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto import compiler_gym_service_pb2_grpc as pb_grpc
from optarena.service.proto.envelope_pb2 import Envelope

PROTO = Path(optarena.service.proto.__file__).parent
ROOT = PROTO.parents[2]
INTERFACE = Path(__file__).parent / "golden/interface.txt"
SCALARS = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_FLOAT: "float",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_SINT64: "sint64",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT64: "uint64",
}


def test_generated_modules_are_those_of_the_documented_commands(tmp_path: Path) -> None:
    header = (PROTO / "compiler_gym_service.proto").read_text().partition("syntax")[0]
    commands = re.findall(r"^//   python (.*)$", header, re.MULTILINE)
    folder = tmp_path / "envs" / PROTO.relative_to(ROOT)
    folder.mkdir(parents=True)
    for message_file in PROTO.glob("*.proto"):
        shutil.copy(message_file, folder)
    for command in commands:
        words = (
            [str(path.relative_to(tmp_path)) for path in tmp_path.glob(word)] or [word]
            for word in command.split()
        )
        subprocess.run([sys.executable, *itertools.chain(*words)], cwd=tmp_path, check=True)
    generated = {path.name: path.read_text() for path in folder.glob("*_pb2*")}
    assert generated == {path.name: path.read_text() for path in PROTO.glob("*_pb2*") if path.is_file()}
    assert len(generated) == 5


def test_the_generated_code_runs_with_every_grpcio_that_the_project_allows() -> None:
    requirements = tomllib.loads((ROOT.parent / "pyproject.toml").read_text())["project"]["dependencies"]
    assert f"grpcio>={pb_grpc.GRPC_GENERATED_VERSION}" in requirements


def type_name(field: FieldDescriptor) -> str:
    message = field.message_type
    if message is None:
        return SCALARS[field.type]
    if message.GetOptions().map_entry:
        return f"map<{type_name(message.fields_by_name['key'])},{type_name(message.fields_by_name['value'])}>"
    return message.full_name.removeprefix("compiler_gym.")


def line(field: FieldDescriptor) -> str:
    kind = type_name(field)
    repeated = "repeated " if field.is_repeated and not kind.startswith("map<") else ""
    group = f" ({field.containing_oneof.name})" if field.containing_oneof else ""
    return f"{field.number} {field.name} {repeated}{kind}{group}"


def test_every_message_has_the_numbers_and_types_of_the_interface() -> None:
    lines = [
        f"{name}: {'; '.join(map(line, sorted(message.fields, key=lambda each: each.number)))}".strip()
        for name, message in sorted(pb.DESCRIPTOR.message_types_by_name.items())
    ]
    golden = INTERFACE.read_text().splitlines()
    assert lines == [text for text in golden if not text.startswith("#")]


def test_the_service_has_the_eight_calls_of_the_interface() -> None:
    service = pb.DESCRIPTOR.services_by_name["CompilerGymService"]
    assert service.full_name == "compiler_gym.CompilerGymService"
    calls = "GetVersion GetSpaces StartSession ForkSession EndSession Step AddBenchmark SendSessionParameter"
    assert [method.name for method in service.methods] == calls.split()
    for method in service.methods:
        assert method.input_type.name == f"{method.name}Request"
        assert method.output_type.name == f"{method.name}Reply"


# Bytes worked out by hand: a tag is (number << 3 | wire type), and a sint64 is zigzag.
@pytest.mark.parametrize(
    ("message", "wire"),
    [
        (pb.GetVersionReply(service_version="1", compiler_version="22"), "0a0131 12023232"),
        (pb.EndSessionReply(remaining_sessions=2), "08 02"),
        (pb.Event(int64_value=-1), "28 01"),
        (pb.Event(int64_value=150), "28 ac02"),
        (pb.Event(boolean_value=False), "20 00"),
        (pb.Event(float_value=1.0), "35 0000803f"),
        (pb.Event(double_value=-2.0), "39 00000000000000c0"),
        (pb.Event(string_value="a"), "42 01 61"),
        (pb.Event(byte_tensor=pb.ByteTensor(shape=[2], value=b"\x00\xff")), "52 07 0a0102 120200ff"),
        (pb.Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[-2, 1])), "5a 07 0a0102 12020302"),
        (
            pb.StepRequest(session_id=3, action=[pb.Event(int64_value=7)], observation_space=[0, 4]),
            "08 03 12 02 280e 1a 02 0004",
        ),
        (
            pb.StartSessionRequest(
                action_space=1, benchmark=pb.Benchmark(uri="u", program=pb.File(contents=b"p"))
            ),
            "10 01 22 08 0a0175 1203 0a0170",
        ),
        (pb.Space(named_discrete=pb.NamedDiscreteSpace(name=["x"])), "32 03 0a0178"),
        (pb.Space(int64_value=pb.Int64Range(min=0)), "42 02 0800"),
        (
            pb.Event(event_dict=pb.DictEvent(event={"k": pb.Event(boolean_value=True)})),
            "1a 09 0a07 0a016b 12022001",
        ),
        (pb.StepReply(action_had_no_effect=True, observation=[pb.Event()]), "10 01 22 00"),
        (
            Envelope(call_id=1, method="Step", deadline_ms=1000, payload=b"\x08\x03"),
            "08 01 12 04 53746570 18 e807 32 02 0803",
        ),
        (Envelope(call_id=2, status=5, message="no"), "08 02 20 05 2a 02 6e6f"),
    ],
)
def test_bytes_on_the_wire(message: pb.Event, wire: str) -> None:
    assert message.SerializeToString().hex() == wire.replace(" ", "")
    assert type(message).FromString(bytes.fromhex(wire)) == message
