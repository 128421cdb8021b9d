"""The commands `sessions list|show|create|archive|delete`."""

from typing import Annotated

import typer

from steersman.cli.command import Cli, command, pairs, word
from steersman.cli.tables import moment, outline, table
from steersman.json_form import to_json
from steersman.v1 import session_pb2
from steersman.words import short

COLUMNS = ("session", "status", "agent", "title", "events", "updated")

Name = Annotated[str, typer.Argument(metavar="SESSION")]
Label = Annotated[list[str] | None, typer.Option("--label", help="KEY=VALUE; may be repeated.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(no_args_is_help=True, help="Create, find and put away sessions.")
    command(group, "list")(list_sessions)
    command(group, "show")(show)
    command(group, "create")(create)
    command(group, "archive")(archive)
    command(group, "delete")(delete)
    app.add_typer(group, name="sessions")


async def list_sessions(
    cli: Cli,
    *,
    status: Annotated[
        str | None,
        word(session_pb2.SessionStatus, "--status", "idle, running, waiting or failed."),
    ] = None,
    agent: Annotated[str, typer.Option(help="The agent's name.")] = "",
    label: Label = None,
    title: Annotated[str, typer.Option(help="A part of the title.")] = "",
    archived: Annotated[bool, typer.Option(help="Show archived ones too.")] = False,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=1000)] = 100,
) -> None:
    """List sessions, newest first."""
    page = await cli.client.sessions.list(
        status=[status] if status else [],
        agent=agent,
        labels=pairs(label, "--label"),
        title=title,
        include_archived=archived,
        limit=limit,
    ).page()
    cli.out.result(to_json(page), table(COLUMNS, [row(session) for session in page.data]))


async def show(cli: Cli, session: Name) -> None:
    """Show one session: its status, active turn and waiting messages."""
    document = to_json(await cli.client.sessions.handle(session).refresh())
    cli.out.result(document, outline(document))


async def create(
    cli: Cli,
    agent: Annotated[str, typer.Argument(metavar="AGENT")],
    *,
    title: Annotated[str, typer.Option(help="For people.")] = "",
    label: Label = None,
    runner: Annotated[str | None, typer.Option(help="Pin it to this runner.")] = None,
    selector: Annotated[
        list[str] | None, typer.Option(help="KEY=VALUE that a runner must have; repeatable.")
    ] = None,
) -> None:
    """Create a session without a message; `send --agent` does both at once."""
    session = await cli.client.sessions.create(
        agent,
        title=title,
        labels=pairs(label, "--label"),
        runner_id=runner,
        selector=pairs(selector, "--selector"),
    )
    cli.out.result(to_json(session.resource), session.id)


async def archive(cli: Cli, session: Name) -> None:
    """Close a session to messages; all of it can still be read."""
    archived = await cli.client.sessions.handle(session).archive()
    cli.out.result(to_json(archived), f"archived {archived.id}")


async def delete(cli: Cli, session: Name) -> None:
    """Delete a session and its history for good."""
    await cli.client.sessions.handle(session).delete()
    cli.out.result({"id": session, "deleted": True}, f"deleted {session}")


def row(session: session_pb2.Session) -> tuple[str, ...]:
    """One session of the list."""
    return (
        session.id,
        short(session, "status"),
        session.agent,
        session.title,
        str(session.head_sequence),
        moment(session.updated_at),
    )
