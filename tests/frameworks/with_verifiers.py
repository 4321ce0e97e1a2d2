"""verifiers' own loop plays a task of a dataset; a script behind a model's address chooses the tools."""

import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import verifiers.v1 as vf

CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("describe_program", {}),
    ("apply", {"actions": "srao"}),
    ("apply", {"actions": ["sroa", "instcombine"]}),
    ("check", {}),
)
ANSWERS = ("llvm-ic-v0", "Did you mean 'sroa'?", "2 actions applied", "valid: the replay gives")


class StubModel(BaseHTTPRequestHandler):
    """Answers as an OpenAI-compatible endpoint does: a stub, so that the loop needs no model."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turn = sum(message["role"] == "assistant" for message in asked["messages"])
        said: dict[str, object] = {"role": "assistant", "content": "Done."}
        reason = "stop"
        if turn < len(CALLS):
            name, arguments = CALLS[turn]
            function = {"name": name, "arguments": json.dumps(arguments)}
            call = {"index": 0, "id": f"call-{turn}", "type": "function", "function": function}
            said, reason = {"role": "assistant", "tool_calls": [call]}, "tool_calls"
        chunk: dict[str, object] = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": asked["model"],
        }
        chunk["choices"] = [{"index": 0, "delta": said, "finish_reason": reason}]
        chunk["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_: object) -> None:
        """Keep the output to what the loop says."""


async def play(port: int) -> vf.Trace:
    config = vf.SingleAgentEnvConfig.model_validate(
        {
            "taskset": {"id": "compiling", "dataset": "kernels-v0"},
            "agent": {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}},
        }
    )
    env = vf.SingleAgentEnv(config)
    tasks = list(env.taskset)
    if {task.data.environment for task in tasks} != {"llvm-ic-v0"}:
        raise SystemExit(f"the environments of {len(tasks)} tasks")
    client = vf.EvalClientConfig(base_url=f"http://127.0.0.1:{port}/v1", api_key_var="NONE")
    async with env.serving():
        [slot] = env.slots(tasks[0])
        episode = await env.run_slot(slot, vf.ModelContext(model="stub", client=client))
    [trace] = episode.traces
    return trace


def main() -> None:
    # As the manual says: a module of one's own that names the class.
    Path("compiling.py").write_text(
        "from optarena.tools.verifiers import CompilerTaskset\n\n__all__ = ['CompilerTaskset']\n"
    )
    sys.path.insert(0, ".")
    with HTTPServer(("127.0.0.1", 0), StubModel) as model:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        trace = asyncio.run(play(model.server_port))
        model.shutdown()
    answers = [str(node.message.content) for node in trace.nodes if node.message.role == "tool"]
    if trace.errors or len(answers) != len(ANSWERS):
        raise SystemExit(f"{trace.errors}\n{answers}")
    for wanted, answer in zip(ANSWERS, answers, strict=True):
        if wanted not in answer:
            raise SystemExit(f"{wanted!r} is not in {answer!r}")
    if not 0 < trace.state.reward == trace.reward or trace.metrics != {"compilations": 1}:
        raise SystemExit(f"{trace.state} {trace.rewards} {trace.metrics}")


if __name__ == "__main__":
    main()
