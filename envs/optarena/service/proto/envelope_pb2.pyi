from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Envelope(_message.Message):
    __slots__ = ("call_id", "method", "deadline_ms", "status", "message", "payload", "error", "cpu_ms")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CPU_MS_FIELD_NUMBER: _ClassVar[int]
    call_id: int
    method: str
    deadline_ms: int
    status: int
    message: str
    payload: bytes
    error: str
    cpu_ms: int
    def __init__(self, call_id: _Optional[int] = ..., method: _Optional[str] = ..., deadline_ms: _Optional[int] = ..., status: _Optional[int] = ..., message: _Optional[str] = ..., payload: _Optional[bytes] = ..., error: _Optional[str] = ..., cpu_ms: _Optional[int] = ...) -> None: ...
