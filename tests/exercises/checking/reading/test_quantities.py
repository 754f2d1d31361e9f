"""Numbers with units."""

from fractions import Fraction

import pytest

from exercises.checking.reading import (
    AmbiguousError,
    MalformedError,
    OutOfRangeError,
    ReadingError,
    UnitError,
    read_quantity,
)

READ = [
    ("gigabytes", "56 GB", "byte", 56e9, 0.5e9),
    ("no blank", "56GB", "byte", 56e9, 0.5e9),
    ("gibibytes", "52.15 GiB", "byte", 55_995_636_121.6, 5_368_709.12),
    ("comma", "52,15 GiB", "byte", 55_995_636_121.6, 5_368_709.12),
    ("exponent", "56e9 bytes", "byte", 56e9, 0.5e9),
    ("power of ten", "56 × 10^9 bytes", "byte", 56e9, 0.5e9),
    ("groups", "56 000 000 000 B", "byte", 56e9, 0.5),
    ("comma groups", "56,000,000,000 bytes", "byte", 56e9, 0.5),
    ("one byte", "1 byte", "byte", 1.0, 0.5),
    ("kilobytes", "2 kB", "byte", 2000.0, 500.0),
    ("capital kilobytes", "2 KB", "byte", 2000.0, 500.0),
    ("megabytes", "2 MB", "byte", 2e6, 5e5),
    ("terabytes", "2 TB", "byte", 2e12, 5e11),
    ("kibibytes", "2 KiB", "byte", 2048.0, 512.0),
    ("mebibytes", "2 MiB", "byte", 2097152.0, 524288.0),
    ("tebibytes", "1 TiB", "byte", 1099511627776.0, 549755813888.0),
    ("written out", "56 gigabytes", "byte", 56e9, 0.5e9),
    ("short and long", "56 Gbytes", "byte", 56e9, 0.5e9),
    ("French", "56 Go", "byte", 56e9, 0.5e9),
    ("French binary", "1 Kio", "byte", 1024.0, 512.0),
    ("octets", "56 octets", "byte", 56.0, 0.5),
    ("bits", "8 bits", "byte", 1.0, 0.0625),
    ("gigabits", "8 Gbit", "byte", 1e9, 62_500_000.0),
    ("bytes in bits", "1 byte", "bit", 8.0, 4.0),
    ("seconds", "2.1 s", "s", 2.1, 0.05),
    ("comma seconds", "2,1 s", "s", 2.1, 0.05),
    ("milliseconds", "250 ms", "s", 0.25, 5e-4),
    ("microseconds", "5 us", "s", 5e-6, 5e-7),
    ("micro sign", "5 µs", "s", 5e-6, 5e-7),
    ("Greek mu", "5 μs", "s", 5e-6, 5e-7),
    ("nanoseconds", "3 ns", "s", 3e-9, 5e-10),
    ("minutes", "2 min", "s", 120.0, 30.0),
    ("hours", "1.5 h", "s", 5400.0, 180.0),
    ("days", "1 day", "s", 86400.0, 43200.0),
    ("nats", "0.408 nats", "nat", 0.408, 5e-4),
    ("operations", "2 TFLOP", "FLOP", 2e12, 5e11),
    ("rate", "3 GB/s", "byte/s", 3e9, 5e8),
    ("rate, other time", "60 MB/min", "byte/s", 1e6, 25e6 / 3000),
    ("rate in words", "3 GB per s", "byte/s", 3e9, 5e8),
    ("rate of operations", "2 TFLOP/s", "FLOP/s", 2e12, 5e11),
    ("grams", "25 g", "kg", 0.025, 5e-4),
    ("two divisions", "-9.81 m/s/s", "m/s^2", -9.81, 5e-3),
    ("power", "9,81 m/s^2", "m/s^2", 9.81, 5e-3),
    ("superscript", "9.81 m/s²", "m/s^2", 9.81, 5e-3),
    ("negative power", "9.81 m*s^-2", "m/s^2", 9.81, 5e-3),
    ("negative superscript", "9.81 m·s⁻²", "m/s^2", 9.81, 5e-3),
    ("centimetres", "100cm", "m", 1.0, 5e-3),
    ("area", "-7.5e-3 m^2", "m^2", -0.0075, 5e-5),
    ("fraction", "1/2 s", "s", 0.5, 0.0),
    ("label", "t = 2.1 s.", "s", 2.1, 0.05),
    ("minus", "−2 s", "s", -2.0, 0.5),
]


@pytest.mark.parametrize(
    ("text", "unit", "value", "half"), [row[1:] for row in READ], ids=[row[0] for row in READ]
)
def test_a_quantity_is_read_in_the_base_unit(
    text: str, unit: str, value: float, half: float
) -> None:
    typed = read_quantity(text, unit)

    assert typed.value == pytest.approx(value, rel=1e-15)
    assert typed.half == pytest.approx(half, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        pytest.param("9.81 m/s", "byte", id="speed for bytes"),
        pytest.param("56 GB", "s", id="bytes for seconds"),
        pytest.param("56 GB", "GB/s", id="bytes for a rate"),
        pytest.param("0 V*m/A", "V", id="zero does not excuse a unit"),
        pytest.param("0.0 m", "m/s", id="nor does a decimal zero"),
        pytest.param("5 FLOP", "byte", id="operations for bytes"),
        pytest.param("5 nats", "bit", id="nats for bits"),
        pytest.param("56", "byte", id="no unit"),
        pytest.param("1/2", "s", id="a fraction without a unit"),
    ],
)
def test_another_dimension_or_none_is_a_fault_of_the_unit(text: str, unit: str) -> None:
    with pytest.raises(UnitError) as caught:
        read_quantity(text, unit)

    assert str(caught.value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("56 apples", "unit_unknown", id="no unit of the list"),
        pytest.param("56 gB", "unit_unknown", id="no such prefix"),
        pytest.param("3 kg m", "unit_unknown", id="nothing between two units"),
        pytest.param("3 m/", "unit_unknown", id="nothing below"),
        pytest.param("3 m^9", "unit_unknown", id="absurd power"),
        pytest.param("3 " + "s*" * 30 + "s", "unit_unknown", id="absurd product"),
        pytest.param("3 s*s*s*s*s*s", "unit_unknown", id="too many factors"),
        pytest.param("m/s", "unit_alone", id="no number"),
        pytest.param("5 % s", "percent_place", id="percent"),
        pytest.param("1 1/2 s", "several_numbers", id="mixed number"),
        pytest.param("2+2 s", "arithmetic", id="sum"),
        pytest.param("5 _s", "underscore", id="underscore"),
        pytest.param("1/s", "no_number", id="fraction of a unit"),
        pytest.param("1/ 2 3 s", "several_numbers", id="two numbers below"),
    ],
)
def test_what_is_no_quantity_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_quantity(text, "s")

    assert caught.value.code == code
    assert str(caught.value)


@pytest.mark.parametrize("text", ["56 Gb", "56 gb", "56 kb", "56 Kb", "56 Mb", "56 Gib", "8 b"])
def test_a_small_b_has_two_readings(text: str) -> None:
    with pytest.raises(AmbiguousError) as caught:
        read_quantity(text, "byte")

    assert "bit" in str(caught.value)
    assert "byte" in str(caught.value)


def test_a_comma_and_three_digits_have_two_readings_with_a_unit_too() -> None:
    with pytest.raises(AmbiguousError):
        read_quantity("1,234 s", "s")
    assert read_quantity("1,234 s", "s", decimal="comma").value == 1.234
    assert read_quantity("1,234 s", "s", decimal="point").value == 1234.0


def test_a_bare_number_is_in_the_base_unit_where_that_is_allowed() -> None:
    assert read_quantity("56e9", "byte", bare=True).value == 56e9
    assert read_quantity("1/2", "s", bare=True).value == 0.5
    assert read_quantity("56 GB", "byte", bare=True).value == 56e9


@pytest.mark.parametrize("text", ["1e308 GB", "1e-320 ns", "1e-400 s"])
def test_what_a_double_cannot_hold_is_out_of_range(text: str) -> None:
    with pytest.raises(OutOfRangeError):
        read_quantity(text, "byte" if "GB" in text else "s")


def test_a_unit_loses_no_digit() -> None:
    assert read_quantity("52.15 GiB", "byte").exact == (Fraction(5215, 100) * 2**30,)
    assert read_quantity("5 µs", "s").exact == (Fraction(5, 10**6),)


def test_an_unknown_base_unit_is_an_error() -> None:
    with pytest.raises(ReadingError):
        read_quantity("5 s", "apple")
