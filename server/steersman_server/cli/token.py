"""`steersman token`: shows, makes and revokes tokens, on the server's own machine."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from steersman_server.cli.serve import data_dir_default
from steersman_server.core.values import Caller, Role, Tenant

T = TypeVar("T")

app = typer.Typer(help="Tokens, on the server's machine.", no_args_is_help=True)

DataDir = Annotated[Path | None, typer.Option(envvar="STEERSMAN_DATA_DIR")]
Json = Annotated[bool, typer.Option("--json")]


@app.command("list")
def list_tokens(data_dir: DataDir = None, as_json: Json = False) -> None:
    """List names and roles; secrets are not stored, so they cannot be shown."""
    from steersman_server.store import tokens

    for token in _with_store(data_dir, tokens.every):
        row = {
            "id": token.id,
            "tenant": token.caller.tenant,
            "name": token.caller.name,
            "role": token.caller.role.value,
            "revoked": token.revoked_at is not None,
        }
        typer.echo(json.dumps(row) if as_json else "  ".join(map(str, row.values())))


@app.command("show")
def show_token(name: str = "client", data_dir: DataDir = None, as_json: Json = False) -> None:
    """Print a token that this machine keeps a file of."""
    path = (data_dir or data_dir_default()) / "tokens" / name
    if not path.exists():
        _fail(f"no token file {path}; the first 'steersman serve' writes them", as_json)
    text = path.read_text().strip()
    typer.echo(json.dumps({"name": name, "file": str(path), "token": text}) if as_json else text)


@app.command("create")
def create_token(
    name: str,
    role: Annotated[Role, typer.Option()] = Role.CLIENT,
    tenant: str = "default",
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Make a token and print it, once."""
    from steersman_server.rpc.auth import new_token
    from steersman_server.store import tokens
    from steersman_server.store.transaction import Transaction

    def create(tx: Transaction) -> str | None:
        if any(
            t.caller.name == name and t.revoked_at is None and t.caller.tenant == tenant
            for t in tokens.every(tx)
        ):
            return None
        token, text = new_token(Caller(Tenant(tenant), name, role), tx.now)
        tokens.add(tx, token)
        return text

    made = _with_store(data_dir, create)
    if made is None:
        _fail(f"a token {name} exists; revoke it first", as_json)
    typer.echo(json.dumps({"name": name, "role": role.value, "token": made}) if as_json else made)


@app.command("revoke")
def revoke_token(
    name: str, tenant: str = "default", data_dir: DataDir = None, as_json: Json = False
) -> None:
    """Revoke a token; a running server refuses it within seconds."""
    from steersman_server.store import tokens

    revoked = _with_store(data_dir, lambda tx: tokens.revoke(tx, Tenant(tenant), name))
    if not revoked:
        _fail(f"no token {name}", as_json)
    typer.echo(json.dumps({"name": name, "revoked": True}) if as_json else f"revoked {name}")


def _with_store(data_dir: Path | None, work: "Callable[..., T]") -> T:
    import asyncio

    from steersman_server.settings import Settings
    from steersman_server.store.engine import open_database
    from steersman_server.store.store import Store

    folder = data_dir or data_dir_default()
    if not (folder / "steersman.db").exists():
        typer.echo(f"no server has run in {folder}", err=True)
        raise typer.Exit(1)

    async def run() -> T:
        store = Store(open_database(Settings(data_dir=folder).database_url), lambda _: None)
        try:
            return await store.write(work)
        finally:
            await store.close()

    return asyncio.run(run())


def _fail(problem: str, as_json: bool) -> None:
    typer.echo(json.dumps({"error": problem}) if as_json else problem, err=not as_json)
    raise typer.Exit(1)
