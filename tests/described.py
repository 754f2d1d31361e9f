"""Runs schemathesis whole against a description of the running service: every phase, every check.

Nothing is excluded. Where a description cannot say all that a request must hold, the settings of an
operation name what valid data may get beside success, and stand next to their reason.
"""

import copy
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema
from schemathesis.engine.core import Engine
from schemathesis.engine.run import PhaseName
from schemathesis.hooks import unregister

PHASES = {
    PhaseName.EXAMPLES,
    PhaseName.COVERAGE,
    PhaseName.FUZZING,
    PhaseName.STATEFUL_TESTING,
}
_METHODS = ("get", "put", "post", "delete", "patch")

load_all_checks()
ALL_CHECKS = set(CHECKS.get_all_names())


@dataclass
class Run:
    """What a run saw: failures in words, statuses by operation, phases and checks that ran."""

    failures: list[str] = field(default_factory=list)
    statuses: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    phases: set[PhaseName] = field(default_factory=set)
    checks: set[str] = field(default_factory=set)

    def without(self, *statuses: int) -> list[str]:
        """Return the operations that never answered with one of these statuses."""
        return sorted(name for name, seen in self.statuses.items() if not set(seen) & set(statuses))

    def add(self, event: events.ScenarioFinished) -> None:
        """Take up a finished scenario."""
        recorder = event.recorder
        for key, node in recorder.cases.items():
            interaction = recorder.interactions.get(key)
            if interaction is None or interaction.response is None:
                continue
            case, response = node.value, interaction.response
            if case.method == case.operation.method.upper():
                self.statuses[case.operation.label][response.status_code] += 1
            for check in recorder.checks.get(key, []):
                self.checks.add(check.name)
                if check.status == Status.FAILURE and check.failure_info is not None:
                    failure = check.failure_info.failure
                    self.failures.append(
                        f"{event.phase.value}: {failure.title}: {failure.message}\n"
                        f"{check.failure_info.code_sample[:1000]}\n"
                        f"-> {response.status_code} {response.text[:400]}"
                    )


def run(
    document: Mapping[str, Any],
    *,
    base_url: str,
    headers: Mapping[str, str],
    operations: Sequence[Mapping[str, Any]],
    examples: int,
    checks: Mapping[str, Any] | None = None,
    before_call: Callable[..., None] | None = None,
) -> Run:
    """Run all phases with all checks; ``operations`` and ``checks`` are schemathesis' settings."""
    config = SchemathesisConfig.from_dict(
        {
            "seed": 1,
            "suppress-health-check": ["all"],
            "continue-on-failure": True,
            "headers": dict(headers),
            "generation": {"max-examples": examples, "deterministic": True, "database": "none"},
            "phases": {"examples": {"fill-missing": True}, "stateful": {"max-steps": 4}},
            "checks": dict(checks or {}),
            "operations": list(operations),
        }
    )
    schema = schemathesis.openapi.from_dict(dict(document), config=config)
    schema.config.update(base_url=base_url)
    if before_call:
        schemathesis.hook("before_call")(before_call)
    try:
        return _followed(from_schema(schema))
    finally:
        if before_call:
            unregister(before_call)


def _followed(engine: Engine) -> Run:
    found = Run()
    for event in engine.execute():
        if isinstance(event, events.ScenarioFinished):
            found.add(event)
        elif isinstance(event, events.PhaseFinished) and event.status != Status.SKIP:
            found.phases.add(event.phase.name)
        elif isinstance(event, events.NonFatalError):
            found.failures.append(f"{event.label}: {event.info.format()}")
        elif isinstance(event, events.FatalError):
            raise event.exception
    return found


def with_values(
    document: Mapping[str, Any], values: Mapping[tuple[str, str], Sequence[str]]
) -> dict[str, Any]:
    """Return the document with the values that there are here, by path's beginning and parameter.

    A description says what an id looks like; which ones exist it cannot say.
    """
    found = copy.deepcopy(dict(document))
    for path, item in found["paths"].items():
        for parameter in _parameters(item):
            for (beginning, name), allowed in values.items():
                if path.startswith(beginning) and parameter["name"] == name:
                    parameter["schema"] = {"type": "string", "enum": list(allowed)}
                    parameter["example"] = allowed[0]
    return found


def closed(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with objects that have no members but those it names.

    Clients shall bear with members that come later, so the document leaves them open; what the
    service answers today is all described.
    """
    found = copy.deepcopy(dict(document))
    for schema in found["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return found


def _parameters(item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for method in _METHODS:
        yield from item.get(method, {}).get("parameters", ())
