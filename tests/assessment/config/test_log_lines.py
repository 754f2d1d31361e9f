import logging

import pytest


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        pytest.param("a\n2026 INFO root: signed in", r"a\n2026 INFO root: signed in", id="line"),
        pytest.param("\r\x1b[2Kb\x00", r"\r\x1b[2Kb\x00", id="terminal"),
        pytest.param("\u2028\x85", r"\u2028\x85", id="other ends of lines"),
        pytest.param("é ≈ 0,4", "é ≈ 0,4", id="text"),
    ],
)
def test_what_a_caller_types_begins_no_line_of_the_log(typed: str, written: str) -> None:
    (console,) = (each for each in logging.getLogger().handlers if each.name == "console")
    record = logging.LogRecord("lms", logging.WARNING, __file__, 1, "It said %s", (typed,), None)

    assert console.format(record).endswith(f"WARNING lms: It said {written}")


def test_a_traceback_keeps_its_lines() -> None:
    (console,) = (each for each in logging.getLogger().handlers if each.name == "console")
    try:
        int("one")
    except ValueError as error:
        raised = (type(error), error, error.__traceback__)
    record = logging.LogRecord("lms", logging.ERROR, __file__, 1, "Failed", (), raised)

    assert console.format(record).splitlines()[1] == "Traceback (most recent call last):"
