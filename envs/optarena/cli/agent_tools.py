"""``optarena mcp``: a program and its compiler as tools for agents."""

from __future__ import annotations

import functools
import ipaddress
import os
import secrets
import socket
from pathlib import Path
from typing import Final

import click

from optarena.cli import console
from optarena.errors import InvalidInput, ToolMissing
from optarena.tools.compiler_tools import CompilerTools

ACCESS_VARIABLE: Final = "OPTARENA_MCP_TOKEN"
_LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")


@click.command()
@click.option("--env", help="The environment. [default: that of the program]")
@click.option(
    "--benchmark", metavar="URI", help="The program to begin with. [default: the environment's first]"
)
@click.option("--resume", type=console.FILE, help="Go on where `save` wrote FILE.")
@click.option(
    "--folder",
    type=console.FOLDER,
    help="Where `save` writes; with --http each session below it. [default: .; with --http nowhere]",
)
@click.option(
    "--http",
    is_flag=True,
    help="Answer by streamable HTTP at /mcp, and OpenEnv's clients at /ws; many agents.",
)
@click.option("--host", default="127.0.0.1", help="With --http: the address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, help="With --http; 0 for any.")
@click.option(
    "--allow-host", "hosts", multiple=True, help="With --http: a further name of this server in requests."
)
@click.option(
    "--idle-minutes",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    help="With --http: close a session that is unused for so long.",
)
@console.sandbox
@console.login
def mcp(  # noqa: PLR0913 # one argument for each option
    *,
    env: str | None,
    benchmark: str | None,
    resume: Path | None,
    folder: Path | None,
    http: bool,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    idle_minutes: float,
    no_sandbox: bool,
    url: str | None,
    token: str | None,
) -> None:
    """Offer a program and its compiler as tools to agents that speak the Model Context Protocol.

    Without --http it answers on standard input and output, as an agent starts it. With --http clients must
    send $OPTARENA_MCP_TOKEN as a bearer token if it is set; another address than this machine's needs it.
    Results are submitted with your token to --url, if either is given; with --http both --url and
    $OPTARENA_MCP_TOKEN are needed, and agents cannot name files as programs.
    """
    access = os.environ.get(ACCESS_VARIABLE, "")
    if http and not access and not _is_local(host):
        message = f"{host} can be reached from other machines."
        remedy = f"Set ${ACCESS_VARIABLE} to a token that clients must send, or leave --host out."
        raise InvalidInput(message, field="host", value=host, remedy=remedy)
    if http and not (url and access):
        token = ""  # nobody submits as you
    make = functools.partial(
        _tools, env, benchmark, resume, folder, http=http, sandbox=not no_sandbox, url=url, token=token
    )
    try:
        import anyio  # noqa: PLC0415 # of an extra

        from optarena.tools import mcp_server  # noqa: PLC0415 # as above
    except ModuleNotFoundError as error:
        message = f"The package {error.name} is not installed."
        raise ToolMissing(message, field="mcp", remedy="Install it: pip install 'optarena[mcp]'.") from error
    if not http:
        anyio.run(mcp_server.serve_stdio, make)
        return
    listener = _listen(host, port)
    named = f"[{host}]" if ":" in host else host
    address = f"http://{named}:{listener.getsockname()[1]}"
    names = tuple(dict.fromkeys((*_LOCAL, named, *hosts)))
    serve = functools.partial(
        mcp_server.serve_http,
        make,
        listener,
        address=address,
        token=access,
        hosts=names,
        idle_seconds=60 * idle_minutes,
    )
    console.echo(f"MCP: {address}/mcp")
    anyio.run(serve)


def _tools(  # noqa: PLR0913 # what the options say
    env: str | None,
    benchmark: str | None,
    resume: Path | None,
    folder: Path | None,
    *,
    http: bool,
    sandbox: bool,
    url: str | None,
    token: str | None,
) -> CompilerTools:
    client = console.client(url, token)
    server = client if url is not None or client.token else None
    own = secrets.token_hex(8) if http else ""  # agents do not know of each other
    folder = Path() if folder is None and not http else folder and folder / own
    tools = CompilerTools.make(
        env or "", benchmark or "", server=server, folder=folder, files=not http, sandbox=sandbox
    )
    if resume is not None:
        try:
            tools.resume(resume)
        except BaseException:  # an interrupt, too: leave nothing behind
            tools.close()
            raise
    return tools


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        message = f"{host}:{port} cannot be listened on: {error.strerror or error}."
        remedy = "Give another --host or --port; --port 0 takes any that is free."
        raise InvalidInput(message, field="port", value=port, remedy=remedy) from error
