"""The commands that the server adds to `steersman`: serve, token."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands; what they need is imported when they run."""
    from steersman_server.cli import serve, token

    app.command("serve")(serve.serve)
    app.add_typer(token.app, name="token")
