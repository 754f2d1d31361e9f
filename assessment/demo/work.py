"""The work of the demo cohort: who answers what, how well, and what became of it."""

from dataclasses import dataclass
from typing import Final

from assessment.demo.chains import Manner
from assessment.demo.sentences import BARE, PARTIAL, THOROUGH

_RIGHT = Manner()


@dataclass(frozen=True)
class Attempt:
    """One attempt at the exercise of that number.

    ``tag`` is the break that a reviewer named, empty in a review without one, and ``None`` while
    nobody has reviewed. ``released`` sends the grade out.
    """

    exercise: int
    quality: int
    manner: Manner = _RIGHT
    predicts: str = "down"
    tag: str | None = None
    level: int | None = None
    released: bool = False


_POWERS_OF_TEN = Manner(mistake=("exp", "power_of_ten"))
_SUM_OF_LOGITS = Manner(mistake=("sum", "sum_of_logits"))
_LINEAR_SHARE = Manner(mistake=("softmax", "linear_share"))
_NO_MINUS = Manner(mistake=("loss", "missing_minus"))
_LOG_TEN = Manner(mistake=("loss", "log_base_ten"))
_WRONG_TARGET = Manner(mistake=("loss", "wrong_target"))
_PROBABILITY = Manner(mistake=("loss", "probability_as_loss"))
_COMMAS = Manner(comma=True, decimals=4)
# 14,741 could be fourteen thousand: the engine asks instead of guessing.
_AMBIGUOUS = Manner(comma=True)
_ROUNDED = Manner(carries_rounded=True)
_FOUR_DECIMALS = Manner(decimals=4)
_ONE_DECIMAL = Manner(decimals=1)
_NO_CHAIN = Manner(blank=("exp", "sum", "softmax"), shows_operations=False)
_STOPPED = Manner(blank=("softmax", "loss"))
_SLIP = Manner(texts=(("sum", "14.147"),))


def _trace(manner: Manner = _RIGHT, quality: int = THOROUGH, *, predicts: str = "down") -> Attempt:
    return Attempt(1, quality, manner, predicts)


def _reviewed(attempt: Attempt, tag: str, level: int | None, *, released: bool = True) -> Attempt:
    return Attempt(
        *(attempt.exercise, attempt.quality, attempt.manner, attempt.predicts, tag, level, released)
    )


_WORDS_2 = Attempt(2, THOROUGH)
_WORDS_3 = Attempt(3, THOROUGH)

# Blaise has submitted nothing: the exercise is new to whoever signs in as him.
WORK: Final[dict[str, tuple[Attempt, ...]]] = {
    "ada": (
        _trace(_SUM_OF_LOGITS, PARTIAL),
        _reviewed(_trace(), "none", 2),
        _reviewed(Attempt(2, PARTIAL), "claim_scope", 1),
        _WORDS_3,
    ),
    "amara.nwosu": (
        _reviewed(_trace(), "none", 3),
        _reviewed(_WORDS_2, "none", 3),
        _reviewed(_WORDS_3, "none", 3),
    ),
    "bo.feng": (_reviewed(_trace(_SUM_OF_LOGITS, PARTIAL, predicts="up"), "operation", 1),),
    "camille.roux": (
        _reviewed(_trace(_COMMAS), "none", 2),
        _reviewed(Attempt(2, PARTIAL), "claim_scope", 1),
    ),
    "dário.pinto": (_reviewed(_trace(_LINEAR_SHARE, PARTIAL), "operation", 1), Attempt(2, BARE)),
    "esra.yıldız": (
        _reviewed(_trace(_PROBABILITY, PARTIAL), "vocabulary", 1),
        _reviewed(Attempt(2, BARE), "claim_scope", 0, released=False),
    ),
    "farid.haddad": (_trace(_NO_MINUS, PARTIAL), _trace()),
    "greta.vogel": (
        _reviewed(_trace(_FOUR_DECIMALS), "none", 3),
        _reviewed(_WORDS_2, "none", 2),
        _reviewed(Attempt(3, PARTIAL), "interpretation", 2, released=False),
    ),
    "hana.kobayashi": (
        _reviewed(_trace(_FOUR_DECIMALS), "none", 3),
        _reviewed(_WORDS_2, "none", 3),
        _reviewed(_WORDS_3, "claim_scope", 2),
    ),
    "ivo.petrov": (_reviewed(_trace(_LOG_TEN, PARTIAL, predicts="same"), "operation", 1),),
    "jun.park": (_reviewed(_trace(_SLIP, PARTIAL), "operation", 2), _WORDS_2),
    "kofi.mensah": (_reviewed(_trace(_NO_CHAIN, BARE), "cannot_tell", 0, released=False),),
    "lena.brandt": (
        _reviewed(_trace(quality=BARE), "interpretation", 1),
        _reviewed(Attempt(2, PARTIAL), "claim_scope", 1),
    ),
    "mateo.silva": (_reviewed(_trace(_POWERS_OF_TEN, PARTIAL), "operation", 1), Attempt(2, BARE)),
    "nadia.rahimi": (
        _reviewed(_trace(), "none", 2),
        _reviewed(Attempt(2, PARTIAL), "claim_scope", 2),
        Attempt(3, PARTIAL),
    ),
    "oskar.nowak": (_reviewed(_trace(_SUM_OF_LOGITS, BARE, predicts="up"), "operation", 0),),
    "priya.iyer": (
        _reviewed(_trace(_ROUNDED), "none", 2),
        _reviewed(Attempt(2, BARE), "vocabulary", 0),
        Attempt(3, BARE),
    ),
    "quentin.moreau": (_reviewed(_trace(_LINEAR_SHARE, PARTIAL), "", None, released=False),),
    "rosa.conti": (_trace(_AMBIGUOUS, PARTIAL),),
    "samir.osman": (_reviewed(_trace(_WRONG_TARGET, PARTIAL), "operation", 1), Attempt(2, PARTIAL)),
    "tove.dahl": (_trace(_STOPPED, BARE, predicts="up"),),
    "uma.reddy": (_trace(_ONE_DECIMAL, PARTIAL), Attempt(2, PARTIAL)),
    "viktor.kovač": (
        _reviewed(_trace(_PROBABILITY, PARTIAL, predicts="same"), "", 1, released=False),
    ),
}
