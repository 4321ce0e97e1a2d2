"""Passes bytes between TCP ports and Unix sockets: the way of a worker on another machine to the servers.

python relay.py ADDRESS PORT=SOCKET [PORT=SOCKET ...]
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

_BYTES = 1 << 16


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_BYTES):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError):
        writer.close()


async def _serve(address: str, port: int, path: str) -> None:
    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_unix_connection(path)
        except OSError:  # the server is down: the client gets what it would get from the server's machine
            writer.transport.abort()
            return
        await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))

    server = await asyncio.start_server(connect, address, port)
    await server.serve_forever()


async def main() -> None:
    address, *pairs = sys.argv[1:]
    ports = [pair.partition("=") for pair in pairs]
    await asyncio.gather(*(_serve(address, int(port), path) for port, _, path in ports))


if __name__ == "__main__":
    asyncio.run(main())
