"""Which engine, reference and content judged an answer: fingerprints of what they really are.

A version number that someone forgets to raise would make a regrade believe that nothing changed, so
the source text itself is the version.
"""

import hashlib
import inspect
from functools import cache
from pathlib import Path
from typing import Final

import exercises.checking
from exercises import references

_LENGTH: Final = 12


@cache
def engine() -> str:
    """Return the fingerprint of the checking engine's source."""
    folder = Path(inspect.getfile(exercises.checking)).parent
    texts = [path.read_bytes() for path in sorted(folder.rglob("*.py"))]
    return _fingerprint(*texts)


@cache
def reference(name: str) -> str:
    """Return the reference's name and the fingerprint of the module that defines it."""
    found = references.get(name)
    function = found.steps[0].routes[0].function
    module = Path(inspect.getfile(inspect.unwrap(function)))
    return f"{name}@{_fingerprint(module.read_bytes())}"


def _fingerprint(*texts: bytes) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text)
    return digest.hexdigest()[:_LENGTH]
