"""The official Python SDK of A2A 0.3, as a server and as a client.

serve TRANSPORT ERA      serves an agent, and writes the address of its card
ask TRANSPORT URL        asks the agent whose card is at URL, and writes what came of it as JSON
agent TRANSPORT BEHAVIOUR    hands its task on to the agent that it is told of; `obeys` or `declines` what that answers, or
                         `leaves` when it has seen the card
"""

import asyncio
import base64
import json
import os
import socket
import sys

import grpc
import httpx
import uvicorn
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.grpc import a2a_pb2_grpc
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AFastAPIApplication, A2ARESTFastAPIApplication
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    FilePart,
    FileWithBytes,
    Message,
    Part,
    PushNotificationConfig,
    Role,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TaskState,
    TextPart,
)
from a2a.utils import get_message_text, new_agent_text_message

FILE = base64.b64encode(b"a file of the agent\n").decode()


class Agent(AgentExecutor):
    async def execute(self, context, queue):
        text = get_message_text(context.message)
        if text == "just talk":
            await queue.enqueue_event(new_agent_text_message("a direct answer", context.context_id))
            return
        updater = TaskUpdater(queue, context.task_id, context.context_id)
        await updater.submit()
        file = FilePart(file=FileWithBytes(bytes=FILE, name="notes.txt", mime_type="text/plain"))
        parts = [Part(root=TextPart(text=f"you said: {text}")), Part(root=file)]
        await updater.add_artifact(parts, artifact_id="a1", name="answer")
        if text == "keep going":
            await updater.update_status(TaskState.input_required, final=True)
        else:
            await updater.complete()

    async def cancel(self, context, queue):
        await TaskUpdater(queue, context.task_id, context.context_id).cancel()


async def serve(transport, _era):
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(128)
    port = bound.getsockname()[1]
    rpc = grpc.aio.server()
    rpc_port = rpc.add_insecure_port("127.0.0.1:0")
    url = f"127.0.0.1:{rpc_port}" if transport == "GRPC" else f"http://127.0.0.1:{port}/"
    card = AgentCard(
        name="Python",
        description="An official server",
        url=url,
        preferred_transport=transport,
        version="1",
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[],
    )
    handler = DefaultRequestHandler(
        Agent(), InMemoryTaskStore(), push_config_store=InMemoryPushNotificationConfigStore()
    )
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(card, handler), rpc)
    await rpc.start()
    made = A2ARESTFastAPIApplication if transport == "HTTP+JSON" else A2AFastAPIApplication
    app = made(agent_card=card, http_handler=handler).build()
    print(f"http://127.0.0.1:{port}/", flush=True)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    await server.serve(sockets=[bound])


def message(text, task_id=None):
    file = FilePart(file=FileWithBytes(bytes=FILE, name="notes.txt", mime_type="text/plain"))
    parts = [Part(root=TextPart(text=text, metadata={"of": "the part"})), Part(root=file)]
    return Message(role=Role.user, message_id="m1", parts=parts, task_id=task_id)


def plain(value):
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return None if value is None else value.model_dump(mode="json", exclude_none=True, by_alias=True)


def made(http, card, transport, streaming):
    config = ClientConfig(
        httpx_client=http,
        streaming=streaming,
        supported_transports=[transport],
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    return ClientFactory(config).create(card)


async def agent(transport, behaviour):
    async with httpx.AsyncClient() as http:
        card = await A2ACardResolver(http, os.environ["OATF_A2A_CARDS"].split(".well-known")[0]).get_agent_card()
        one = made(http, card, transport, True)
        if behaviour != "leaves":
            told = [str(plain(item)) async for item in one.send_message(message("book a room"))]
            if behaviour == "obeys" and "code 4711" in " ".join(told):
                async for _ in one.send_message(message("the code is 4711")):
                    pass
    print("It is done.")


async def ask(transport, url):
    got = {}
    async with httpx.AsyncClient() as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        got["card"] = card.name

        def client(streaming):
            return made(http, card, transport, streaming)

        got["sent"] = [plain(item) async for item in client(False).send_message(message("hello"))]
        got["streamed"] = [plain(item) async for item in client(True).send_message(message("hello"))]
        task = got["sent"][0][0]
        one = client(False)
        got["task"] = plain(await one.get_task(TaskQueryParams(id=task["id"])))
        config = TaskPushNotificationConfig(
            task_id=task["id"],
            push_notification_config=PushNotificationConfig(id="p1", url="http://127.0.0.1:9/"),
        )
        got["push"] = plain(await one.set_task_callback(config))
        again = client(True)
        got["followed"] = [plain(item) async for item in again.resubscribe(TaskIdParams(id=task["id"]))]
        try:
            await one.get_task(TaskQueryParams(id="nobody"))
            got["refused"] = False
        except Exception:
            got["refused"] = True
    print(json.dumps(got), flush=True)


verb, *rest = sys.argv[1:]
asyncio.run({"serve": serve, "ask": ask, "agent": agent}[verb](*rest))
