"""UpdateSession, ArchiveSession, DeleteSession."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from steersman_server.core.events import EventKind
from steersman_server.core.labels import check_labels, check_title
from steersman_server.core.notices import SessionDeleted
from steersman_server.core.refusals import SessionBusy, VersionConflict
from steersman_server.core.session import Session
from steersman_server.core.values import Caller
from steersman_server.store import sessions
from steersman_server.store.ledger import Ledger
from steersman_server.store.transaction import Transaction


@dataclass(frozen=True, slots=True)
class UpdateSession:
    """None leaves a field as it is; `etag` "" means any version."""

    caller: Caller
    session_id: str
    etag: str = ""
    title: str | None = None
    labels: Mapping[str, str] | None = None


def update_session(tx: Transaction, command: UpdateSession) -> Session:
    """Raises NotFound, VersionConflict and BadRequest."""
    session = sessions.get(tx, command.caller.tenant, command.session_id)
    if command.etag not in ("", str(session.revision)):
        raise VersionConflict("session", session.id, command.etag, str(session.revision))
    title = session.title if command.title is None else command.title
    labels = session.labels if command.labels is None else command.labels
    check_title(title)
    check_labels("labels", labels)
    ledger = Ledger(tx, session, command.caller.name)
    ledger.session = replace(session, title=title, labels=labels, revision=session.revision + 1)
    ledger.event(EventKind.SESSION_UPDATED, ledger.session)
    return ledger.close()


def archive_session(tx: Transaction, caller: Caller, session_id: str) -> Session:
    """Raises NotFound, and SessionBusy while a turn is active. A repeat changes nothing."""
    session = sessions.get(tx, caller.tenant, session_id)
    if session.archived_at is not None:
        return session
    if session.busy:
        raise SessionBusy(session.id, session.status)
    ledger = Ledger(tx, session, caller.name)
    ledger.session = replace(session, archived_at=tx.now)
    ledger.event(EventKind.SESSION_ARCHIVED, ledger.session)
    return ledger.close()


def delete_session(tx: Transaction, caller: Caller, session_id: str) -> None:
    """Raises NotFound, and SessionBusy while a turn is active."""
    session = sessions.get(tx, caller.tenant, session_id)
    if session.busy:
        raise SessionBusy(session.id, session.status)
    sessions.remove(tx, session.id)
    tx.tell(SessionDeleted(session.tenant, session.id))
