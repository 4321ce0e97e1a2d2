"""Calls of tools by name with JSON arguments, as every protocol sends them."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import InvalidInput
from optarena.specs import unknown_name
from optarena.state import EnvState
from optarena.suggestions import did_you_mean
from optarena.tools.compiler_tools import TOOLS, CompilerTools

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["START", "ToolDescription", "call_tool", "tool_descriptions"]

START: Final = "start"
_SHOWN: Final = 100
_TEXT: Final = {"type": "string"}
_SCHEMAS: Final[Mapping[str, dict[str, Any]]] = {
    "str": _TEXT,
    "int": {"type": "integer", "minimum": 0},
    "str | list[str]": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
}
_ARGUMENT: Final = re.compile(r"^ {4}(\w+): (.+?)(?=^ {4}\w+: |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDescription:
    """What an agent reads of a tool.

    Attributes:
        name: Its name.
        description: What it does, in a sentence or two.
        schema: The JSON schema of its arguments, an object.
    """

    name: str
    description: str
    schema: Mapping[str, Any]


def start(tools: CompilerTools, benchmark: str = "", commandline: str = "") -> str:
    """Begin again: with another program, or where a command line ends.

    Args:
        tools: The session.
        benchmark: The program's URI, such as benchmark://DATASET/NAME; the present one if empty.
        commandline: The actions to begin with, as `score` gives them; none if empty.
    """
    uri = benchmark or tools.env.benchmark.uri
    if commandline:
        tools.start(EnvState(benchmark=uri, commandline=commandline))
    else:
        tools.start(benchmark=uri)
    return tools.describe_program()


_FUNCTIONS: Final = {START: start, **{name: getattr(CompilerTools, name) for name in TOOLS}}


@cache
def tool_descriptions() -> tuple[ToolDescription, ...]:
    """All tools, by their signatures and docstrings; ``start`` is the first."""
    return tuple(_described(name) for name in _FUNCTIONS)


def _described(name: str) -> ToolDescription:
    text, _, told = inspect.getdoc(_FUNCTIONS[name]).partition("\n\nArgs:\n")  # type: ignore[union-attr] # each has one
    sentences = {one: " ".join(line.split()) for one, line in _ARGUMENT.findall(told)}
    properties, needed = {}, []
    for parameter in list(inspect.signature(_FUNCTIONS[name]).parameters.values())[1:]:
        property_ = {**_SCHEMAS[parameter.annotation], "description": sentences[parameter.name]}
        if parameter.default is parameter.empty:
            needed.append(parameter.name)
        else:
            property_["default"] = parameter.default
        properties[parameter.name] = property_
    schema = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
    return ToolDescription(name=name, description=" ".join(text.split()), schema=schema)


def call_tool(tools: CompilerTools, name: str, arguments: Mapping[str, Any]) -> str:
    """Call a tool by its name.

    Raises:
        UnknownName: There is no such tool.
        InvalidInput: An argument is unknown, missing or wrong.
    """
    if name not in _FUNCTIONS:
        raise unknown_name("tool", name, list(_FUNCTIONS))
    schema = next(one.schema for one in tool_descriptions() if one.name == name)
    known = schema["properties"]
    if not isinstance(arguments, dict):
        message = f"The arguments of {name} are {arguments!r:.{_SHOWN}}."
        raise InvalidInput(message, field="arguments", value=arguments, remedy="Give an object.")
    for given in arguments:
        if given not in known:
            listed = f"It has {', '.join(known)}." if known else "Leave it out: this tool has none."
            remedy = did_you_mean(given, known, otherwise=listed)
            message = f"{name} has the unknown argument {given!r:.{_SHOWN}}."
            raise InvalidInput(message, field=given[:_SHOWN], value=arguments[given], remedy=remedy)
    missing = [one for one in schema["required"] if one not in arguments]
    if missing:
        message = f"{name} lacks the argument {missing[0]}."
        raise InvalidInput(message, field=missing[0], remedy=str(known[missing[0]]["description"]))
    return str(_FUNCTIONS[name](tools, **arguments))
