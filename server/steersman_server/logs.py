"""Logging: structlog to standard error, as JSON lines or for a person to read."""

import logging
import sys

import structlog
from structlog.tracebacks import ExceptionDictTransformer

# Without the values of local variables: tokens and messages are among them.
_TRACEBACKS = ExceptionDictTransformer(show_locals=False)


def configure(*, level: str, as_json: bool) -> None:
    """Set up logging for the process. Raises KeyError for an unknown level."""
    number = logging.getLevelNamesMapping()[level.upper()]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(_TRACEBACKS)
            if as_json
            else structlog.processors.StackInfoRenderer(),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
