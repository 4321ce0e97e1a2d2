"""``optarena service``: runs a compiler service, for clients on this machine or others."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from optarena.errors import InvalidInput, UnknownName
from optarena.service.client.target import ServiceTarget, TargetKind
from optarena.service.client.zygote import start_early
from optarena.service.runtime.create_and_run import OPTIONS, ServeOptions
from optarena.specs import EnvironmentSpec, environment_spec, environment_specs, unknown_name

if TYPE_CHECKING:
    from optarena.cli.console import Command

_VERSION = "-v0"


def _options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        flags = {"is_flag": True} if option.kind is bool else {"type": option.kind, "metavar": option.metavar}
        command = click.option(option.flag, option.name, help=option.help, **flags)(command)
    return command


@click.command()
@click.argument("name", metavar="NAME")
@_options
@click.option(
    "-v",
    "--verbosity",
    type=click.IntRange(0),
    default=0,
    show_default=False,
    metavar="N",
    help="How much to log.",
)
def service(name: str, **given: Any) -> int:  # noqa: ANN401 # the options, checked by their class
    """Run the service NAME until it is stopped.

    NAME is an environment, with or without -v0, or a session type: module:Class, or /path/to/file.py:Class.
    Without --port, --bind, --unix and --working_dir it listens on a private Unix socket, printed first.
    """
    options = ServeOptions(**given)
    session_type = session_type_of(name)
    if not options.in_process:
        start_early(session_type)
    from optarena.service.runtime.serving import serve  # noqa: PLC0415 # brings grpc

    return serve(session_type, options)


def session_type_of(name: str) -> str:
    if ":" not in name and "/" not in name.removeprefix("optarena/"):
        return _checked(name, _environment(name).service)
    session_type = _checked(name, name)
    if os.getcwd() not in sys.path:  # noqa: PTH109 # a string among strings
        sys.path.insert(0, os.getcwd())  # noqa: PTH109 # a module of the user's own, as for python -m
    return session_type


def _environment(name: str) -> EnvironmentSpec:
    for wanted in (name, name + _VERSION):
        try:
            return environment_spec(wanted)
        except UnknownName:
            continue
    slugs = [spec.slug for spec in environment_specs()]
    raise unknown_name("environment", name, [*slugs, *(slug.removesuffix(_VERSION) for slug in slugs)])


def _checked(name: str, service: str) -> str:
    target = ServiceTarget.parse(service)
    if target.kind is TargetKind.SESSION_TYPE:
        return target.name
    why, remedy = "an executable", f"Start it itself: {target.name} --working_dir DIR."
    if target.kind is not TargetKind.EXECUTABLE:
        why = "an endpoint"
        remedy = f"It is running already. Use it with gymnasium.make(…, service={target.name!r})."
    raise InvalidInput(f"The service of {name!r} is {why}.", field="name", value=name, remedy=remedy)
