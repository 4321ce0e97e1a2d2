"""A compiler as a set of tools for agents that call tools: ``CompilerTools``, and the doors to it.

``compiler_tools`` alone knows what a tool does. The other modules let agents call it: ``mcp_server`` by MCP
and OpenEnv's protocol, ``trl`` and ``verifiers`` from these two frameworks. ``mcp_server`` needs the extra
``mcp`` of the package; importing ``optarena.tools`` needs none.
"""

from optarena.tools.compiler_tools import TOOLS, CompilerTools, ToolEffort

__all__ = ["TOOLS", "CompilerTools", "ToolEffort"]
