"""The commands `agents list|show|create|update|delete`."""

import inspect
import json
from collections.abc import Mapping
from typing import Annotated, Any, cast

import typer

from steersman.agents import AgentFields
from steersman.cli.command import Cli, command, option, pairs, word
from steersman.cli.tables import moment, outline, table
from steersman.json_form import to_json
from steersman.v1.agent_pb2 import Agent, ApprovalPolicy, RunnerLossPolicy

COLUMNS = ("agent", "version", "harness", "model", "tools", "created")

Name = Annotated[str, typer.Argument(metavar="AGENT")]


def field(name: str, kind: Any, help_text: str) -> inspect.Parameter:
    """A field of an agent as an option of its own name."""
    return option(name, Annotated[kind, typer.Option(help=help_text)])


TOOL_HELP = "A tool's name; may be repeated."
OPTION_HELP = "KEY=VALUE for the harness, where VALUE may be JSON; may be repeated."
APPROVALS = word(ApprovalPolicy, "--approvals", "For tools that ask: ask, allow or deny.")
ON_RUNNER_LOSS = word(RunnerLossPolicy, "--on-runner-loss", "A lost runner's turn: move or fail.")

FIELDS = [
    field("harness", str | None, "chat, scripted, or one that a runner brings."),
    field("model", str | None, "The model's name, as its endpoint knows it."),
    field("endpoint", str | None, "A model endpoint by the runner's name for it."),
    field("instructions", str | None, "The system prompt."),
    option("tools", Annotated[list[str] | None, typer.Option("--tool", help=TOOL_HELP)]),
    option("options", Annotated[list[str] | None, typer.Option("--option", help=OPTION_HELP)]),
    field("max_rounds", int | None, "Model answers per attempt."),
    option("approvals", Annotated[str | None, APPROVALS]),
    option("on_runner_loss", Annotated[str | None, ON_RUNNER_LOSS]),
    field("selector", list[str] | None, "KEY=VALUE that a runner must have; may be repeated."),
]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(no_args_is_help=True, help="Who answers in sessions.")
    command(group, "list")(list_agents)
    command(group, "show")(show)
    command(group, "create", FIELDS)(create)
    command(group, "update", FIELDS)(update)
    command(group, "delete")(delete)
    app.add_typer(group, name="agents")


async def list_agents(cli: Cli) -> None:
    """List the newest version of every agent."""
    found = [agent async for agent in cli.client.agents.list()]
    document = {"data": [to_json(agent) for agent in found]}
    cli.out.result(document, table(COLUMNS, [row(agent) for agent in found]))


async def show(
    cli: Cli,
    agent: Name,
    *,
    version: Annotated[int | None, typer.Option(help="Else the newest.")] = None,
) -> None:
    """Show one agent."""
    document = to_json(await cli.client.agents.get(agent, version))
    cli.out.result(document, outline(document))


async def create(cli: Cli, agent: Name, **given: Any) -> None:
    """Create an agent; unset, its harness is chat."""
    made = await cli.client.agents.create(agent, **fields({"harness": "chat"} | chosen(given)))
    cli.out.result(to_json(made), f"created {made.name}, version {made.version}")


async def update(
    cli: Cli,
    agent: Name,
    *,
    etag: Annotated[str, typer.Option(help="Change that version only.")] = "",
    **given: Any,
) -> None:
    """Write a new version with what is given changed; sessions keep theirs."""
    changed = await cli.client.agents.update(agent, etag=etag, **fields(chosen(given)))
    cli.out.result(to_json(changed), f"{changed.name} is now version {changed.version}")


async def delete(cli: Cli, agent: Name) -> None:
    """Take an agent off the list; sessions that have it keep it."""
    await cli.client.agents.delete(agent)
    cli.out.result({"name": agent, "deleted": True}, f"deleted {agent}")


def chosen(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given; the others change nothing."""
    return {name: value for name, value in given.items() if value}


def fields(given: dict[str, Any]) -> AgentFields:
    """The agent's fields, as these options spell them."""
    if "selector" in given:
        given["selector"] = pairs(given["selector"], "--selector")
    if "options" in given:
        options = pairs(given["options"], "--option")
        given["options"] = {key: json_or_text(value) for key, value in options.items()}
    return cast(AgentFields, given)


def json_or_text(value: str) -> Any:
    """A value as JSON where it is JSON, else as it stands."""
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def row(agent: Agent) -> tuple[str, ...]:
    """One agent of the list."""
    return (
        agent.name,
        str(agent.version),
        agent.harness,
        agent.model,
        ", ".join(agent.tools),
        moment(agent.created_at),
    )
