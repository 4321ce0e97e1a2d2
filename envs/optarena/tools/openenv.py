"""The tools for clients of OpenEnv: their messages over a websocket, without their package.

An action is a call of a tool, its observation the answer, and the reward what the call added to the reward of
the environment. Each connection has a session of its own, which ends with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from optarena.documents.loading import json_document
from optarena.errors import InvalidInput, OptArenaError
from optarena.tools.calls import START, call_tool, tool_descriptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from optarena.tools.compiler_tools import CompilerTools
    from optarena.tools.sessions import ToolSessions

    Json = dict[str, Any]

__all__ = ["openenv_routes"]

_POLICY: Final = 1008  # The websocket's code for what its server does not allow
_LAST: Final = "submit"  # The tool after which an episode is done


def openenv_routes(
    sessions: ToolSessions, security: TransportSecuritySettings, *, needs_token: bool
) -> list[Route | WebSocketRoute]:
    """The addresses that OpenEnv's clients use; arguments as those of ``http_app``."""
    guard = TransportSecurityMiddleware(security)

    async def websocket(connection: WebSocket) -> None:
        user = connection.scope.get("user")
        is_unknown = needs_token and not isinstance(user, AuthenticatedUser)
        if is_unknown or await guard.validate_request(connection) is not None:  # type: ignore[arg-type] # its headers alone
            await connection.close(_POLICY)
            return
        await connection.accept()
        await _converse(connection, sessions)

    async def health(_: Request) -> JSONResponse:
        return JSONResponse({"status": "healthy"})

    async def schema(_: Request) -> JSONResponse:
        return JSONResponse(_schemas())

    async def metadata(_: Request) -> JSONResponse:
        told = "A program and a real compiler, as tools; the reward is the environment's."
        return JSONResponse({"name": "optarena", "description": told})

    pages = {"/health": health, "/schema": schema, "/metadata": metadata}
    return [*(Route(path, page) for path, page in pages.items()), WebSocketRoute("/ws", websocket)]


def _schemas() -> Json:
    called = [
        {
            "title": one.name,
            "description": one.description,
            "type": "object",
            "properties": {"tool": {"const": one.name}, "arguments": one.schema},
            "required": ["tool"],
        }
        for one in tool_descriptions()
    ]
    text = {"type": "string"}
    answer = {"text": text, "is_error": {"type": "boolean"}}
    state = {"episode_id": text, "step_count": {"type": "integer"}, "benchmark": text, "commandline": text}
    return {
        "action": {"title": "ToolAction", "oneOf": called},
        "observation": {"title": "ToolObservation", "type": "object", "properties": answer},
        "state": {"title": "ToolState", "type": "object", "properties": state},
    }


@dataclass(slots=True)
class _ToolEpisode:
    session: str
    steps: int = 0

    def reset(self, tools: CompilerTools, data: Json) -> Json:
        # Compilers have no randomness, so a seed changes nothing.
        chosen = {name: value for name, value in data.items() if name not in ("seed", "episode_id")}
        text = call_tool(tools, START, {"benchmark": tools.env.benchmark.uri, **chosen})
        self.steps = 0
        return _observed(text, None)

    def step(self, tools: CompilerTools, data: Json) -> Json:
        self.steps += 1
        before = tools.reward
        given = {name: value for name, value in data.items() if name != "metadata"}
        unknown = given.keys() - {"tool", "arguments"}
        try:
            if unknown or "tool" not in given:
                message = f"The action has the fields {', '.join(sorted(given)) or 'none'}."
                raise InvalidInput(
                    message, field="action", remedy="Give `tool`, and `arguments` if it has any."
                )
            text, is_error = call_tool(tools, str(given["tool"]), given.get("arguments") or {}), False
        except OptArenaError as error:
            text, is_error = str(error), True
        is_done = given.get("tool") == _LAST and not is_error
        return _observed(text, tools.reward - before, is_error=is_error, is_done=is_done)

    def state(self, tools: CompilerTools, _: Json) -> Json:
        state = tools.state
        about = {"benchmark": state.benchmark, "commandline": state.commandline}
        return {"episode_id": self.session, "step_count": self.steps, **about}


def _observed(text: str, reward: float | None, *, is_error: bool = False, is_done: bool = False) -> Json:
    return {"observation": {"text": text, "is_error": is_error}, "reward": reward, "done": is_done}


async def _converse(connection: WebSocket, sessions: ToolSessions) -> None:
    try:
        session = await sessions.open()
    except OptArenaError as error:
        await connection.send_json(_refused(str(error), "CAPACITY_REACHED"))
        await connection.close()
        return
    episode = _ToolEpisode(session)
    try:
        while (message := await connection.receive())["type"] != "websocket.disconnect":
            # Bytes instead of a text are not JSON either.
            answer = await _reply(message.get("text") or "", episode, sessions)
            if answer is None:
                await connection.close()
                break
            await connection.send_json(answer)
    except WebSocketDisconnect:
        pass
    finally:
        await sessions.close(session)


async def _reply(text: str, episode: _ToolEpisode, sessions: ToolSessions) -> Json | None:
    # None at the end of the conversation.
    try:
        message = json_document(text, field="message")
    except OptArenaError as error:
        return _refused(str(error), "INVALID_JSON")
    kind = message.get("type") if isinstance(message, dict) else None
    if kind == "close":
        return None
    answers: Mapping[object, Any] = {"reset": episode.reset, "step": episode.step, "state": episode.state}
    data = message.get("data", {}) if isinstance(message, dict) else None
    if kind not in answers:
        return _refused(
            f"The type {kind!r:.100} is unknown. Send reset, step, state or close.", "UNKNOWN_TYPE"
        )
    if not isinstance(data, dict):
        return _refused("The field data is not an object. Send one.", "VALIDATION_ERROR")
    try:
        found = await sessions.do(episode.session, lambda tools: answers[kind](tools, data))
    except OptArenaError as error:
        return _refused(str(error), "EXECUTION_ERROR")
    return {"type": "state" if kind == "state" else "observation", "data": found}


def _refused(message: str, code: str) -> Json:
    return {"type": "error", "data": {"message": message, "code": code}}
