"""The engine's command line: JSON lines in, JSON lines out, one for each, in the order read."""

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO

from exercises.checking.answers import FIELDS, check_line
from exercises.checking.messages import message

MOST_BYTES = 1_000_000
_USE = "python -m exercises.checking takes no arguments: JSON lines in, JSON lines out\n"


def main() -> int:
    """Answer every line of standard input; a reader that goes away ends the run."""
    if sys.argv[1:]:
        is_asked = sys.argv[1:] in (["-h"], ["--help"])
        (sys.stdout if is_asked else sys.stderr).write(_USE)
        return 0 if is_asked else 2
    out = sys.stdout.buffer
    try:
        for line in lines(sys.stdin.buffer):
            out.write(answer(line) + b"\n")
            out.flush()
    except BrokenPipeError:
        # Nobody reads on; closing here keeps the interpreter from saying so at exit.
        sys.stdout = None
    except KeyboardInterrupt:
        return 130
    return 0


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Return the lines of a stream; ``None`` stands for one beyond ``MOST_BYTES``."""
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) <= MOST_BYTES or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES)
        yield None


def answer(line: bytes | None) -> bytes:
    """Return the answer to one line, as JSON without a line break."""
    if line is None:
        return _encoded(_error(None, "line_too_long", most=MOST_BYTES))
    try:
        asked = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return _encoded(_error(None, "not_json"))
    if not isinstance(asked, dict):
        return _encoded(_error(None, "not_object"))
    asked["id"] = _scalar(asked.get("id"))
    try:
        return _encoded(_answered(asked))
    except Exception:  # noqa: BLE001 - whatever one line holds, the run goes on
        return _encoded(_error(asked["id"], "failed"))


def _answered(asked: dict[str, object]) -> dict[str, object]:
    kind = asked.get("kind")
    if isinstance(kind, str) and kind in FIELDS:
        return check_line(asked)
    if kind in ("trace", "reference"):
        return _chain(asked)
    return _error(asked["id"], "unknown_kind", seen=json.dumps(kind)[:60])


def _chain(asked: dict[str, object]) -> dict[str, object]:
    """Answer a line about a chain of steps; only such lines need the references."""
    # Imported here: the engine starts without them, and knows no reference by name.
    from exercises import references  # noqa: PLC0415
    from exercises.checking import chains  # noqa: PLC0415

    name = asked.get("reference")
    try:
        reference = references.get(name if isinstance(name, str) else "")
        if asked["kind"] == "trace":
            return chains.check_trace_line(asked, reference)
        return chains.reference_line(asked, reference)
    except (references.UnknownReferenceError, chains.LineError) as error:
        return _error(asked["id"], "bad_line", reason=str(error))


def _scalar(value: object) -> object:
    """Return an id that can be written back, or nothing."""
    if isinstance(value, float) and value in {float("inf"), float("-inf")}:
        return None
    return value if isinstance(value, str | int | float) else None


def _refuse(constant: str) -> object:
    raise ValueError(constant)


def _error(name: object, code: str, **params: object) -> dict[str, object]:
    return {"id": name, "verdict": "error", "message": message(code, params)}


def _encoded(found: dict[str, object]) -> bytes:
    return json.dumps(found, allow_nan=False).encode("ascii")


if __name__ == "__main__":
    sys.exit(main())
