"""Agents that speak AG-UI, made with Python's own packages.

serve KIND      serves an agent, and writes its address
"""

import socket
import sys

import uvicorn


def plain():
    """What ag-ui-protocol has and nothing else: it reads the input by its own types, whatever its version."""
    from ag_ui.core import (
        EventType,
        RunAgentInput,
        RunFinishedEvent,
        RunStartedEvent,
        TextMessageContentEvent,
        TextMessageEndEvent,
        TextMessageStartEvent,
    )
    from ag_ui.encoder import EventEncoder
    from pydantic import ValidationError
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, StreamingResponse
    from starlette.routing import Route

    async def run(request):
        try:
            given = RunAgentInput.model_validate_json(await request.body())
        except ValidationError as error:
            return JSONResponse({"detail": str(error)}, status_code=422)
        encoder = EventEncoder()
        ids = {"thread_id": given.thread_id, "run_id": given.run_id}

        def events():
            yield encoder.encode(RunStartedEvent(type=EventType.RUN_STARTED, **ids))
            message = {"message_id": "m"}
            yield encoder.encode(TextMessageStartEvent(type=EventType.TEXT_MESSAGE_START, role="assistant", **message))
            said = f"you said: {given.messages[-1].content}"
            yield encoder.encode(TextMessageContentEvent(type=EventType.TEXT_MESSAGE_CONTENT, delta=said, **message))
            if said.endswith("break off"):
                return
            yield encoder.encode(TextMessageEndEvent(type=EventType.TEXT_MESSAGE_END, **message))
            yield encoder.encode(RunFinishedEvent(type=EventType.RUN_FINISHED, **ids))

        return StreamingResponse(events(), media_type=encoder.get_content_type())

    return Starlette(routes=[Route("/", run, methods=["POST"])])


def pydantic_ai():
    """A pydantic-ai agent with its model for tests, which calls every tool that it is offered."""
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel
    from pydantic_ai.ui.ag_ui import AGUIAdapter
    from starlette.applications import Starlette
    from starlette.routing import Route

    agent = Agent(TestModel())

    async def run(request):
        return await AGUIAdapter.dispatch_request(request, agent=agent)

    return Starlette(routes=[Route("/", run, methods=["POST"])])


def pydantic_ai_approval():
    """A pydantic-ai agent whose one tool needs an approval, which its model for tests always calls."""
    from pydantic_ai import Agent, DeferredToolRequests
    from pydantic_ai.models.test import TestModel
    from pydantic_ai.ui.ag_ui import AGUIAdapter
    from starlette.applications import Starlette
    from starlette.routing import Route

    agent = Agent(TestModel(), output_type=[str, DeferredToolRequests])

    @agent.tool_plain(requires_approval=True)
    def pay() -> str:
        return "paid 900 EUR"

    async def run(request):
        return await AGUIAdapter.dispatch_request(request, agent=agent)

    return Starlette(routes=[Route("/", run, methods=["POST"])])


def langgraph(emit_interrupt_outcome):
    """A LangGraph agent that asks before it pays."""
    from typing import Annotated

    from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
    from fastapi import FastAPI
    from langchain_core.messages import AIMessage
    from langgraph.checkpoint.memory import MemorySaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.graph.message import add_messages
    from langgraph.types import interrupt
    from typing_extensions import TypedDict

    class State(TypedDict):
        messages: Annotated[list, add_messages]

    def pay(state):
        answer = interrupt({"question": "Pay 900 EUR?"})
        return {"messages": [AIMessage(content=f"you decided: {answer}")]}

    graph = StateGraph(State)
    graph.add_node("pay", pay)
    graph.add_edge(START, "pay")
    graph.add_edge("pay", END)
    compiled = graph.compile(checkpointer=MemorySaver())
    app = FastAPI()
    agent = LangGraphAgent(name="payer", graph=compiled, emit_interrupt_outcome=emit_interrupt_outcome)
    add_langgraph_fastapi_endpoint(app, agent, "/")
    return app


kinds = {
    "plain": plain,
    "pydantic-ai": pydantic_ai,
    "pydantic-ai-approval": pydantic_ai_approval,
    "langgraph": lambda: langgraph(False),
    "langgraph-outcome": lambda: langgraph(True),
}

if __name__ == "__main__":
    _, command, kind = sys.argv
    assert command == "serve"
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    # Whoever is told the address may come before uvicorn does.
    listener.listen()
    app = kinds[kind]()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
