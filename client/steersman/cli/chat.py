"""The command `chat`: a conversation in a terminal."""

import asyncio
import signal
from typing import Annotated

import typer

from steersman.cli.chat_input import CtrlC, Lines, lines
from steersman.cli.chat_state import LEAVE, Quit, Say, Tell
from steersman.cli.command import Cli, command
from steersman.cli.conversation import Conversation
from steersman.cli.describe import failure_line
from steersman.cli.stream import frame_document
from steersman.cli.transcript import Transcript
from steersman.errors import SteersmanError
from steersman.session import Session
from steersman.words import short


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "chat")(chat)


async def chat(
    cli: Cli,
    *,
    agent: Annotated[str, typer.Option(help="The agent of a new session.")] = "assistant",
    session: Annotated[str, typer.Option(help="Continue this session instead.")] = "",
    once: Annotated[
        str | None, typer.Option(help="Say this, show the answer, and exit: 0 if it completed.")
    ] = None,
) -> None:
    """Talk with an agent; Ctrl+C interrupts its answer, /quit leaves."""
    if cli.out.as_json and once is None:
        raise typer.BadParameter("a chat has no JSON; --once TEXT has", param_hint="--json")
    handle = await opened(cli, agent, session)
    talk = conversation(cli, handle)
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, talk.ctrl_c)
    if once is not None:
        await say_once(cli, talk, once)
        return
    cli.out.say(f"{handle.id} with {handle.resource.agent}; /help tells more", "dim")
    await converse(cli, talk, lines())


async def opened(cli: Cli, agent: str, session: str) -> Session:
    """The session to continue, or a new one."""
    if session:
        return await cli.client.sessions.get(session)
    return await cli.client.sessions.create(agent)


def conversation(cli: Cli, session: Session) -> Conversation:
    """A conversation that prints JSON lines, or a transcript with what it tells between."""
    if cli.out.as_json:
        return Conversation(
            session,
            show=lambda frame: cli.out.line(frame_document(frame)),
            tell=lambda words: cli.out.errors.print(words, markup=False),
        )
    transcript = Transcript(cli.out.console, echo=False)
    return Conversation(
        session, show=transcript.show, tell=lambda words: transcript.line(words, "dim")
    )


async def converse(cli: Cli, talk: Conversation, source: Lines) -> None:
    """Take lines until somebody leaves; a refusal is told and ends nothing."""
    while True:
        try:
            line = await source.read()
        except CtrlC:
            cli.out.say(LEAVE, "dim")
            continue
        except EOFError:
            return
        match talk.state.line(line):
            case Say(text):
                await say(cli, talk, text)
            case Tell(words):
                cli.out.say(words)
            case Quit():
                return


async def say(cli: Cli, talk: Conversation, text: str) -> None:
    """Say something; the conversation goes on however that ends."""
    try:
        await talk.say(text)
    except SteersmanError as error:
        cli.out.error(error)


async def say_once(cli: Cli, talk: Conversation, text: str) -> None:
    """Say one thing; exits 1 with the reason when its turn did not complete."""
    turn = await talk.say(text)
    if short(turn, "state") == "completed":
        return
    because = f": {failure_line(turn.error)}" if turn.HasField("error") else ""
    words = f"the turn did not complete; it is {short(turn, 'state')}{because}"
    cli.out.errors.print(words, style="red", markup=False)
    raise typer.Exit(1)
