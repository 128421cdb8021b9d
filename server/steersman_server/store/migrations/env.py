"""Runs migrations on the connection that the store hands over. Offline mode does not exist."""

from alembic import context
from sqlmodel import SQLModel

from steersman_server.store import tables  # noqa: F401  (declares the metadata)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
