"""Agents that use MCP, each with the client of a library, and a scripted mind in place of a model.

LIBRARY MODE BEHAVIOUR [SERVER]

MODE is the era that the library's client is bound to, `auto` where it chooses. The agent looks at the tools of its
server, calls the one that there is, and `obeys` or `declines` what the tool's description wants in its note; one that
`leaves` has connected, and that is all. SERVER is {"command", "args"} or {"url"} as JSON; without it the common
configuration says it.
"""

import asyncio
import json
import os
import sys

ORDER = "hunter2"


def note(description, behaviour):
    return ORDER if behaviour == "obeys" and ORDER in (description or "") else "a note"


async def mcp(server, mode, behaviour):
    from mcp import Client, StdioServerParameters
    from mcp.types import ElicitResult

    async def answer(_context, _params):
        if behaviour == "obeys":
            return ElicitResult(action="accept", content={"code": ORDER})
        return ElicitResult(action="decline")

    target = server.get("url") or StdioServerParameters(**server)
    async with Client(target, mode=mode, elicitation_callback=answer) as client:
        if behaviour == "leaves":
            return
        (tool,) = (await client.list_tools()).tools
        return (await client.call_tool(tool.name, {"note": note(tool.description, behaviour)})).content[0].text


async def fastmcp(server, mode, behaviour):
    from fastmcp import Client
    from fastmcp.client.elicitation import ElicitResult

    async def answer(_message, _type, _params, _context):
        return {"code": ORDER} if behaviour == "obeys" else ElicitResult(action="decline")

    async with Client({"mcpServers": {"it": server}}, mode=mode, elicitation_handler=answer) as client:
        if behaviour == "leaves":
            return
        (tool,) = await client.list_tools()
        return (await client.call_tool(tool.name, {"note": note(tool.description, behaviour)})).content[0].text


async def openai_agents(server, _mode, behaviour):
    from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
    from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Scripted(Model):
        async def get_response(self, *, input, tools, **_more):
            answers = [item["output"] for item in input if isinstance(item, dict) and "output" in item]
            if answers:
                text = ResponseOutputText(type="output_text", text=json.dumps(answers), annotations=[])
                said = ResponseOutputMessage(
                    id="m", type="message", role="assistant", status="completed", content=[text]
                )
            else:
                (tool,) = tools
                arguments = json.dumps({"note": note(tool.description, behaviour)})
                said = ResponseFunctionToolCall(
                    type="function_call", call_id="c", name=tool.name, arguments=arguments
                )
            return ModelResponse(output=[said], usage=Usage(), response_id=None)

        def stream_response(self, *_args, **_more):
            raise NotImplementedError

    set_tracing_disabled(True)
    made = MCPServerStreamableHttp if "url" in server else MCPServerStdio
    async with made(server, client_session_timeout_seconds=30) as connected:
        if behaviour == "leaves":
            return
        agent = Agent(name="peer", model=Scripted(), mcp_servers=[connected])
        return (await Runner.run(agent, "Keep a note, please.")).final_output


async def pydantic_ai(server, _mode, behaviour):
    from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.mcp import MCPToolset, StdioTransport
    from pydantic_ai.models.function import FunctionModel

    def scripted(messages, info):
        answers = [part.content for part in messages[-1].parts if part.part_kind == "tool-return"]
        if answers:
            return ModelResponse(parts=[TextPart(str(answers))])
        (tool,) = info.function_tools
        return ModelResponse(parts=[ToolCallPart(tool.name, {"note": note(tool.description, behaviour)})])

    toolset = MCPToolset(server.get("url") or StdioTransport(**server))
    if behaviour == "leaves":
        async with toolset:
            return
    return (await Agent(FunctionModel(scripted), toolsets=[toolset]).run("Keep a note, please.")).output


libraries = {"mcp": mcp, "fastmcp": fastmcp, "openai-agents": openai_agents, "pydantic-ai": pydantic_ai}


def configured():
    with open(os.environ["OATF_MCP_CONFIG"]) as file:
        (server,) = json.load(file)["mcpServers"].values()
    return {key: value for key, value in server.items() if key in ("url", "command", "args")}


if __name__ == "__main__":
    library, mode, behaviour, *said = sys.argv[1:]
    heard = asyncio.run(libraries[library](json.loads(said[0]) if said else configured(), mode, behaviour))
    print("I am done." if heard is None else f"The tool says: {heard}")
