"""A kernel as a program: its IR, and before it a comment that says how to launch it.

The comment is one line of JSON, so a program is complete in one file, and can be run, checked and timed
wherever it is sent::

    ; optarena-kernel: {"kernel": "vector_add", "cases": {"odd": {"grid": [3, 1], "block": [64, 1], ...}}}

The last line may be one more comment, with the machine code that nvcc makes of the same source.
"""

from __future__ import annotations

import array
import base64
import json
import math
import re
import zlib
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, Literal, NoReturn

from optarena.errors import InvalidInput, UnknownName
from optarena.gpu_kernels import pinned

PREFIX: Final = "; optarena-kernel: "
NVCC_PREFIX: Final = "; optarena-nvcc: "
_NVCC: Final = re.compile(rf"^{NVCC_PREFIX}(.*?)\s*\Z", re.MULTILINE)
_MAX_NVCC_BYTES: Final = 2**20
_ELF: Final = b"\x7fELF"
# The case that is large enough to be timed on a GPU, and too large to be executed on a CPU.
TIMED: Final = "timed"
MAX_THREADS: Final = 1024
MAX_ELEMENTS: Final = 2**28
_MAX_SIDES: Final = (2**31 - 1, 2**16 - 1)  # blocks of a launch in x and y, as CUDA limits them
_MAX_SEED: Final = 2**31
_MAX_FLOPS: Final = 10**14  # a GPU computes as many in some seconds
_MAX_MOVES: Final = 64  # how often a launch may need to move each byte of its arrays
MAX_EMULATED_THREADS: Final = 2**20
MAX_EMULATED_ELEMENTS: Final = 2**20  # elements are drawn without numpy, a million in a few seconds
# The intrinsics of NVPTX that kernels may use: those that can be checked on a CPU.
EMULATED: Final = re.compile(
    r"llvm\.nvvm\.(read\.ptx\.sreg\.(tid|ctaid|ntid|nctaid)\.[xy]|barrier\.cta\.sync\.aligned\.all)"
)
# The other intrinsics that kernels may use: code generators for NVPTX and for a CPU know them.
_PLAIN: Final = re.compile(
    r"llvm\.(abs|assume|bitreverse|bswap|canonicalize|ceil|copysign|ctlz|ctpop|cttz|dbg\.\w+|expect|fabs|floor"
    r"|fma|fmuladd|fsh[lr]|lifetime\.(start|end)|maximum|maximumnum|maxnum|mem(cpy|move|set)|minimum|minimumnum"
    r"|minnum|nearbyint|rint|round|roundeven|[su](add|mul|sub)\.with\.overflow|[su](add|shl|sub)\.sat"
    r"|[su](cmp|max|min)|sideeffect|sqrt|trap|trunc)(\.([a-z]+\d+)+)*"
)
_DECLARED: Final = re.compile(r"^declare [^@\n]*@([^(\s]+)\(", re.MULTILINE)
_ASSEMBLY: Final = re.compile(r"\basm (?:sideeffect |alignstack |inteldialect |unwind )*\"")
VARIABLE: Final = r'@(?:"[^"\n]*"|\S+)'  # a pattern of the name of a variable
_SHARED: Final = re.compile(
    rf"^({VARIABLE}) = [^\n]*?addrspace\(3\) (?:global|constant) ([^\n]*)", re.MULTILINE
)
_BRACKETS: Final = re.compile(r"([()])")
_UNSET: Final = re.compile(r"\b(?:undef|poison|zeroinitializer)\b")
Kind = Literal["f32", "i32", "offsets", "output", "int"]
_KINDS: Final = ("f32", "i32", "offsets", "output", "int")
_REMEDY: Final = "Take a program of gpu-kernels-v1 as an example."


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a launch.

    ``f32`` and ``i32`` are arrays of random numbers (from -1 to 1, from 0 to ``below``), ``offsets`` running
    sums of such integers from 0, ``output`` an array that the kernel writes, ``int`` a number.
    """

    kind: Kind
    count: int = 0
    seed: int = 0
    below: int = 0
    value: int = 0
    is_integer: bool = False  # an output of integers, which are zeroed before the launch

    @property
    def size_bytes(self) -> int:
        return 4 * self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    grid: tuple[int, int]  # blocks, in x and y
    block: tuple[int, int]  # threads of a block, in x and y
    arguments: tuple[Argument, ...]
    moved_bytes: int  # bytes that it must read and write at least
    flops: int

    @property
    def threads(self) -> int:
        return math.prod(self.block)

    @property
    def too_large(self) -> str:  # what a CPU would execute too long
        for found, what, most in (
            (self.threads * math.prod(self.grid), "threads", MAX_EMULATED_THREADS),
            (sum(one.count for one in self.arguments), "elements", MAX_EMULATED_ELEMENTS),
        ):
            if found > most:
                return f"{found} {what}; at most {most}"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelProgram:
    kernel: str
    cases: dict[str, Case]
    header: str  # the comment, without its end of line
    ir: str
    nvcc: bytes = b""  # the cubin that nvcc makes of the same source, if the program has it

    @property
    def main(self) -> Case:  # the launch that a GPU times, if there is one
        return self.cases.get(TIMED) or next(iter(self.cases.values()))

    def case(self, name: str) -> Case:
        if name not in self.cases:
            raise UnknownName(
                f"The kernel {self.kernel} has no case {name[:100]!r}.",
                field="case",
                value=name[:100],
                remedy=f"Its cases are {', '.join(self.cases)}.",
            )
        return self.cases[name]


def parse(data: bytes) -> KernelProgram:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        _refuse("The program is not text; bitcode has no room for its launches.")
    header, _, ir = text.partition("\n")
    if not header.startswith(PREFIX):
        _refuse(f"The program does not begin with {PREFIX.strip()!r}.")
    try:
        described = json.loads(header.removeprefix(PREFIX))
    except (ValueError, RecursionError) as error:
        _refuse(f"The description of the launches is not JSON: {error}.")
    kernel, cases = _field(described, "kernel", str), _field(described, "cases", dict)
    if not cases:
        _refuse("The description has no case.")
    nvcc = _NVCC.search(ir)
    ir = ir[: nvcc.start()] if nvcc else ir
    _check_ir(ir)
    types = parameters(ir, kernel)
    return KernelProgram(
        kernel=kernel,
        cases={str(name): _case(str(name), one, types) for name, one in cases.items()},
        header=header,
        ir=ir,
        nvcc=_nvcc_code(nvcc[1]) if nvcc else b"",
    )


def nvcc_line(cubin: bytes) -> str:
    return f"{NVCC_PREFIX}{base64.b64encode(zlib.compress(cubin, 9)).decode()}\n"


def _nvcc_code(text: str) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        code = unpacking.decompress(base64.b64decode(text, validate=True), _MAX_NVCC_BYTES)
    except (ValueError, zlib.error) as error:  # by b64decode: binascii.Error, or for letters beyond ASCII
        _refuse(f"The code of nvcc at the end of the program is damaged: {error}.")
    if not unpacking.eof or not code.startswith(_ELF):
        _refuse(
            f"The code of nvcc at the end of the program is not a cubin of at most {_MAX_NVCC_BYTES:,} bytes."
        )
    return code


def parameters(ir: str, kernel: str) -> list[str]:
    # Each `ptr` or `i32`.
    # To the last bracket of the line: attributes of parameters have brackets, too.
    signature = re.search(
        rf"^define (?:[^@\n]* )?ptx_kernel [^@\n]*@{re.escape(kernel)}\((.*)\)[^\n]*{{", ir, re.MULTILINE
    )
    if signature is None:
        _refuse(f"The program does not define the kernel {kernel}.")
    plain = _without_groups(signature[1])  # attributes of parameters, such as range(i32 0, 5)
    types = [one.partition(" ")[0] for one in plain.split(", ")] if plain else []
    if set(types) - {"ptr", "i32"} or "byval" in plain:
        _refuse(f"The kernel {kernel} has parameters ({signature[1][:200]}), and not only ptr and i32.")
    return types


def _without_groups(text: str) -> str:  # a bracket without its partner stays
    kept: list[str] = []
    opened: list[int] = []
    for part in _BRACKETS.split(text):
        kept.append(part)
        if part == "(":
            opened.append(len(kept) - 1)
        elif part == ")" and opened:
            del kept[opened.pop() :]
    return "".join(kept)


def _check_ir(ir: str) -> None:
    if f'target triple = "{pinned.TRIPLE}"' not in ir:
        _refuse(f"The program is not made for {pinned.TRIPLE}.")
    for found in sorted(set(re.findall(r'@"?(llvm\.[\w.]+)"?\(', ir))):
        if not EMULATED.fullmatch(found) and not _PLAIN.fullmatch(found):
            _refuse_use(f"the intrinsic {found}", found)
    for found in _DECLARED.findall(ir):
        if not found.startswith("llvm."):
            _refuse_use(f"the undefined function {found}", found)
    if _ASSEMBLY.search(ir):
        _refuse_use("assembly", "asm")
    for name, given in _SHARED.findall(ir):
        if not _UNSET.search(given):
            _refuse_use(f"the shared memory {name} with a size at the launch, or with given contents", name)


def _case(name: str, described: object, types: list[str]) -> Case:
    arguments = tuple(_argument(name, one) for one in _field(described, "arguments", list))
    if sum(one.count for one in arguments) > MAX_ELEMENTS:
        _refuse(f"The case {name} has more than {MAX_ELEMENTS} elements.")
    given = ["i32" if one.kind == "int" else "ptr" for one in arguments]
    if given != types:
        _refuse(f"The case {name} gives {', '.join(given)}, and the kernel takes {', '.join(types)}.")
    case = Case(
        grid=_pair(described, "grid"),
        block=_pair(described, "block"),
        arguments=arguments,
        moved_bytes=_figure(described, "bytes", _MAX_MOVES * sum(one.size_bytes for one in arguments)),
        flops=_figure(described, "flops", _MAX_FLOPS),
    )
    if case.threads > MAX_THREADS:
        _refuse(f"The case {name} has {case.threads} threads in a block; at most {MAX_THREADS} are possible.")
    return case


def _argument(case: str, described: object) -> Argument:
    kind = _field(described, "kind", str)
    numbers = {key: _field(described, key, int, 0) for key in ("count", "seed", "below", "value")}
    if kind not in _KINDS or min(numbers["count"], numbers["seed"], numbers["below"]) < 0:
        _refuse(f"The case {case} has an argument {str(described)[:100]}.")
    if numbers["seed"] >= _MAX_SEED:
        _refuse(f"The case {case} has a seed that is not below {_MAX_SEED}: {str(described)[:100]}.")
    if kind in {"i32", "offsets"} and not 0 < numbers["below"] < 2**31:
        _refuse(f"The case {case} has random integers without a bound: {str(described)[:100]}.")
    if kind == "offsets" and numbers["count"] * numbers["below"] > 2**31:
        _refuse(f"The case {case} has offsets that may not be an int: {str(described)[:100]}.")
    if kind != "int" and not numbers["count"]:
        _refuse(f"The case {case} has an empty array.")
    if not -(2**31) <= numbers["value"] < 2**31:
        _refuse(f"The case {case} has a number that is not an int: {numbers['value']}.")
    return Argument(kind=kind, is_integer=_field(described, "integers", bool, default=False), **numbers)


def _pair(described: object, key: str) -> tuple[int, int]:
    given = _field(described, key, list)
    fits = len(given) == len(_MAX_SIDES) and all(
        type(one) is int and 0 < one <= most for one, most in zip(given, _MAX_SIDES, strict=True)
    )
    if not fits:
        most = " and ".join(map(str, _MAX_SIDES))
        _refuse(f"{key} is {str(given)[:100]}, not two numbers of at least 1 and at most {most}.")
    return given[0], given[1]


def _figure(described: object, key: str, most: int) -> int:
    found: int = _field(described, key, int)
    if not 0 <= found <= most:
        _refuse(f"The description's {key!r} is {str(found)[:100]}, not between 0 and {most}.")
    return found


def _field(described: object, key: str, kind: type, default: object = None) -> Any:  # noqa: ANN401 # of the kind
    value = described.get(key, default) if isinstance(described, dict) else None
    if type(value) is not kind:
        _refuse(f"The description's {key!r} is {str(value)[:100]!r}, not a value of type {kind.__name__}.")
    return value


def _refuse_use(what: str, value: str) -> NoReturn:
    raise InvalidInput(
        f"The kernel uses {what}, which cannot be checked on a CPU.",
        field="program",
        value=value[:200],
        remedy="Use thread and block numbers and sizes in x and y, __syncthreads(), and plain arithmetic.",
    )


def _refuse(message: str) -> NoReturn:
    raise InvalidInput(message, field="program", remedy=_REMEDY)


MASK: Final = 2**64 - 1
STEP: Final = 0x9E3779B97F4A7C15
FACTORS: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SHIFTS: Final = (30, 27, 31)
FLOAT_SHIFT: Final = 40  # of 64 bits, 24 are kept
FLOAT_SCALE: Final = 2.0**-23
INTEGER_SHIFT: Final = 33
SEED_SHIFT: Final = 32


def mixed(number: int) -> int:  # 64 random bits
    value = (number + 1) * STEP & MASK
    for shift, factor in zip(SHIFTS, FACTORS, strict=False):
        value = (value ^ value >> shift) * factor & MASK
    return value ^ value >> SHIFTS[-1]


def drawn(argument: Argument) -> array.array[float] | array.array[int]:  # float32, or int32
    first = argument.seed << SEED_SHIFT
    if argument.kind == "f32":
        bits = (mixed(first + i) >> FLOAT_SHIFT for i in range(argument.count))
        return array.array("f", (one * FLOAT_SCALE - 1.0 for one in bits))
    whole = [(mixed(first + i) >> INTEGER_SHIFT) % argument.below for i in range(argument.count)]
    if argument.kind == "offsets":
        whole = [0, *accumulate(whole[:-1])]
    return array.array("i", whole)
