"""A bare grpcio server for comparison: answers every call with the same bytes.

python benchmarks/grpc_echo.py SOCKET REPLY_BYTES
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import grpc

METHOD = "/echo.Echo/Call"


def main() -> None:
    """Serve until standard input ends."""
    socket, size = sys.argv[1], int(sys.argv[2])
    reply = bytes(size)
    server = grpc.server(ThreadPoolExecutor(16))
    handler = grpc.unary_unary_rpc_method_handler(lambda _request, _context: reply)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", {"Call": handler}),))
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    print("ready", flush=True)
    sys.stdin.read()
    server.stop(None)


if __name__ == "__main__":
    main()
