"""verifiers' tasks of a dataset: a script calls the tools of one by MCP, as a rollout does."""

import anyio
import verifiers.v1 as vf
from mcp.client.client import Client
from mcp.server.mcpserver import MCPServer

from optarena.tools.verifiers import CompilerConfig, CompilerTaskset


async def play(task: vf.Task) -> None:
    [toolset] = task.toolsets(task.config)
    await toolset.setup_task(task.data)
    server = MCPServer("compiler")
    toolset.register(server)
    async with Client(server) as agent:
        wrong = await agent.call_tool("apply", {"actions": "srao"})
        right = await agent.call_tool("apply", {"actions": ["sroa", "instcombine"]})
        texts = [answer.content[0].text for answer in (wrong, right)]
        if (
            not wrong.is_error
            or "Did you mean 'sroa'?" not in texts[0]
            or "2 actions applied" not in texts[1]
        ):
            raise SystemExit("\n".join(texts))


if __name__ == "__main__":
    tasks = list(CompilerTaskset(CompilerConfig(dataset="kernels-v0")))
    if {task.data.environment for task in tasks} != {"llvm-ic-v0"}:
        raise SystemExit(f"the environments of {len(tasks)} tasks")
    anyio.run(play, tasks[0])
