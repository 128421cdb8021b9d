"""What all commands share: four options, one client, one way to fail. No command lives here."""

import asyncio
import inspect
import signal
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from steersman.cli.output import Output
from steersman.client import Client
from steersman.errors import SteersmanError
from steersman.settings import Timing
from steersman.words import proto_name

# A person at a terminal wants to hear soon that nobody answers.
TIMING = Timing(retry=3.0)
INTERRUPTED = 128 + signal.SIGINT

Body = Callable[..., Awaitable[None]]

ServerOption = Annotated[
    str | None, typer.Option("--server", help="HOST:PORT; else STEERSMAN_SERVER, 127.0.0.1:50051.")
]
TokenFileOption = Annotated[
    Path | None, typer.Option("--token-file", help="The token; else STEERSMAN_TOKEN, --data-dir.")
]
DataDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Has tokens/; else STEERSMAN_DATA_DIR, ~/.local/share/…"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, one document a line.")]


class Shared(NamedTuple):
    """The options that every command takes."""

    server: str | None = None
    token_file: Path | None = None
    data_dir: Path | None = None
    json: bool = False


def option(name: str, kind: Any, default: Any = None) -> inspect.Parameter:
    """An option as a parameter of a signature that is put together."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


OPTIONS = [
    option("server", ServerOption),
    option("token_file", TokenFileOption),
    option("data_dir", DataDirOption),
    option("json", JsonOption, default=False),
]


class Cli(NamedTuple):
    """What a command works with."""

    client: Client
    out: Output


def command(
    app: typer.Typer, name: str, options: Sequence[inspect.Parameter] = ()
) -> Callable[[Body], Body]:
    """Add `async def body(cli, …)` as a command that also takes the shared options.

    `options` are those that the body takes as `**keywords`.
    """

    def decorate(body: Body) -> Body:
        def run(**values: Any) -> None:
            shared = Shared(**{field: values.pop(field) for field in Shared._fields})
            perform(shared, lambda cli: body(cli, **values))

        signature = inspect.Signature([*own_parameters(body), *options, *OPTIONS])
        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = {
            parameter.name: parameter.annotation for parameter in signature.parameters.values()
        }
        app.command(name, help=inspect.getdoc(body))(run)
        return body

    return decorate


def own_parameters(body: Body) -> list[inspect.Parameter]:
    """What the body itself takes: neither `cli` nor `**keywords` comes from a command line."""
    _, *own = inspect.signature(body).parameters.values()
    return [parameter for parameter in own if parameter.kind is not parameter.VAR_KEYWORD]


def perform(shared: Shared, body: Callable[[Cli], Awaitable[None]]) -> None:
    """Run a body with an open client; a refusal is printed and exits 1."""
    out = Output(shared.json)
    try:
        asyncio.run(with_client(shared, out, body))
    except SteersmanError as error:
        out.error(error)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


async def with_client(shared: Shared, out: Output, body: Callable[[Cli], Awaitable[None]]) -> None:
    """Open the client of these options for as long as the body runs."""
    try:
        client = Client(
            shared.server,
            token_file=shared.token_file,
            data_dir=shared.data_dir,
            timing=TIMING,
        )
    except OSError as error:
        raise typer.BadParameter(f"cannot read it: {error}", param_hint="--token-file") from None
    async with client:
        await body(Cli(client, out))


def word(enum: EnumTypeWrapper, name: str, help_text: str) -> Any:
    """An option whose value is a word of an enum; any other is a usage error."""

    def check(value: str | None) -> str | None:
        try:
            return proto_name(enum, value)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return typer.Option(name, help=help_text, callback=check)


def pairs(values: list[str] | None, hint: str) -> dict[str, str]:
    """Repeated K=V options as a dictionary; any other form is a usage error."""
    found = {}
    for value in values or []:
        key, equals, rest = value.partition("=")
        if not (key and equals):
            raise typer.BadParameter(f"{value!r} is not KEY=VALUE", param_hint=hint)
        found[key] = rest
    return found
