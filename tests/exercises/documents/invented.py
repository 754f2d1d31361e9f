"""Write an invented session in the layout of real ones, with any number of everything."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True)
class Numbers:
    """How many of each thing the invented documents hold."""

    outcomes: int = 4
    diagnostic_questions: int = 2
    plan_rows: int = 5
    mechanisms: int = 5
    formulas: int = 3
    misconceptions: int = 2
    common_errors: int = 3
    probing_questions: int = 4
    levels: int = 5
    checks: int = 4
    unanswered_checks: int = 1
    wrong_answers: int = 2
    levers: int = 3
    rubrics: tuple[tuple[str, ...], ...] = (("4", "2.5", "1.5"), ("3",) * 4, ("5", "7"), ("20",))
    exit_ticket_parts: int = 4
    sources: int = 2
    tracks: int = 2
    review_questions: int = 3
    transfer_challenges: int = 1
    common_minutes: int = 18


def bullets(mark: str, name: str, count: int) -> str:
    return "\n".join(f"{mark} The {name} number {n} stands here." for n in range(1, count + 1))


def guide(n: Numbers) -> str:
    plan = "\n".join(
        f"| {i * n.common_minutes}–{(i + 1) * n.common_minutes} min | Activity {i} | Evidence {i} |"
        for i in range(n.plan_rows)
    )
    notes = "\n".join(_note(i, n) for i in range(1, n.mechanisms + 1))
    misconceptions = "\n".join(
        f"| {i} | “Eviction {i} is free.” | It costs a miss. | Ask for a trace. |"
        for i in range(1, n.misconceptions + 1)
    )
    levels = "\n".join(f"| {i} | Criterion of level {i}. |" for i in range(n.levels))
    tracks = "\n".join(f"- **Track {i}:** what it gives." for i in range(1, n.tracks + 1))
    questions = "\n".join(
        f"{i}. What if **Mechanism {i}** were gone?" for i in range(1, n.probing_questions + 1)
    )
    diagnostic = "\n".join(
        f"{i}. Explain **Mechanism {i}**. What would falsify it?"
        for i in range(1, n.diagnostic_questions + 1)
    )
    parts = "; ".join(f"part {i}" for i in range(1, n.exit_ticket_parts + 1))
    return f"""# Teacher guide — Caches for serving

**Duration:** {n.plan_rows * n.common_minutes} minutes<br>
**Positioning:** From a request to a hit rate.<br>
**Expected evidence:** Small invented numbers.

## Observable outcomes and preparation

{bullets("-", "outcome", n.outcomes)}

Bring dice. They stand for requests.

## Diagnostic

{diagnostic}

**Teaching decision:** if most answers are empty, start with the dice.

## Timed plan

| Time | Activity | Observable evidence |
|---|---|---|
{plan}

## Teaching notes

{notes}
### Running the worked case

A cache of 4 lines sees 10 requests and hits 6 of them.

Hide the rate. After each line ask: “What was evicted? Why?” Then go on.

### Lab protocol

1. Predict the rate.
2. Change the size only.

## Misconceptions

| # | Observable misconception | Grounded correction | Probe |
|---|---|---|---|
{misconceptions}

> **Boundary to maintain:** Dice are not traffic.

## Probing questions

{questions}

## Assessment

| Level | Criterion |
|---|---|
{levels}

**Exit threshold:** level 2 on the case.

## Observation and remediation protocol

Write what you see. Ask for the line above, e.g. the eviction. Then stop.

## Differentiation

{tracks}

## Post-session follow-up

Return it within a day. Ask again.

## Sources and evidence boundary

{bullets("-", "source", n.sources)}

> **Scope:** Invented.

## Exit ticket

In no more than three lines: {parts}. One break is marked."""


def _note(i: int, n: Numbers) -> str:
    formula = f"\n> **Working formula:** `h_{i} = hits / requests`\n" if i <= n.formulas else ""
    return f"### {i}. Mechanism {i}\n\nIt moves lines about. It costs time.\n{formula}"


def slides(n: Numbers) -> str:
    """Write the slides; notes follow in the slides' order."""
    shown: list[tuple[str, str, str]] = [
        (
            "Caches for serving",
            "From a request to a hit rate.\n\nServing Systems · intermediate · Session 4",
            "Start slowly.",
        ),
        ("Session contract", bullets("  •", "outcome", n.outcomes), "Read it out."),
        (
            "Mechanism map",
            " request ─▶ cache\n\n            │ miss\n            ▼\n  disk",
            "Draw.",
        ),
    ]
    for i in range(1, n.mechanisms + 1):
        formula = f"\n\nh_{i} = hits / requests" if i <= n.formulas else ""
        shown.append((f"{i}. Mechanism {i}", f"It moves lines about.{formula}", "Explain."))
        if i <= n.checks:
            shown.append((f"Check — Mechanism {i}", f"What is the rate {i}?", _answer(i, n)))
    shown += [
        ("Worked case — data", "A cache of 4 lines sees 10 requests, hits 6.", "Hide it."),
        ("Worked case — full trace", _TRACE, "Line by line."),
        ("Levers of a cache: what each one costs", _levers(n), "Let them fill it in."),
        ("Causal lab", "Predict → change one variable → run\n\n/labs/cache.html", "One knob."),
    ]
    shown += [
        (f"Common error {i}", f"“Bigger is faster {i}.”\n\nThe trace says no.", "Ask.")
        for i in range(1, n.common_errors + 1)
    ]
    parts = " · ".join(f"short {i}" for i in range(1, n.exit_ticket_parts + 1))
    shown += [
        ("Validity boundary", "Dice are not traffic.", "Say it."),
        ("Evidence status", "Invented.", "Say it again."),
        ("Sources to inspect", bullets("  •", "source", n.sources), "Look."),
    ]
    shown += [
        ("Transfer challenge", _CHALLENGE, "Expected: take B. It is safe. Ten minutes.")
        for _ in range(n.transfer_challenges)
    ]
    shown += [("Synthesis", "  • Caches\n  • Misses", "Close."), ("Exit ticket", parts, "Collect.")]
    bodies = "\n\n".join(f"{title}\n\n{body}" for title, body, _ in shown)
    notes = "\n\n".join(f"Instructor notes: {note}" for _, _, note in shown)
    return f"{bodies}\n\n{notes}"


def _answer(i: int, n: Numbers) -> str:
    if i <= n.unanswered_checks:
        return "Wait for a while."
    mark = "Answer:" if i % 2 else "Answer —"
    wrong = " Expected wrong answer: “all of it” — misses exist. Move on." if i % 2 else ""
    misses = " Expected misses: the first request, or the last. Move on." if not i % 2 else ""
    return f"{mark} six of ten, i.e. 0.6. Say why.{(wrong + misses) * (i <= n.wrong_answers + 1)}"


_TRACE = """requests r = 10, lines = 4

hits: 6   misses: 4
rate  = 6/10 = 0.6  ✅

COLD START: r = 4
  0/4 → 0  ❌ every request misses

WARM, r = 100
  96/100 = 0.96 ✅"""

_CHALLENGE = """Half the cache is lost. A) refill it slowly; B) restart all of it.

  1. Draw the rate.
  2. Decide."""


def _levers(n: Numbers) -> str:
    rows = "\n".join(
        f"More lines {i} Fewer misses seen Memory of the host" for i in range(n.levers)
    )
    return f"Lever What it buys What it costs\n{rows}"


def exercises(n: Numbers) -> str:
    body = "\n".join(_exercise(i, points) for i, points in enumerate(n.rubrics, start=1))
    asked = " ".join(f"Is thing {i} there?" for i in range(1, n.review_questions + 1))
    appendix = "\n".join(
        f"{i}. Mechanism {i}\nIt moves lines about."
        + (f"\nWorking formula:\nh_{i} = hits / requests" if i <= n.formulas else "")
        for i in range(1, n.mechanisms + 1)
    )
    return f"""Exercises with solutions — Caches for serving
General instruction: show your work.
Starting data: A cache of 4 lines sees 10 requests, hits 6.
Boundary to retain: Dice are not traffic.
{body}
Extension
Do it again with 8 lines.
Review before submission
Read it as a stranger. {asked} Then hand it in.
Reference appendix for correction
{appendix}
Sources and evidence boundary
{bullets("-", "source", n.sources)}
Scope: Invented."""


def _exercise(i: int, points: tuple[str, ...]) -> str:
    total = sum(Decimal(p) for p in points)
    if i % 2:
        rows = "\n".join(f"| Criterion {k} | {p} |" for k, p in enumerate(points))
        rubric = f"| Criterion | Points |\n|---|---|\n{rows}"
    else:
        names = ", ".join(f"element {k}" for k in range(len(points) - 1))
        rubric = f"{points[0]} points per element: {names}, and element {len(points) - 1}."
    return f"""Exercise {i} — Kind {i} — Mechanism {i}
Trace the cache. Raise the requests from 10 to 12 and count again.
- Name the {i}th eviction.
Deliverable: a table.
Worked solution
It hits 6.
Solved variant: It hits 8 of 12.
Rubric Exercise {i} — /{total}
{rubric}"""


def write(folder: Path, n: Numbers | None = None, **texts: str) -> Path:
    """Write the three documents into a folder; ``texts`` replaces some of them whole."""
    n = n or Numbers()
    folder.mkdir(exist_ok=True)
    made = {"guide": guide(n), "slides": slides(n), "exercises": exercises(n)} | texts
    names = {"guide": "teacher-guide.md", "slides": "slides.txt", "exercises": "exercises.txt"}
    for kind, text in made.items():
        (folder / names[kind]).write_text(text, encoding="utf-8", newline="")
    return folder
