"""Servers of MCP, each made with the server of a library.

LIBRARY TRANSPORT      `http` writes the address first; `stdio` is the server itself

The tool `say` says what it is told, and `unlock` asks for a code first.
"""

import socket
import sys
from typing import Annotated

from pydantic import BaseModel


class Code(BaseModel):
    code: str


def say(text: str) -> str:
    return f"you said: {text}"


def mcp():
    from mcp.server.mcpserver import Elicit, MCPServer, Resolve

    def ask() -> Elicit[Code]:
        return Elicit("Which code?", Code)

    server = MCPServer("peer")
    server.tool()(say)

    @server.tool()
    def unlock(asked: Annotated[Code, Resolve(ask)]) -> str:
        return f"unlocked with {asked.code}"

    return server, server.streamable_http_app


def fastmcp():
    from fastmcp import Context, FastMCP
    from mcp.types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

    server = FastMCP("peer")
    server.tool()(say)

    # FastMCP leaves it to its tools how the client's era asks.
    @server.tool()
    async def unlock(ctx: Context):
        if ctx.request_context.session.protocol_version < "2026":
            return f"unlocked with {(await ctx.elicit('Which code?', Code)).data.code}"
        if not ctx.input_responses:
            params = ElicitRequestFormParams(message="Which code?", requested_schema=Code.model_json_schema())
            asked = {"k": ElicitRequest(method="elicitation/create", params=params)}
            return InputRequiredResult(result_type="input_required", input_requests=asked)
        return f"unlocked with {ctx.input_responses['k'].content['code']}"

    return server, server.http_app


if __name__ == "__main__":
    library, transport = sys.argv[1:]
    server, app = {"mcp": mcp, "fastmcp": fastmcp}[library]()
    if transport == "stdio":
        server.run("stdio")
    else:
        import uvicorn

        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        # Whoever is told the address may come before uvicorn does.
        listener.listen()
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        uvicorn.Server(uvicorn.Config(app(), log_level="error")).run(sockets=[listener])
