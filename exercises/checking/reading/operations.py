"""Evaluate a written operation: bounded arithmetic over numbers and named values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from exercises.checking.reading.brackets import MOST_NESTED
from exercises.checking.reading.characters import Decimal
from exercises.checking.reading.errors import MalformedError, OutOfRangeError, TooLargeError
from exercises.checking.reading.functions import FUNCTIONS, Operand, call, combine
from exercises.checking.reading.numerals import measure
from exercises.checking.reading.tokens import Token, tokenize

CONSTANTS = {"e": math.e, "pi": math.pi, "π": math.pi}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The value of an operation, and how far its typed digits leave it open (first order).

    Attributes
    ----------
    value, half : float or ndarray of float64, of one shape
    """

    value: float | NDArray[np.float64]
    half: float | NDArray[np.float64]


def evaluate_operation(
    text: str,
    names: Mapping[str, ArrayLike],
    *,
    halves: Mapping[str, ArrayLike] | None = None,
    decimal: Decimal = "auto",
) -> Evaluated:
    """Evaluate arithmetic over numbers and names.

    Parameters
    ----------
    text
        ``+ - · × * / ÷ ^``, brackets, entries (``softmax[0]``, ``logits_0``), entrywise on arrays,
        ``exp``, ``ln``, ``log`` (natural), ``log10``, ``log2``, ``sqrt``, ``sum``, ``mean``,
        ``max``, ``min``, ``abs``.
    names
        Values of the givens and the earlier steps.
    halves
        How far the named values are open; 0 for a name left out. A number typed with decimals is
        open by half a unit of its last digit; a whole number is exact.

    Raises
    ------
    ReadingError
        For what the grammar does not have, and for a result that is not finite.
    """
    parser = _Parser(tokenize(text, decimal), names, halves or {})
    with np.errstate(all="ignore"):
        result = parser.expression()
        parser.expect_end()
    if not np.all(np.isfinite(result.value)):
        raise OutOfRangeError("operation_not_finite")
    return Evaluated(result.value, result.half)


class _Parser:
    """Recursive descent that computes as it reads; every level of it is counted."""

    def __init__(
        self,
        tokens: list[Token],
        names: Mapping[str, ArrayLike],
        halves: Mapping[str, ArrayLike],
    ) -> None:
        self._tokens = tokens
        self._at = 0
        self._names = names
        self._halves = halves
        self._depth = 0

    def expression(self) -> Operand:
        self._deeper()
        total = self._term()
        while self._next.text in {"+", "-"} and self._next.kind == "sign":
            sign = self._take()
            total = combine(sign.text, total, self._term(), sign.column)
        self._depth -= 1
        return total

    def expect_end(self) -> None:
        if self._next.kind != "end":
            raise self._unexpected()

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _sign(self, text: str) -> bool:
        """Take this sign if it comes next."""
        if self._next.kind == "sign" and self._next.text == text:
            self._at += 1
            return True
        return False

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MOST_NESTED + 1:
            raise TooLargeError("too_deep", column=self._next.column, most=MOST_NESTED)

    def _term(self) -> Operand:
        product = self._signed()
        while self._next.text in {"*", "/"} and self._next.kind == "sign":
            sign = self._take()
            product = combine(sign.text, product, self._signed(), sign.column)
        return product

    def _signed(self) -> Operand:
        negative = False
        while self._next.kind == "sign" and self._next.text in {"+", "-"}:
            negative ^= self._take().text == "-"
        power = self._power()
        return Operand(-power.value, power.half) if negative else power

    def _power(self) -> Operand:
        base = self._entry()
        column = self._next.column
        if not self._sign("^"):
            return base
        self._deeper()
        exponent = self._signed()
        self._depth -= 1
        return combine("^", base, exponent, column)

    def _entry(self) -> Operand:
        found = self._primary()
        while self._next.text == "[" and self._next.kind == "sign":
            column = self._take().column
            place = [self._index()]
            while self._sign(";"):
                place.append(self._index())
            if not self._sign("]"):
                raise self._unexpected()
            found = _pick(found, tuple(place), column)
        return found

    def _index(self) -> int:
        token = self._take()
        if token.kind != "number" or not token.text.isdecimal():
            raise MalformedError("index", column=token.column, seen=token.text)
        return int(token.text)

    def _primary(self) -> Operand:
        token = self._take()
        if token.kind == "number":
            value, half = measure(token.text)
            return Operand(value, half if "." in token.text else 0.0)
        if token.kind == "name":
            if self._next.text == "(" and self._next.kind == "sign":
                return self._call(token)
            return self._named(token)
        if token.text == "(":
            inner = self.expression()
            if not self._sign(")"):
                raise self._unexpected()
            return inner
        if token.text == "[":
            return call("list", self._operands("]"), token.column)
        self._at -= 1
        raise self._unexpected()

    def _call(self, name: Token) -> Operand:
        if name.text not in FUNCTIONS:
            code = "implicit_product" if name.text in self._names else "unknown_function"
            raise MalformedError(code, column=name.column, seen=name.text[:24])
        self._take()
        return call(name.text, self._operands(")"), name.column)

    def _operands(self, close: str) -> list[Operand]:
        found = [self.expression()]
        while self._sign(";"):
            found.append(self.expression())
        if not self._sign(close):
            raise self._unexpected()
        return found

    def _named(self, token: Token) -> Operand:
        name = token.text
        if name in self._names:
            return self._value(name)
        base, _, index = name.rpartition("_")
        if base in self._names and index.isdecimal() and index.isascii():
            return _pick(self._value(base), (int(index[:9]),), token.column)
        if name in CONSTANTS:
            return Operand(CONSTANTS[name], 0.0)
        raise MalformedError("unknown_name", column=token.column, seen=name[:24])

    def _value(self, name: str) -> Operand:
        value = np.asarray(self._names[name], dtype=np.float64)
        half = np.asarray(self._halves.get(name, 0.0), dtype=np.float64)
        if value.ndim == 0:
            return Operand(float(value), float(half))
        return Operand(value, np.broadcast_to(half, value.shape))

    def _unexpected(self) -> MalformedError:
        token = self._next
        if token.kind == "end":
            return MalformedError("operation_end", column=token.column)
        before = self._tokens[self._at - 1] if self._at else token
        opens = token.kind != "sign" or token.text == "("
        if opens and (before.kind != "sign" or before.text in "])"):
            return MalformedError("implicit_product", column=token.column, seen=token.text[:24])
        return MalformedError("operation_sign", column=token.column, seen=token.text[:24])


def _pick(operand: Operand, place: tuple[int, ...], column: int) -> Operand:
    shape = np.shape(operand.value)
    if len(place) > len(shape) or any(at >= size for at, size in zip(place, shape, strict=False)):
        raise MalformedError("index_range", column=column, seen=", ".join(map(str, place))[:24])
    value = np.asarray(operand.value)[place]
    half = np.asarray(operand.half)[place]
    return Operand(float(value), float(half)) if np.ndim(value) == 0 else Operand(value, half)
