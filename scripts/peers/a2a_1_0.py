"""The official Python SDK of A2A 1.0, as a server and as a client, which has a layer for 0.3.

serve TRANSPORT ERA      serves an agent in that era, and writes the address of its card
ask TRANSPORT URL        asks the agent whose card is at URL, in the era that the card offers, and writes what came of it
agent TRANSPORT BEHAVIOUR    hands its task on to the agent that it is told of; `obeys` or `declines` what that answers, or
                         `leaves` when it has seen the card
"""

import asyncio
import json
import os
import socket
import sys

import grpc
import uvicorn
from a2a.client import ClientConfig, ClientFactory
from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.helpers import (
    get_message_text,
    get_stream_response_text,
    new_raw_part,
    new_task_from_user_message,
    new_text_message,
    new_text_part,
)
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
    a2a_pb2_grpc,
)
from google.protobuf.json_format import MessageToDict
from starlette.applications import Starlette

FILE = b"a file of the agent\n"


class Agent(AgentExecutor):
    async def execute(self, context, queue):
        text = get_message_text(context.message)
        if text == "just talk":
            await queue.enqueue_event(new_text_message("a direct answer", context_id=context.context_id))
            return
        task = context.current_task
        if task is None:
            task = new_task_from_user_message(context.message)
            await queue.enqueue_event(task)
        updater = TaskUpdater(queue, task.id, task.context_id)
        parts = [new_text_part(f"you said: {text}"), new_raw_part(FILE, "text/plain", "notes.txt")]
        await updater.add_artifact(parts, artifact_id="a1", name="answer")
        if text == "keep going":
            await updater.requires_input()
        else:
            await updater.complete()

    async def cancel(self, context, queue):
        await TaskUpdater(queue, context.task_id, context.context_id).cancel()


async def serve(transport, era):
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(128)
    origin = f"http://127.0.0.1:{bound.getsockname()[1]}"
    rpc = grpc.aio.server()
    rpc_port = rpc.add_insecure_port("127.0.0.1:0")
    urls = {"JSONRPC": f"{origin}/rpc", "HTTP+JSON": origin, "GRPC": f"127.0.0.1:{rpc_port}"}
    card = AgentCard(
        name="Python",
        description="An official server",
        version="1",
        supported_interfaces=[
            AgentInterface(url=urls[transport], protocol_binding=transport, protocol_version=era)
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="say", name="say", description="Says it again", tags=["say"])],
    )
    handler = DefaultRequestHandler(
        Agent(), InMemoryTaskStore(), card, push_config_store=InMemoryPushNotificationConfigStore()
    )
    has_layer = era == "0.3"
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), rpc)
    if has_layer:
        a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), rpc)
    await rpc.start()
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=has_layer),
        *create_rest_routes(handler, enable_v0_3_compat=has_layer),
    ]
    print(f"{origin}/", flush=True)
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="critical"))
    await server.serve(sockets=[bound])


def request(text):
    part = new_text_part(text)
    part.metadata.update({"of": "the part"})
    parts = [part, new_raw_part(FILE, "text/plain", "notes.txt")]
    return SendMessageRequest(message=Message(role=Role.ROLE_USER, message_id="m1", parts=parts))


async def client(transport, url, streaming=True):
    config = ClientConfig(
        streaming=streaming,
        supported_protocol_bindings=[transport],
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    return await ClientFactory(config).create_from_url(url)


async def ask(transport, url):
    got = {}
    async with await client(transport, url, streaming=False) as one:
        got["card"] = one._card.name
        got["sent"] = [MessageToDict(item) async for item in one.send_message(request("hello"))]
        task_id = got["sent"][0]["task"]["id"]
        got["task"] = MessageToDict(await one.get_task(GetTaskRequest(id=task_id)))
        config = TaskPushNotificationConfig(task_id=task_id, id="p1", url="http://127.0.0.1:9/")
        got["push"] = MessageToDict(await one.create_task_push_notification_config(config))
        for name, asked in {
            "refused": one.get_task(GetTaskRequest(id="nobody")),
            "listed": one.list_tasks(ListTasksRequest()),
        }.items():
            try:
                got[name] = MessageToDict(await asked)
            except Exception as error:
                got[name] = type(error).__name__
    async with await client(transport, url) as other:
        got["streamed"] = [MessageToDict(item) async for item in other.send_message(request("hello"))]
        try:
            got["followed"] = [
                MessageToDict(item) async for item in other.subscribe(SubscribeToTaskRequest(id=task_id))
            ]
        except Exception as error:
            got["followed"] = type(error).__name__
    print(json.dumps(got), flush=True)


async def agent(transport, behaviour):
    async with await client(transport, os.environ["OATF_A2A_CARDS"].split(".well-known")[0]) as one:
        if behaviour != "leaves":
            told = [get_stream_response_text(item) async for item in one.send_message(request("book a room"))]
            if behaviour == "obeys" and "code 4711" in " ".join(told):
                async for _ in one.send_message(request("the code is 4711")):
                    pass
    print("It is done.")


verb, *rest = sys.argv[1:]
asyncio.run({"serve": serve, "ask": ask, "agent": agent}[verb](*rest))
