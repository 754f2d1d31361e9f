"""Runs ``manage.py`` in this process, as starting one takes a second."""

import sys
from dataclasses import dataclass

import django
import pytest
from django.core.management.base import CommandParser

from manage import main


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str


def run_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> Ended:
    """Run a command line; what it leaves of itself in this process is put back afterwards."""
    monkeypatch.setattr(sys, "argv", ["manage.py", *arguments])
    monkeypatch.setattr(CommandParser, "error", CommandParser.error)
    monkeypatch.setattr(django, "setup", lambda: None)  # it would take the tests' log away
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr()
    if isinstance(code, int):
        return Ended(code, said.out, said.err)
    return Ended(1, said.out, f"{said.err}{code}\n")  # as the interpreter ends with a text
