"""Request bodies of the API."""

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.parsers import JSONParser
from rest_framework.utils.json import strict_constant

_SHOWN = 40
# More than any number that is sent, and less than Python stops at.
_LONGEST_WHOLE = 4000


class BoundedJSONParser(JSONParser):
    """JSON in UTF-8 that can be read in one way only and be answered.

    Refused are a name that occurs twice in an object, half of a surrogate pair, which no answer
    could repeat, numbers that JSON does not have, and what is nested deeper than Python can follow.
    The length is bounded by settings.
    """

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 (JSON holds anything)
        """Return what the body holds, without the mark that some programs begin it with."""
        request = (parser_context or {})["request"]
        if request.headers.get("Content-Encoding", "identity").lower() != "identity":
            problem = "A packed body is not read; send it without Content-Encoding."
            raise UnsupportedMediaType(media_type or "", problem)
        try:
            text = stream.read().decode("utf-8-sig")
            found = json.loads(
                text,
                object_pairs_hook=_object,
                parse_constant=strict_constant,
                parse_int=_whole,
            )
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


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_WHOLE:
        raise ParseError(f"JSON parse error - a number of {len(digits)} digits is too long.")
    return int(digits)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ParseError(f"“{name[:_SHOWN]}” occurs twice in one object; send it once.")
        found[name] = value
    return found
