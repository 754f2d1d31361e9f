"""How fast grades leave; ``leaving`` measures, once Django is set up."""

import importlib
import os

import django


def figures() -> list[dict[str, object]]:
    """Return every figure: name, value, unit, floor and ratio."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.config.settings")
    django.setup()
    found: list[dict[str, object]] = importlib.import_module("tests.benchmarks.leaving").figures()
    return found
