"""The spine: sessions, turns, items, events, interrupts, agents, runners, tokens, requests.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

LIVE = sa.text("ended_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "agent",
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("newest", sa.Boolean(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "name", "version"),
    )
    op.create_table(
        "event",
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("session_status", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=True),
        sa.PrimaryKeyConstraint("session_id", "sequence"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "interrupt",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("requested_at", sa.BigInteger(), nullable=False),
        sa.Column("delivered_at", sa.BigInteger(), nullable=True),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.Column("may_run_until", sa.BigInteger(), nullable=True),
        sa.Column("stopped", sa.JSON(), nullable=False),
        sa.Column("dropped_inputs", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("interrupt", schema=None) as batch_op:
        batch_op.create_index("interrupt_by_session", ["session_id", "id"], unique=False)
        batch_op.create_index("interrupt_by_turn", ["turn_id", "attempt"], unique=True)

    op.create_table(
        "item",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("call_id", sa.Text(), nullable=False),
        sa.Column("call_item_id", sa.String(), nullable=False),
        sa.Column("output", sa.Text(), nullable=False),
        sa.Column("marker", sa.String(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("synthetic", sa.Boolean(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("withdrawn_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.create_index("item_by_session", ["session_id", "sequence"], unique=True)
        batch_op.create_index("item_by_turn", ["turn_id", "sequence"], unique=False)

    op.create_table(
        "pending_input",
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("item_id"),
    )
    with op.batch_alter_table("pending_input", schema=None) as batch_op:
        batch_op.create_index("pending_by_session", ["session_id", "turn_id"], unique=False)

    op.create_table(
        "request",
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "token", "method", "request_id"),
    )
    with op.batch_alter_table("request", schema=None) as batch_op:
        batch_op.create_index("request_by_age", ["created_at"], unique=False)

    op.create_table(
        "runner",
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("harnesses", sa.JSON(), nullable=False),
        sa.Column("tools", sa.JSON(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("protocol", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("connected_at", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("agent_version", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("active_turn_id", sa.String(), nullable=True),
        sa.Column("waiting", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("runner_id", sa.String(), nullable=True),
        sa.Column("selector", sa.JSON(), nullable=False),
        sa.Column("head_sequence", sa.BigInteger(), nullable=False),
        sa.Column("usage", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index("session_by_tenant", ["tenant", "id"], unique=False)

    op.create_table(
        "token",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "turn",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("input_item_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("try_number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("frame", sa.BigInteger(), nullable=False),
        sa.Column("runner_id", sa.String(), nullable=True),
        sa.Column("interrupt_id", sa.String(), nullable=True),
        sa.Column("error", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("stop_reason", sa.String(), nullable=False),
        sa.Column("usage", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("turn", schema=None) as batch_op:
        batch_op.create_index(
            "turn_by_runner", ["runner_id"], unique=False, sqlite_where=sa.text("ended_at IS NULL")
        )
        batch_op.create_index("turn_by_session", ["session_id", "id"], unique=False)
        batch_op.create_index(
            "turn_live", ["state"], unique=False, sqlite_where=sa.text("ended_at IS NULL")
        )


def downgrade() -> None:
    with op.batch_alter_table("turn", schema=None) as batch_op:
        batch_op.drop_index("turn_live", sqlite_where=sa.text("ended_at IS NULL"))
        batch_op.drop_index("turn_by_session")
        batch_op.drop_index("turn_by_runner", sqlite_where=sa.text("ended_at IS NULL"))

    op.drop_table("turn")
    op.drop_table("token")
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.drop_index("session_by_tenant")

    op.drop_table("session")
    op.drop_table("runner")
    with op.batch_alter_table("request", schema=None) as batch_op:
        batch_op.drop_index("request_by_age")

    op.drop_table("request")
    with op.batch_alter_table("pending_input", schema=None) as batch_op:
        batch_op.drop_index("pending_by_session")

    op.drop_table("pending_input")
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.drop_index("item_by_turn")
        batch_op.drop_index("item_by_session")

    op.drop_table("item")
    with op.batch_alter_table("interrupt", schema=None) as batch_op:
        batch_op.drop_index("interrupt_by_turn")
        batch_op.drop_index("interrupt_by_session")

    op.drop_table("interrupt")
    op.drop_table("event")
    op.drop_table("agent")
