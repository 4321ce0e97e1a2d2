"""A foreign client of the services under test: raw gRPC, by the names in the interface's descriptor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from fake_compiler import FakeSession
from google.protobuf.message_factory import GetMessageClass

from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.session_process.compiler_gym_service import CompilerGymService

if TYPE_CHECKING:
    from pathlib import Path

INTERFACE = pb.DESCRIPTOR.services_by_name["CompilerGymService"]


@pytest.fixture
def dial() -> Iterator[Callable[..., Any]]:
    """Opens channels to an endpoint; each has the eight calls as attributes, and the channel itself."""
    channels: list[grpc.Channel] = []

    def open_one(endpoint: str, **options: int) -> SimpleNamespace:
        channel = grpc.insecure_channel(endpoint, options=list(options.items()))
        channels.append(channel)
        calls = {
            method.name: channel.unary_unary(
                f"/compiler_gym.CompilerGymService/{method.name}",
                request_serializer=GetMessageClass(method.input_type).SerializeToString,
                response_deserializer=GetMessageClass(method.output_type).FromString,
            )
            for method in INTERFACE.methods
        }
        return SimpleNamespace(channel=channel, **calls)

    yield open_one
    for channel in channels:
        channel.close()


@pytest.fixture
def unstarted(tmp_path: Path) -> Iterator[Callable[[], GrpcServer]]:
    made: list[GrpcServer] = []

    def make() -> GrpcServer:
        made.append(GrpcServer(CompilerGymService(tmp_path, FakeSession)))
        return made[-1]

    yield make
    for server in made:
        server.stop(0)
