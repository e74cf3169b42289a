"""The same three jobs by bare clients, by frameworks and by agentctl, each as its documentation has it.

Run by `model_calls.py` in a process of its own: `python rows.py ROW JOB URL FOLDER SYNCS` does the job once
for each line that it reads and prints the seconds it took; with `once` as last word it does it once. What a
row needs is imported inside it, so that it pays for nothing else.
"""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

BALANCE = "What's the balance on account ACC-123?"
ROUTE = "Route each request to the right specialist: billing, technical, or sales."
BILL = "You handle billing questions: balances, payments, invoices."
MODEL = "gpt-4o-mini"
AGENTS = ("billing", "technical", "sales")
CHAIN, AT_ONCE = 10, 50

Create = Callable[..., Awaitable[Any]]
Job = Callable[[], Awaitable[None]]


def tool(name: str, *parameters: str) -> dict[str, Any]:
    properties = {parameter: {"type": "string"} for parameter in parameters}
    schema = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": schema}}


TRANSFERS = [tool(f"transfer_to_{name}", "reason", "message") for name in AGENTS]
LOOK = [tool("check_balance", "account_id")]


def asked(system: str, *more: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": BALANCE}, *more]


def by_calls(create: Create, job: str, sync: Callable[[], None]) -> Job:
    """A job as plain calls of a client; `sync` writes as the journal would."""

    async def support() -> None:
        first = await create(messages=asked(ROUTE), tools=TRANSFERS)
        assert first.choices[0].message.tool_calls
        second = await create(messages=asked(BILL), tools=LOOK)
        (made,) = second.choices[0].message.tool_calls
        turn = {"role": "assistant", "content": None, "tool_calls": [made.model_dump()]}
        result = {"role": "tool", "tool_call_id": made.id, "content": '{"balance": 5432.1}'}
        last = await create(messages=asked(BILL, turn, result), tools=LOOK)
        assert last.choices[0].message.content
        sync()

    async def chain() -> None:
        for _ in range(CHAIN):
            await create(messages=asked("Go on."))
        sync()

    async def at_once() -> None:
        await asyncio.gather(*(create(messages=asked("Go on.")) for _ in range(AT_ONCE)))
        sync()

    return {"support": support, "chain": chain, "at_once": at_once}[job]


@contextlib.asynccontextmanager
async def openai_client(job: str, url: str, folder: Path, syncs: int):
    from openai import AsyncOpenAI

    def sync() -> None:
        """As many writes and syncs as the journal of the same job makes."""
        descriptor = os.open(folder / "written", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for _ in range(syncs):
            os.write(descriptor, b"x" * 400)
            os.fdatasync(descriptor)
        os.close(descriptor)

    async with AsyncOpenAI(base_url=url, api_key="sk-none", max_retries=0) as client:

        async def create(**arguments: Any) -> Any:
            return await client.chat.completions.create(model=MODEL, **arguments)

        yield by_calls(create, job, sync)


@contextlib.asynccontextmanager
async def litellm_client(job: str, url: str, _folder: Path, _syncs: int):
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    async def create(**arguments: Any) -> Any:
        return await litellm.acompletion(
            model=f"openai/{MODEL}", base_url=url, api_key="sk-none", **arguments
        )

    yield by_calls(create, job, lambda: None)


@contextlib.asynccontextmanager
async def openai_agents(job: str, url: str, _folder: Path, _syncs: int):
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)

    @function_tool
    def check_balance(account_id: str) -> str:
        """Looks up a balance."""
        return '{"balance": 5432.1}'

    async with AsyncOpenAI(base_url=url, api_key="sk-none", max_retries=0) as client:
        model = OpenAIChatCompletionsModel(model=MODEL, openai_client=client)
        plain = Agent(name="plain", instructions="Go on.", model=model)
        members = [
            Agent(
                name=name, instructions=BILL, model=model, tools=[check_balance] if name == "billing" else []
            )
            for name in AGENTS
        ]
        desk = Agent(name="desk", instructions=ROUTE, model=model, handoffs=list(members))

        async def run() -> None:
            if job == "support":
                assert (await Runner.run(desk, BALANCE)).final_output
            elif job == "chain":
                for _ in range(CHAIN):
                    await Runner.run(plain, BALANCE)
            else:
                await asyncio.gather(*(Runner.run(plain, BALANCE) for _ in range(AT_ONCE)))

        yield run


@contextlib.asynccontextmanager
async def langgraph(job: str, url: str, folder: Path, _syncs: int):
    """With its SQLite checkpointer, since the others that keep anything keep it so too."""
    from langchain_core.messages import AIMessage, SystemMessage, ToolMessage
    from langchain_openai import ChatOpenAI
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.types import Command, Send

    llm = ChatOpenAI(model=MODEL, base_url=url, api_key="sk-none", max_retries=0)
    graph = StateGraph(MessagesState)

    def plain(system: str, bound: Any) -> Any:
        async def node(state: MessagesState) -> dict[str, Any]:
            return {"messages": [await bound.ainvoke([SystemMessage(system), *state["messages"]])]}

        return node

    async def desk(state: MessagesState) -> Command[Any]:
        reply = await llm.bind_tools(TRANSFERS).ainvoke([SystemMessage(ROUTE), *state["messages"]])
        return Command(goto=reply.tool_calls[0]["name"].removeprefix("transfer_to_"))

    def tools(state: MessagesState) -> dict[str, Any]:
        (made,) = state["messages"][-1].tool_calls
        return {"messages": [ToolMessage('{"balance": 5432.1}', tool_call_id=made["id"])]}

    def after(state: MessagesState) -> str:
        last = state["messages"][-1]
        return "tools" if isinstance(last, AIMessage) and last.tool_calls else END

    if job == "support":
        graph.add_node("desk", desk, destinations=("billing",))
        graph.add_node("billing", plain(BILL, llm.bind_tools(LOOK)))
        graph.add_node("tools", tools)
        graph.add_edge(START, "desk")
        graph.add_conditional_edges("billing", after, ["tools", END])
        graph.add_edge("tools", "billing")
    elif job == "chain":
        for number in range(CHAIN):
            graph.add_node(f"n{number}", plain("Go on.", llm))
            graph.add_edge(f"n{number - 1}" if number else START, f"n{number}")
    else:
        graph.add_node("one", plain("Go on.", llm))
        graph.add_conditional_edges(
            START, lambda state: [Send("one", state) for _ in range(AT_ONCE)], ["one"]
        )
    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.sqlite")) as saver:
        compiled = graph.compile(checkpointer=saver)

        async def run() -> None:
            config = {"configurable": {"thread_id": str(time.perf_counter_ns())}}
            await compiled.ainvoke({"messages": [("user", BALANCE)]}, config)

        yield run


@contextlib.asynccontextmanager
async def ours(job: str, url: str, folder: Path, _syncs: int):
    import agentctl

    team = folder / job
    os.environ.update(OPENAI_API_KEY="sk-none", OPENAI_BASE_URL=url)

    async def run() -> None:
        view = await agentctl.run(team, BALANCE, runs_dir=folder / "runs")
        assert view.status == "completed", view.error

    yield run


ROWS = {
    "openai": openai_client,
    "litellm": litellm_client,
    "openai-agents": openai_agents,
    "langgraph": langgraph,
    "agentctl": ours,
}


async def main(row: str, job: str, url: str, folder: str, syncs: str, once: str = "") -> None:
    async with ROWS[row](job, url, Path(folder), int(syncs)) as work:
        if once:
            await work()
            return
        while await asyncio.to_thread(sys.stdin.readline):
            began = time.perf_counter()
            await work()
            print(time.perf_counter() - began, flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
