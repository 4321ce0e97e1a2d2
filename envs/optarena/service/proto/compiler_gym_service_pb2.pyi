from google.protobuf import any_pb2 as _any_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetVersionRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetVersionReply(_message.Message):
    __slots__ = ("service_version", "compiler_version")
    SERVICE_VERSION_FIELD_NUMBER: _ClassVar[int]
    COMPILER_VERSION_FIELD_NUMBER: _ClassVar[int]
    service_version: str
    compiler_version: str
    def __init__(self, service_version: _Optional[str] = ..., compiler_version: _Optional[str] = ...) -> None: ...

class StartSessionRequest(_message.Message):
    __slots__ = ("action_space", "observation_space", "benchmark", "program_sha256")
    ACTION_SPACE_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_SPACE_FIELD_NUMBER: _ClassVar[int]
    BENCHMARK_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_SHA256_FIELD_NUMBER: _ClassVar[int]
    action_space: int
    observation_space: _containers.RepeatedScalarFieldContainer[int]
    benchmark: Benchmark
    program_sha256: str
    def __init__(self, action_space: _Optional[int] = ..., observation_space: _Optional[_Iterable[int]] = ..., benchmark: _Optional[_Union[Benchmark, _Mapping]] = ..., program_sha256: _Optional[str] = ...) -> None: ...

class StartSessionReply(_message.Message):
    __slots__ = ("session_id", "new_action_space", "observation", "program_sha256")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    NEW_ACTION_SPACE_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_SHA256_FIELD_NUMBER: _ClassVar[int]
    session_id: int
    new_action_space: ActionSpace
    observation: _containers.RepeatedCompositeFieldContainer[Event]
    program_sha256: str
    def __init__(self, session_id: _Optional[int] = ..., new_action_space: _Optional[_Union[ActionSpace, _Mapping]] = ..., observation: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., program_sha256: _Optional[str] = ...) -> None: ...

class StepRequest(_message.Message):
    __slots__ = ("session_id", "action", "observation_space")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_SPACE_FIELD_NUMBER: _ClassVar[int]
    session_id: int
    action: _containers.RepeatedCompositeFieldContainer[Event]
    observation_space: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, session_id: _Optional[int] = ..., action: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., observation_space: _Optional[_Iterable[int]] = ...) -> None: ...

class StepReply(_message.Message):
    __slots__ = ("end_of_session", "action_had_no_effect", "new_action_space", "observation")
    END_OF_SESSION_FIELD_NUMBER: _ClassVar[int]
    ACTION_HAD_NO_EFFECT_FIELD_NUMBER: _ClassVar[int]
    NEW_ACTION_SPACE_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    end_of_session: bool
    action_had_no_effect: bool
    new_action_space: ActionSpace
    observation: _containers.RepeatedCompositeFieldContainer[Event]
    def __init__(self, end_of_session: _Optional[bool] = ..., action_had_no_effect: _Optional[bool] = ..., new_action_space: _Optional[_Union[ActionSpace, _Mapping]] = ..., observation: _Optional[_Iterable[_Union[Event, _Mapping]]] = ...) -> None: ...

class BooleanTensor(_message.Message):
    __slots__ = ("shape", "value")
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    shape: _containers.RepeatedScalarFieldContainer[int]
    value: _containers.RepeatedScalarFieldContainer[bool]
    def __init__(self, shape: _Optional[_Iterable[int]] = ..., value: _Optional[_Iterable[bool]] = ...) -> None: ...

class ByteTensor(_message.Message):
    __slots__ = ("shape", "value")
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    shape: _containers.RepeatedScalarFieldContainer[int]
    value: bytes
    def __init__(self, shape: _Optional[_Iterable[int]] = ..., value: _Optional[bytes] = ...) -> None: ...

class Int64Tensor(_message.Message):
    __slots__ = ("shape", "value")
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    shape: _containers.RepeatedScalarFieldContainer[int]
    value: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, shape: _Optional[_Iterable[int]] = ..., value: _Optional[_Iterable[int]] = ...) -> None: ...

class FloatTensor(_message.Message):
    __slots__ = ("shape", "value")
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    shape: _containers.RepeatedScalarFieldContainer[int]
    value: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, shape: _Optional[_Iterable[int]] = ..., value: _Optional[_Iterable[float]] = ...) -> None: ...

class DoubleTensor(_message.Message):
    __slots__ = ("shape", "value")
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    shape: _containers.RepeatedScalarFieldContainer[int]
    value: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, shape: _Optional[_Iterable[int]] = ..., value: _Optional[_Iterable[float]] = ...) -> None: ...

class StringTensor(_message.Message):
    __slots__ = ("shape", "value")
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    shape: _containers.RepeatedScalarFieldContainer[int]
    value: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, shape: _Optional[_Iterable[int]] = ..., value: _Optional[_Iterable[str]] = ...) -> None: ...

class BooleanRange(_message.Message):
    __slots__ = ("min", "max")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    min: bool
    max: bool
    def __init__(self, min: _Optional[bool] = ..., max: _Optional[bool] = ...) -> None: ...

class Int64Range(_message.Message):
    __slots__ = ("min", "max")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    min: int
    max: int
    def __init__(self, min: _Optional[int] = ..., max: _Optional[int] = ...) -> None: ...

class FloatRange(_message.Message):
    __slots__ = ("min", "max")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    min: float
    max: float
    def __init__(self, min: _Optional[float] = ..., max: _Optional[float] = ...) -> None: ...

class DoubleRange(_message.Message):
    __slots__ = ("min", "max")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    min: float
    max: float
    def __init__(self, min: _Optional[float] = ..., max: _Optional[float] = ...) -> None: ...

class BooleanBox(_message.Message):
    __slots__ = ("low", "high")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    low: BooleanTensor
    high: BooleanTensor
    def __init__(self, low: _Optional[_Union[BooleanTensor, _Mapping]] = ..., high: _Optional[_Union[BooleanTensor, _Mapping]] = ...) -> None: ...

class ByteBox(_message.Message):
    __slots__ = ("low", "high")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    low: ByteTensor
    high: ByteTensor
    def __init__(self, low: _Optional[_Union[ByteTensor, _Mapping]] = ..., high: _Optional[_Union[ByteTensor, _Mapping]] = ...) -> None: ...

class Int64Box(_message.Message):
    __slots__ = ("low", "high")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    low: Int64Tensor
    high: Int64Tensor
    def __init__(self, low: _Optional[_Union[Int64Tensor, _Mapping]] = ..., high: _Optional[_Union[Int64Tensor, _Mapping]] = ...) -> None: ...

class FloatBox(_message.Message):
    __slots__ = ("low", "high")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    low: FloatTensor
    high: FloatTensor
    def __init__(self, low: _Optional[_Union[FloatTensor, _Mapping]] = ..., high: _Optional[_Union[FloatTensor, _Mapping]] = ...) -> None: ...

class DoubleBox(_message.Message):
    __slots__ = ("low", "high")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    low: DoubleTensor
    high: DoubleTensor
    def __init__(self, low: _Optional[_Union[DoubleTensor, _Mapping]] = ..., high: _Optional[_Union[DoubleTensor, _Mapping]] = ...) -> None: ...

class ListSpace(_message.Message):
    __slots__ = ("space",)
    SPACE_FIELD_NUMBER: _ClassVar[int]
    space: _containers.RepeatedCompositeFieldContainer[Space]
    def __init__(self, space: _Optional[_Iterable[_Union[Space, _Mapping]]] = ...) -> None: ...

class DictSpace(_message.Message):
    __slots__ = ("space",)
    class SpaceEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Space
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Space, _Mapping]] = ...) -> None: ...
    SPACE_FIELD_NUMBER: _ClassVar[int]
    space: _containers.MessageMap[str, Space]
    def __init__(self, space: _Optional[_Mapping[str, Space]] = ...) -> None: ...

class DiscreteSpace(_message.Message):
    __slots__ = ("n",)
    N_FIELD_NUMBER: _ClassVar[int]
    n: int
    def __init__(self, n: _Optional[int] = ...) -> None: ...

class NamedDiscreteSpace(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[_Iterable[str]] = ...) -> None: ...

class BooleanSequenceSpace(_message.Message):
    __slots__ = ("length_range", "scalar_range")
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    SCALAR_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    scalar_range: BooleanRange
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ..., scalar_range: _Optional[_Union[BooleanRange, _Mapping]] = ...) -> None: ...

class ByteSequenceSpace(_message.Message):
    __slots__ = ("length_range", "scalar_range")
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    SCALAR_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    scalar_range: Int64Range
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ..., scalar_range: _Optional[_Union[Int64Range, _Mapping]] = ...) -> None: ...

class BytesSequenceSpace(_message.Message):
    __slots__ = ("length_range",)
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ...) -> None: ...

class Int64SequenceSpace(_message.Message):
    __slots__ = ("length_range", "scalar_range")
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    SCALAR_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    scalar_range: Int64Range
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ..., scalar_range: _Optional[_Union[Int64Range, _Mapping]] = ...) -> None: ...

class FloatSequenceSpace(_message.Message):
    __slots__ = ("length_range", "scalar_range")
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    SCALAR_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    scalar_range: FloatRange
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ..., scalar_range: _Optional[_Union[FloatRange, _Mapping]] = ...) -> None: ...

class DoubleSequenceSpace(_message.Message):
    __slots__ = ("length_range", "scalar_range")
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    SCALAR_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    scalar_range: DoubleRange
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ..., scalar_range: _Optional[_Union[DoubleRange, _Mapping]] = ...) -> None: ...

class StringSequenceSpace(_message.Message):
    __slots__ = ("length_range",)
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ...) -> None: ...

class StringSpace(_message.Message):
    __slots__ = ("length_range",)
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ...) -> None: ...

class SpaceSequenceSpace(_message.Message):
    __slots__ = ("length_range", "space")
    LENGTH_RANGE_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    length_range: Int64Range
    space: Space
    def __init__(self, length_range: _Optional[_Union[Int64Range, _Mapping]] = ..., space: _Optional[_Union[Space, _Mapping]] = ...) -> None: ...

class Opaque(_message.Message):
    __slots__ = ("format", "data")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    format: str
    data: bytes
    def __init__(self, format: _Optional[str] = ..., data: _Optional[bytes] = ...) -> None: ...

class CommandlineSpace(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[_Iterable[str]] = ...) -> None: ...

class Space(_message.Message):
    __slots__ = ("type_id", "space_list", "space_dict", "discrete", "named_discrete", "boolean_value", "int64_value", "float_value", "double_value", "string_value", "boolean_sequence", "byte_sequence", "bytes_sequence", "int64_sequence", "float_sequence", "double_sequence", "string_sequence", "boolean_box", "byte_box", "int64_box", "float_box", "double_box", "any_value", "space_sequence", "space_union")
    TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    SPACE_LIST_FIELD_NUMBER: _ClassVar[int]
    SPACE_DICT_FIELD_NUMBER: _ClassVar[int]
    DISCRETE_FIELD_NUMBER: _ClassVar[int]
    NAMED_DISCRETE_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_VALUE_FIELD_NUMBER: _ClassVar[int]
    INT64_VALUE_FIELD_NUMBER: _ClassVar[int]
    FLOAT_VALUE_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_VALUE_FIELD_NUMBER: _ClassVar[int]
    STRING_VALUE_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    BYTE_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    BYTES_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    INT64_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    FLOAT_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    STRING_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_BOX_FIELD_NUMBER: _ClassVar[int]
    BYTE_BOX_FIELD_NUMBER: _ClassVar[int]
    INT64_BOX_FIELD_NUMBER: _ClassVar[int]
    FLOAT_BOX_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_BOX_FIELD_NUMBER: _ClassVar[int]
    ANY_VALUE_FIELD_NUMBER: _ClassVar[int]
    SPACE_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SPACE_UNION_FIELD_NUMBER: _ClassVar[int]
    type_id: str
    space_list: ListSpace
    space_dict: DictSpace
    discrete: DiscreteSpace
    named_discrete: NamedDiscreteSpace
    boolean_value: BooleanRange
    int64_value: Int64Range
    float_value: FloatRange
    double_value: DoubleRange
    string_value: StringSpace
    boolean_sequence: BooleanSequenceSpace
    byte_sequence: ByteSequenceSpace
    bytes_sequence: BytesSequenceSpace
    int64_sequence: Int64SequenceSpace
    float_sequence: FloatSequenceSpace
    double_sequence: DoubleSequenceSpace
    string_sequence: StringSequenceSpace
    boolean_box: BooleanBox
    byte_box: ByteBox
    int64_box: Int64Box
    float_box: FloatBox
    double_box: DoubleBox
    any_value: _any_pb2.Any
    space_sequence: SpaceSequenceSpace
    space_union: ListSpace
    def __init__(self, type_id: _Optional[str] = ..., space_list: _Optional[_Union[ListSpace, _Mapping]] = ..., space_dict: _Optional[_Union[DictSpace, _Mapping]] = ..., discrete: _Optional[_Union[DiscreteSpace, _Mapping]] = ..., named_discrete: _Optional[_Union[NamedDiscreteSpace, _Mapping]] = ..., boolean_value: _Optional[_Union[BooleanRange, _Mapping]] = ..., int64_value: _Optional[_Union[Int64Range, _Mapping]] = ..., float_value: _Optional[_Union[FloatRange, _Mapping]] = ..., double_value: _Optional[_Union[DoubleRange, _Mapping]] = ..., string_value: _Optional[_Union[StringSpace, _Mapping]] = ..., boolean_sequence: _Optional[_Union[BooleanSequenceSpace, _Mapping]] = ..., byte_sequence: _Optional[_Union[ByteSequenceSpace, _Mapping]] = ..., bytes_sequence: _Optional[_Union[BytesSequenceSpace, _Mapping]] = ..., int64_sequence: _Optional[_Union[Int64SequenceSpace, _Mapping]] = ..., float_sequence: _Optional[_Union[FloatSequenceSpace, _Mapping]] = ..., double_sequence: _Optional[_Union[DoubleSequenceSpace, _Mapping]] = ..., string_sequence: _Optional[_Union[StringSequenceSpace, _Mapping]] = ..., boolean_box: _Optional[_Union[BooleanBox, _Mapping]] = ..., byte_box: _Optional[_Union[ByteBox, _Mapping]] = ..., int64_box: _Optional[_Union[Int64Box, _Mapping]] = ..., float_box: _Optional[_Union[FloatBox, _Mapping]] = ..., double_box: _Optional[_Union[DoubleBox, _Mapping]] = ..., any_value: _Optional[_Union[_any_pb2.Any, _Mapping]] = ..., space_sequence: _Optional[_Union[SpaceSequenceSpace, _Mapping]] = ..., space_union: _Optional[_Union[ListSpace, _Mapping]] = ...) -> None: ...

class ObservationSpace(_message.Message):
    __slots__ = ("name", "space", "deterministic", "platform_dependent", "default_observation", "costly", "constant")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    DETERMINISTIC_FIELD_NUMBER: _ClassVar[int]
    PLATFORM_DEPENDENT_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    COSTLY_FIELD_NUMBER: _ClassVar[int]
    CONSTANT_FIELD_NUMBER: _ClassVar[int]
    name: str
    space: Space
    deterministic: bool
    platform_dependent: bool
    default_observation: Event
    costly: bool
    constant: bool
    def __init__(self, name: _Optional[str] = ..., space: _Optional[_Union[Space, _Mapping]] = ..., deterministic: _Optional[bool] = ..., platform_dependent: _Optional[bool] = ..., default_observation: _Optional[_Union[Event, _Mapping]] = ..., costly: _Optional[bool] = ..., constant: _Optional[bool] = ...) -> None: ...

class ActionSpace(_message.Message):
    __slots__ = ("name", "space")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    name: str
    space: Space
    def __init__(self, name: _Optional[str] = ..., space: _Optional[_Union[Space, _Mapping]] = ...) -> None: ...

class ListEvent(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _containers.RepeatedCompositeFieldContainer[Event]
    def __init__(self, event: _Optional[_Iterable[_Union[Event, _Mapping]]] = ...) -> None: ...

class DictEvent(_message.Message):
    __slots__ = ("event",)
    class EventEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Event
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Event, _Mapping]] = ...) -> None: ...
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _containers.MessageMap[str, Event]
    def __init__(self, event: _Optional[_Mapping[str, Event]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("type_id", "event_list", "event_dict", "boolean_value", "int64_value", "float_value", "double_value", "string_value", "boolean_tensor", "byte_tensor", "int64_tensor", "float_tensor", "double_tensor", "string_tensor", "any_value")
    TYPE_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_LIST_FIELD_NUMBER: _ClassVar[int]
    EVENT_DICT_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_VALUE_FIELD_NUMBER: _ClassVar[int]
    INT64_VALUE_FIELD_NUMBER: _ClassVar[int]
    FLOAT_VALUE_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_VALUE_FIELD_NUMBER: _ClassVar[int]
    STRING_VALUE_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_TENSOR_FIELD_NUMBER: _ClassVar[int]
    BYTE_TENSOR_FIELD_NUMBER: _ClassVar[int]
    INT64_TENSOR_FIELD_NUMBER: _ClassVar[int]
    FLOAT_TENSOR_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_TENSOR_FIELD_NUMBER: _ClassVar[int]
    STRING_TENSOR_FIELD_NUMBER: _ClassVar[int]
    ANY_VALUE_FIELD_NUMBER: _ClassVar[int]
    type_id: str
    event_list: ListEvent
    event_dict: DictEvent
    boolean_value: bool
    int64_value: int
    float_value: float
    double_value: float
    string_value: str
    boolean_tensor: BooleanTensor
    byte_tensor: ByteTensor
    int64_tensor: Int64Tensor
    float_tensor: FloatTensor
    double_tensor: DoubleTensor
    string_tensor: StringTensor
    any_value: _any_pb2.Any
    def __init__(self, type_id: _Optional[str] = ..., event_list: _Optional[_Union[ListEvent, _Mapping]] = ..., event_dict: _Optional[_Union[DictEvent, _Mapping]] = ..., boolean_value: _Optional[bool] = ..., int64_value: _Optional[int] = ..., float_value: _Optional[float] = ..., double_value: _Optional[float] = ..., string_value: _Optional[str] = ..., boolean_tensor: _Optional[_Union[BooleanTensor, _Mapping]] = ..., byte_tensor: _Optional[_Union[ByteTensor, _Mapping]] = ..., int64_tensor: _Optional[_Union[Int64Tensor, _Mapping]] = ..., float_tensor: _Optional[_Union[FloatTensor, _Mapping]] = ..., double_tensor: _Optional[_Union[DoubleTensor, _Mapping]] = ..., string_tensor: _Optional[_Union[StringTensor, _Mapping]] = ..., any_value: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class ForkSessionRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: int
    def __init__(self, session_id: _Optional[int] = ...) -> None: ...

class ForkSessionReply(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: int
    def __init__(self, session_id: _Optional[int] = ...) -> None: ...

class EndSessionRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: int
    def __init__(self, session_id: _Optional[int] = ...) -> None: ...

class EndSessionReply(_message.Message):
    __slots__ = ("remaining_sessions",)
    REMAINING_SESSIONS_FIELD_NUMBER: _ClassVar[int]
    remaining_sessions: int
    def __init__(self, remaining_sessions: _Optional[int] = ...) -> None: ...

class GetSpacesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSpacesReply(_message.Message):
    __slots__ = ("action_space_list", "observation_space_list")
    ACTION_SPACE_LIST_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_SPACE_LIST_FIELD_NUMBER: _ClassVar[int]
    action_space_list: _containers.RepeatedCompositeFieldContainer[ActionSpace]
    observation_space_list: _containers.RepeatedCompositeFieldContainer[ObservationSpace]
    def __init__(self, action_space_list: _Optional[_Iterable[_Union[ActionSpace, _Mapping]]] = ..., observation_space_list: _Optional[_Iterable[_Union[ObservationSpace, _Mapping]]] = ...) -> None: ...

class Benchmark(_message.Message):
    __slots__ = ("uri", "program", "dynamic_config")
    URI_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_FIELD_NUMBER: _ClassVar[int]
    DYNAMIC_CONFIG_FIELD_NUMBER: _ClassVar[int]
    uri: str
    program: File
    dynamic_config: BenchmarkDynamicConfig
    def __init__(self, uri: _Optional[str] = ..., program: _Optional[_Union[File, _Mapping]] = ..., dynamic_config: _Optional[_Union[BenchmarkDynamicConfig, _Mapping]] = ...) -> None: ...

class BenchmarkDynamicConfig(_message.Message):
    __slots__ = ("build_cmd", "run_cmd", "pre_run_cmd", "post_run_cmd")
    BUILD_CMD_FIELD_NUMBER: _ClassVar[int]
    RUN_CMD_FIELD_NUMBER: _ClassVar[int]
    PRE_RUN_CMD_FIELD_NUMBER: _ClassVar[int]
    POST_RUN_CMD_FIELD_NUMBER: _ClassVar[int]
    build_cmd: Command
    run_cmd: Command
    pre_run_cmd: _containers.RepeatedCompositeFieldContainer[Command]
    post_run_cmd: _containers.RepeatedCompositeFieldContainer[Command]
    def __init__(self, build_cmd: _Optional[_Union[Command, _Mapping]] = ..., run_cmd: _Optional[_Union[Command, _Mapping]] = ..., pre_run_cmd: _Optional[_Iterable[_Union[Command, _Mapping]]] = ..., post_run_cmd: _Optional[_Iterable[_Union[Command, _Mapping]]] = ...) -> None: ...

class Command(_message.Message):
    __slots__ = ("argument", "env", "timeout_seconds", "infile", "outfile")
    class EnvEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ARGUMENT_FIELD_NUMBER: _ClassVar[int]
    ENV_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    INFILE_FIELD_NUMBER: _ClassVar[int]
    OUTFILE_FIELD_NUMBER: _ClassVar[int]
    argument: _containers.RepeatedScalarFieldContainer[str]
    env: _containers.ScalarMap[str, str]
    timeout_seconds: int
    infile: _containers.RepeatedScalarFieldContainer[str]
    outfile: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, argument: _Optional[_Iterable[str]] = ..., env: _Optional[_Mapping[str, str]] = ..., timeout_seconds: _Optional[int] = ..., infile: _Optional[_Iterable[str]] = ..., outfile: _Optional[_Iterable[str]] = ...) -> None: ...

class File(_message.Message):
    __slots__ = ("contents", "uri")
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    contents: bytes
    uri: str
    def __init__(self, contents: _Optional[bytes] = ..., uri: _Optional[str] = ...) -> None: ...

class AddBenchmarkRequest(_message.Message):
    __slots__ = ("benchmark",)
    BENCHMARK_FIELD_NUMBER: _ClassVar[int]
    benchmark: _containers.RepeatedCompositeFieldContainer[Benchmark]
    def __init__(self, benchmark: _Optional[_Iterable[_Union[Benchmark, _Mapping]]] = ...) -> None: ...

class AddBenchmarkReply(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SessionParameter(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: str
    def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class SendSessionParameterRequest(_message.Message):
    __slots__ = ("session_id", "parameter")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_FIELD_NUMBER: _ClassVar[int]
    session_id: int
    parameter: _containers.RepeatedCompositeFieldContainer[SessionParameter]
    def __init__(self, session_id: _Optional[int] = ..., parameter: _Optional[_Iterable[_Union[SessionParameter, _Mapping]]] = ...) -> None: ...

class SendSessionParameterReply(_message.Message):
    __slots__ = ("reply",)
    REPLY_FIELD_NUMBER: _ClassVar[int]
    reply: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, reply: _Optional[_Iterable[str]] = ...) -> None: ...
