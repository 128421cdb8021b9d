"""The runner's commands for the command line. Everything heavy loads when one of them runs."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from steersman_runner.errors import LinkEnd
    from steersman_runner.runner import Runner

_REMEDIES = {
    "unauthenticated": "check the token: --token-file, STEERSMAN_TOKEN, or tokens/runner",
    "permission_denied": "use a token with the role `runner`",
    "unimplemented": "the address answers, but not as a Steersman server: check --server",
    "protocol_mismatch": "install versions of runner and server that speak one protocol",
    "bad_request": "check --id, --slots and --label",
}


def register(app: typer.Typer) -> None:
    """Adds `runner` and `mock-model`."""
    from steersman_runner.mock.commands import register as register_mock_model

    app.command("runner")(runner)
    register_mock_model(app)


def runner(
    server: Annotated[
        str, typer.Option(envvar="STEERSMAN_SERVER", help="HOST:PORT of the server.")
    ] = "127.0.0.1:50051",
    name: Annotated[
        str | None,
        typer.Option("--id", envvar="STEERSMAN_RUNNER_ID", help="Unset: host and process."),
    ] = None,
    slots: Annotated[
        int, typer.Option(envvar="STEERSMAN_SLOTS", min=1, help="Turns worked on at once.")
    ] = 4,
    label: Annotated[list[str] | None, typer.Option(help="KEY=VALUE; repeat for more.")] = None,
    token_file: Annotated[Path | None, typer.Option(envvar="STEERSMAN_TOKEN_FILE")] = None,
    data_dir: Annotated[Path | None, typer.Option(envvar="STEERSMAN_DATA_DIR")] = None,
    tools: Annotated[
        list[str] | None, typer.Option(help="A module with @tool functions; repeat for more.")
    ] = None,
    log_level: Annotated[str, typer.Option(envvar="STEERSMAN_LOG_LEVEL")] = "info",
    as_json: Annotated[bool, typer.Option("--json", help="Log JSON lines.")] = False,
) -> None:
    """Connect to a server and work on its turns."""
    # Read when gRPC loads: a lost connection is ours to log, once and in our format.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    try:
        from steersman_runner import process
        from steersman_runner.errors import LinkRefused
    except ModuleNotFoundError as missing:
        _fail(f"{missing.name} is not installed", "pip install 'steersman[runner]'")
    build = _builder(
        server, name, slots, _labels(label or []), _token(token_file, data_dir), tools or []
    )
    process.configure_logging(as_json, _level(log_level))
    try:
        process.run(build)
    except LinkRefused as refused:
        _fail(str(refused), _remedy(refused.end))


def _builder(
    server: str,
    name: str | None,
    slots: int,
    labels: Mapping[str, str],
    token: str,
    modules: list[str],
) -> Callable[[], "Runner"]:
    from steersman_runner.runner import Runner
    from steersman_runner.settings import checked_runner_id

    try:
        runner_id = checked_runner_id(name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--id") from error
    found = _tools(modules)
    return lambda: Runner(server, token, runner_id, tools=found, slots=slots, labels=labels)


def _token(token_file: Path | None, data_dir: Path | None) -> str:
    from steersman_runner.settings import find_token

    try:
        token = find_token(token_file, data_dir, os.environ)
    except OSError as error:
        raise typer.BadParameter(str(error), param_hint="--token-file") from error
    if not token:
        _fail("no token for this runner", _REMEDIES["unauthenticated"])
    return token


def _labels(pairs: list[str]) -> Mapping[str, str]:
    labels = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise typer.BadParameter(f"{pair!r} is not KEY=VALUE", param_hint="--label")
        labels[key] = value
    return labels


def _tools(modules: list[str]) -> list[Any]:
    from importlib import import_module

    from steersman_runner.tools import Tool

    found = []
    sys.path.insert(0, os.getcwd())  # a module beside the user, as `python -m` would find it
    for module in modules:
        try:
            names = vars(import_module(module))
        except ImportError as error:
            raise typer.BadParameter(f"{module}: {error}", param_hint="--tools") from error
        found += [value for value in names.values() if isinstance(value, Tool)]
    return found


def _level(name: str) -> str:
    levels = ("debug", "info", "warning", "error")
    if name.lower() not in levels:
        raise typer.BadParameter(f"one of {', '.join(levels)}", param_hint="--log-level")
    return name


def _remedy(end: "LinkEnd") -> str:
    return _REMEDIES.get(end.reason) or _REMEDIES.get(end.code.name.lower(), "see the server's log")


def _fail(message: str, remedy: str) -> NoReturn:
    typer.echo(f"{message}\n{remedy}", err=True)
    raise typer.Exit(1)
