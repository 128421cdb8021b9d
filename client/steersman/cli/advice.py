"""What to do about a refusal, by reason. Prints nothing."""

from steersman.errors import SteersmanError

ADVICE = {
    "unavailable": (
        "is the server running? `steersman dev` starts everything; --server or"
        " STEERSMAN_SERVER says where it is"
    ),
    "unauthenticated": (
        "give a token: --token-file, STEERSMAN_TOKEN, or tokens/admin and tokens/client"
        " in the data directory (--data-dir, STEERSMAN_DATA_DIR)"
    ),
    "permission_denied": (
        "this token's role may not do that; use another, for example --token-file"
        " DATA_DIR/tokens/admin"
    ),
    "not_found": "list what there is: `steersman sessions list`, `agents list`, `runners list`",
    "bad_request": "correct what the message names; --help shows what the command takes",
    "request_id_reused": "use a new request id for a different request",
    "invalid_cursor": "watch from the start with --after 0, or from a sequence up to the head",
    "message_too_large": "a message takes 1 MiB of UTF-8; send it in parts, or let a tool read it",
    "already_exists": "choose another name, or change the one that is there",
    "session_busy": (
        "wait for its turn to end, stop it (`steersman interrupt SESSION`), or send with"
        " --when-busy enqueue"
    ),
    "turn_not_active": "the turn ended by itself; `steersman sessions show SESSION` tells how",
    "session_archived": "start a new session: `steersman send --agent NAME TEXT`",
    "version_conflict": "somebody changed it meanwhile; read it again and repeat the change",
    "queue_full": "64 messages wait already; let some run, or drop them with an interrupt",
    "rate_limited": "wait a moment and try again",
    "no_eligible_runner": "start a runner that fits (`steersman runner`); see `runners list`",
    "draining": "the server is stopping; try again when it is back",
    "store_unavailable": "nothing was changed; see the server's log and disk, then try again",
    "deadline_exceeded": "it may have happened all the same; look before you repeat it",
    "internal": "look for the correlation id in the server's log",
}


def advice(error: SteersmanError) -> str | None:
    """What a person can do about it; None when there is nothing general to say."""
    return ADVICE.get(error.reason)
