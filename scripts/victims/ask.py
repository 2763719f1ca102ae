"""Asks servers with the official Python clients, and writes what became of each question as JSON.

LIBRARY {"urls": {NAME: URL}, "patience": SECONDS}
"""

import asyncio
import json
import logging
import sys

logging.disable(logging.CRITICAL)


async def mcp(url):
    from mcp import Client

    async with Client(url) as client:
        await client.list_tools()
        return (await client.call_tool("search", {})).content[0].text


async def fastmcp(url):
    from fastmcp import Client

    async with Client({"mcpServers": {"it": {"url": url}}}) as client:
        await client.list_tools()
        return (await client.call_tool("search", {})).content[0].text


async def a2a(url):
    from a2a.client import ClientConfig, ClientFactory
    from a2a.helpers import new_text_message
    from a2a.types import Role, SendMessageRequest

    factory = ClientFactory(ClientConfig(streaming=False))
    client = await factory.create_from_url(url)
    message = new_text_message("tea?", role=Role.ROLE_USER)
    said = []
    async for item in client.send_message(SendMessageRequest(message=message)):
        said.append(str(item))
    return "".join(said)


def words(error):
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return f"{type(error).__name__} {error}".strip()


async def outcome(ask, url, patience):
    try:
        said = await asyncio.wait_for(ask(url), patience)
    except (asyncio.TimeoutError, TimeoutError):
        return "waits"
    except BaseException as error:
        return f"error: {words(error)}"
    return "answer" if "found: tea" in (said or "") else "another answer"


async def main(library, asked):
    ask = {"mcp": mcp, "fastmcp": fastmcp, "a2a": a2a}[library]
    found = {}
    for name, url in asked["urls"].items():
        found[name] = await outcome(ask, url, asked["patience"])
    print(json.dumps(found))


asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
