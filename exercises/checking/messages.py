"""Sentences for learners, by code: what was seen, where, how to write it.

None of them says what the value should be. The web translates the same sentences by passing its own
``translate``.
"""

from collections.abc import Callable, Mapping

MESSAGES: dict[str, str] = {
    # What an answer is.
    "right": "Right.",
    "coarse": "Right as far as it goes, but typed to too few digits: give more digits.",
    "coarse_entries": (
        "Right as far as it goes, but too few digits in entry %(entries)s: give more digits."
    ),
    "wrong": "Read as %(seen)s, and this is not the value.",
    "wrong_entries": "Entry %(entries)s is not the value; the shape is right.",
    "wrong_name": "Read as %(seen)s, and this is not it.",
    "wrong_shape_entries": "The number of axes is right; axis %(entries)s is not.",
    "not_whole": "A whole number is asked for here, and %(seen)s is not whole.",
    "shape": "The shape is %(expected)s, and yours was read with shape %(seen)s.",
    "axes": "Another number of axes is asked for: yours has %(seen)s, the answer has %(expected)s.",
    "set_right": "Enough of them named.",
    "set_missing": "Named: %(found)s. Still missing: %(missing)s.",
    "set_unknown": "Named: %(found)s. Still missing: %(missing)s. Not known here: %(unknown)s.",
    # Text of any kind that cannot be read.
    "blank": "Nothing was typed.",
    "too_long": "This is %(seen)s characters long; a field takes %(most)s.",
    "too_long_operation": "This operation has more than %(most)s parts; write a shorter one.",
    "too_many_entries": "%(seen)s entries were typed; a field takes %(most)s.",
    "too_many_axes": "%(seen)s axes were typed; a shape here has at most %(most)s.",
    "too_deep": "Brackets are nested more than %(most)s deep.",
    "out_of_range": "%(seen)s is too large or too small for a number here.",
    "zero_division": "%(seen)s divides by zero.",
    # Numbers that cannot be read.
    "no_number": "“%(seen)s” is no number. Write digits, such as 0.25 or 2.5e-3.",
    "word": "“%(seen)s” stands after the number. Write the number alone.",
    "character": "The character “%(seen)s” is not part of a number. Write it like 0.25 or 2.5e-3.",
    "underscore": "An underscore is not part of a number. Group digits with blanks: 10 000.",
    "foreign_digit": "The digit “%(seen)s” is not read here. Use the digits 0 to 9.",
    "groups": "“%(seen)s” is not one number. Use one decimal mark and groups of three.",
    "several_numbers": "“%(seen)s” looks like several numbers. Write one number here.",
    "mixed_number": "“%(seen)s” mixes a number and a fraction. Write one fraction, or a decimal.",
    "ambiguous": "“%(seen)s” can mean %(first)s or %(second)s. Write the one that you mean.",
    "arithmetic": "“%(seen)s” is a calculation; write its result, such as 0.25 or 10^-3.",
    "list": "“%(seen)s” is a list; this field takes one number.",
    "latex": "“%(seen)s” holds \\, $ or braces. Write plainly, such as 1/2, 0.5 or [1; 2].",
    "percent": "“%(seen)s” carries a percent sign. Write it as a decimal: %(decimal)s.",
    "percent_place": "The percent sign is out of place here. Write a decimal, such as 0.25.",
    "nonfinite": "“%(seen)s” is not a finite number, and this field takes one.",
    # Arrays and shapes that cannot be read.
    "ambiguous_commas": (
        "“%(seen)s” can mean %(first)s or %(second)s. Put semicolons between the entries."
    ),
    "unclear_commas": (
        "The commas of “%(seen)s” may separate, as in %(first)s, or be decimal marks. "
        "Put semicolons between the entries."
    ),
    "empty_entry": "There is a separator with no entry beside it.",
    "bracket": "The bracket “%(seen)s” closes or opens nothing.",
    "bracket_open": "A bracket is not closed.",
    "after_bracket": "“%(seen)s” stands after the closing bracket.",
    "between_rows": "“%(seen)s” stands between brackets. Write rows like [[1, 2], [3, 4]].",
    "ragged": "Row %(row)s has %(seen)s where the first row has %(first)s: rows must be alike.",
    "axis": "“%(seen)s” is no axis. Write whole sizes or names, such as (2, 4) or (B, T).",
    "shape_product": "“%(seen)s” makes a product. Write the axes with commas: (B, T).",
    # Units that do not fit.
    "unit_other": "The unit “%(seen)s” measures something else than “%(unit)s”.",
    "unit_missing": "“%(seen)s” has no unit. Write one after the number, such as %(unit)s.",
    "unit_unexpected": "“%(seen)s” is a unit; this field takes the number alone.",
    "unit_unknown": "“%(seen)s” is no unit known here.",
    "unit_ambiguous": "“%(seen)s” can mean %(first)s or %(second)s. Write the unit out.",
    "unit_alone": "“%(seen)s” is a unit without a number. Write the number in front.",
    # Names that mean nothing.
    "choice": "“%(seen)s” is none of the options.",
    # Operations that cannot be evaluated.
    "operation_end": "The operation ends too early: something is missing.",
    "operation_sign": "“%(seen)s” is out of place in this operation.",
    "implicit_product": "Write the multiplication sign in front of “%(seen)s”.",
    "unknown_name": "“%(seen)s” is no given value and no earlier step.",
    "unknown_function": "“%(seen)s” is no function here. There are exp, ln, log10, sqrt, sum, max.",
    "one_argument": "“%(seen)s” takes one value.",
    "numbers_only": "“%(seen)s” takes several numbers or one array.",
    "index": "“%(seen)s” is no entry. Entries are counted from 0: softmax[0].",
    "index_range": "There is no entry [%(seen)s]. Entries are counted from 0.",
    "operation_shapes": "Arrays of shapes %(first)s and %(second)s do not go together.",
    "operation_not_finite": "This operation has no finite value.",
    "ambiguous_arguments": "The commas in “%(seen)s” are unclear. Put semicolons between values.",
    # What is put around a sentence.
    "in_entry": "Entry %(entry)s: %(sentence)s",
    "at_column": "%(sentence)s (At character %(column)s.)",
    # Lines that ask nothing.
    "not_json": "This line is not JSON.",
    "not_object": "This line is JSON, but not an object.",
    "line_too_long": "This line is longer than %(most)s bytes.",
    "unknown_kind": "There is no kind %(seen)s.",
    "bad_field": "The question itself cannot be used: %(reason)s.",
    "bad_line": "This line cannot be answered: %(reason)s",
    "bad_answer": "The answer must be text.",
    "failed": "This line could not be checked.",
}


def message(
    code: str,
    params: Mapping[str, object] | None = None,
    *,
    entry: int | None = None,
    translate: Callable[[str], str] | None = None,
) -> str:
    """Return the sentence for a code.

    Parameters
    ----------
    code
        Key of ``MESSAGES``.
    params
        What the sentence names; a ``column`` is said where there is one.
    entry
        The entry of an array that the sentence is about, counted from 1.
    translate
        Turns a sentence with its ``%(name)s`` places into another language.
    """
    words = params or {}

    def sentence(key: str) -> str:
        return translate(MESSAGES[key]) if translate else MESSAGES[key]

    said = sentence(code) % words if words else sentence(code)
    if entry is not None:
        said = sentence("in_entry") % {"entry": entry, "sentence": said}
    if "column" in words:
        said = sentence("at_column") % {"sentence": said, "column": words["column"]}
    return said
