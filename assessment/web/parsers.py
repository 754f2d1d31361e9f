"""Request bodies of the API."""

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils.json import strict_constant

_SHOWN = 40


class BoundedJSONParser(JSONParser):
    """JSON in UTF-8 that can be read in one way only and be answered.

    Refused are a name that occurs twice in an object, half of a surrogate pair, which no answer
    could repeat, numbers that JSON does not have, and what is nested deeper than Python can follow.
    The length is bounded by settings.
    """

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002 (DRF's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 (DRF's signature)
    ) -> Any:  # noqa: ANN401 (JSON holds anything)
        """Return what the body holds."""
        try:
            text = stream.read().decode()
            found = json.loads(text, object_pairs_hook=_object, parse_constant=strict_constant)
            if "\\u" in text:
                json.dumps(found, ensure_ascii=False).encode()
        except UnicodeDecodeError as error:
            raise ParseError(f"Byte {error.start + 1} of the body is not UTF-8.") from error
        except UnicodeEncodeError as error:
            problem = "A text holds half of a surrogate pair, which is no character."
            raise ParseError(problem) from error
        except ValueError as error:
            raise ParseError(f"JSON parse error - {error}") from error
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        return found


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ParseError(f"“{name[:_SHOWN]}” occurs twice in one object; send it once.")
        found[name] = value
    return found
