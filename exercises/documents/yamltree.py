"""Read a small YAML file strictly: no alias, no tag, no doubled key; every value knows its line."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml

from exercises.documents.text import Document, DocumentError

MAX_DEPTH = 12
_INTEGER = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})$")
_FLOAT = re.compile(r"[-+]?\d{1,40}(?:\.\d{0,40})?(?:[eE][-+]?\d{1,3})?$")

Plain = bool | int | float | str | list["Plain"] | dict[str, "Plain"] | None


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its line and the keys that lead to it."""

    document: Document
    line: int
    path: str
    content: "bool | int | float | str | tuple[Value, ...] | Mapping[str, Value] | None"

    def error(self, reason: str) -> DocumentError:
        """Return the error to raise for this value: file, line and key."""
        return self.document.error(self.line, f"{self.path or 'the file'}: {reason}")

    def mapping(self, *allowed: str) -> "Mapping[str, Value]":
        """Return the entries; with ``allowed`` given, another key is an error."""
        if not isinstance(self.content, Mapping):
            raise self.error("keys with values belong here")
        for key, value in self.content.items():
            if allowed and key not in allowed:
                raise value.error(f"unknown key; known here: {', '.join(allowed)}")
        return self.content

    def items(self) -> "tuple[Value, ...]":
        """Return the entries of a list."""
        if not isinstance(self.content, tuple):
            raise self.error("a list belongs here")
        return self.content

    def entry(self, name: str) -> "Value":
        """Return the entry of that key; without it, an error."""
        found = self.mapping().get(name)
        if found is None:
            raise self.error(f"{name} is missing")
        return found

    def text(self, longest: int = 300) -> str:
        """Return a text of bounded length; a number counts as its text."""
        if isinstance(self.content, bool) or not isinstance(self.content, str | int | float):
            raise self.error("a text belongs here")
        found = str(self.content).strip()
        if not found or len(found) > longest:
            raise self.error(f"a text of 1 to {longest} characters belongs here")
        return found

    def one_of(self, *allowed: str) -> str:
        """Return a text that is one of these."""
        found = self.text()
        if found not in allowed:
            raise self.error(f"“{found}” is none of {', '.join(allowed)}")
        return found

    def whole(self, lowest: int, highest: int) -> int:
        """Return a whole number between two bounds."""
        if isinstance(self.content, bool) or not isinstance(self.content, int):
            raise self.error("a whole number belongs here")
        if not lowest <= self.content <= highest:
            raise self.error(f"a number from {lowest} to {highest} belongs here")
        return self.content

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.content, bool):
            raise self.error("true or false belongs here")
        return self.content

    def plain(self) -> Plain:
        """Return the value and all in it without lines."""
        if isinstance(self.content, Mapping):
            return {key: value.plain() for key, value in self.content.items()}
        if isinstance(self.content, tuple):
            return [value.plain() for value in self.content]
        return self.content


def read_yaml(document: Document) -> Value:
    """Read the one YAML document in a file whose top is keys with values."""
    text = "\n".join(line.text for line in document.lines)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                mark = event.start_mark
                line = mark.line + 1 if mark is not None else None
                raise document.error(line, "an alias (*name) is refused")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else None
        raise document.error(line, f"is not YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise document.error(None, "is not YAML") from error
    except RecursionError as error:
        raise document.error(None, "is nested too deeply") from error
    if not isinstance(node, yaml.MappingNode):
        raise document.error(1, "keys with values belong here")
    return _value(document, node, "", MAX_DEPTH)


def _value(document: Document, node: yaml.Node, path: str, depth: int) -> Value:
    line = node.start_mark.line + 1
    if depth == 0:
        raise document.error(line, f"{path}: is nested too deeply")
    if isinstance(node, yaml.MappingNode):
        return Value(document, line, path, dict(_entries(document, node, path, depth)))
    if isinstance(node, yaml.SequenceNode):
        entries = (
            _value(document, entry, f"{path}[{index}]", depth - 1)
            for index, entry in enumerate(node.value)
        )
        return Value(document, line, path, tuple(entries))
    return Value(document, line, path, _scalar(document, node, path))


def _entries(
    document: Document, node: yaml.MappingNode, path: str, depth: int
) -> Iterator[tuple[str, Value]]:
    seen: dict[str, int] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise document.error(line, f"{path or 'the file'}: a key must be a text")
        key = str(key_node.value)
        name = f"{path}.{key}" if path else key
        if key in seen:
            raise document.error(line, f"{name}: stands already on line {seen[key]}")
        seen[key] = line
        yield key, _value(document, value_node, name, depth - 1)


def _scalar(document: Document, node: yaml.Node, path: str) -> bool | int | float | str | None:
    text = str(node.value)
    if getattr(node, "style", None) is not None:
        return text
    if text in {"", "~", "null"}:
        return None
    if text in {"true", "false"}:
        return text == "true"
    if _INTEGER.match(text):
        return int(text)
    if _FLOAT.match(text):
        number = float(text)
        if not math.isfinite(number):
            raise document.error(node.start_mark.line + 1, f"{path}: the number is too large")
        return number
    return text
