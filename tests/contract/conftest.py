"""The suites are helper modules; pytest is told to explain their asserts too."""

import pytest

pytest.register_assert_rewrite(
    "suite_rows",
    "suite_commits",
    "suite_guards",
    "suite_pages",
    "suite_log",
    "suite_requests",
)
