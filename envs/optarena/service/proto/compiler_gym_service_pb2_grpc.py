"""The stub and the servicer of the eight calls, with the names that the gRPC plugin for protoc gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message_factory import GetMessageClass

from optarena.service.proto.compiler_gym_service_pb2 import DESCRIPTOR

if TYPE_CHECKING:
    from collections.abc import Callable

_SERVICE = DESCRIPTOR.services_by_name["CompilerGymService"]


class CompilerGymServiceStub:
    """The calls of a channel: each takes a request and returns the reply."""

    GetVersion: Callable[..., Any]
    GetSpaces: Callable[..., Any]
    StartSession: Callable[..., Any]
    ForkSession: Callable[..., Any]
    EndSession: Callable[..., Any]
    Step: Callable[..., Any]
    AddBenchmark: Callable[..., Any]
    SendSessionParameter: Callable[..., Any]

    def __init__(self, channel: grpc.Channel) -> None:
        for one in _SERVICE.methods:
            call = channel.unary_unary(
                f"/{_SERVICE.full_name}/{one.name}",
                request_serializer=GetMessageClass(one.input_type).SerializeToString,
                response_deserializer=GetMessageClass(one.output_type).FromString,
            )
            setattr(self, one.name, call)


class CompilerGymServiceServicer:
    """The base of servicers: methods named as the calls take a request and its context, and answer it."""


def add_CompilerGymServiceServicer_to_server(  # noqa: N802 # the name that the plugin gives
    servicer: CompilerGymServiceServicer, server: grpc.Server
) -> None:
    """Let a server answer by a servicer; a call that it has no method for is not implemented."""
    handlers = {
        one.name: grpc.unary_unary_rpc_method_handler(
            getattr(servicer, one.name),
            request_deserializer=GetMessageClass(one.input_type).FromString,
            response_serializer=GetMessageClass(one.output_type).SerializeToString,
        )
        for one in _SERVICE.methods
        if hasattr(servicer, one.name)
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE.full_name, handlers),))
