"""What a reference is made of: givens, steps, routes and known mistakes.

A route or a mistake is a NumPy function. Its parameters are found by name: an
earlier step of that name, else a given. Every function works on the trailing
axes that the docstrings name and lets any number of leading axes through, so
that one trace, a batch of traces and a perturbed trace take the same path.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from exercises.checking.givens import Arrays, FloatArray, Given, GivenError
from exercises.checking.tolerance import Tolerance
from exercises.checking.verdicts import Break

__all__ = [
    "Arrays",
    "FloatArray",
    "Given",
    "GivenError",
    "Mistake",
    "Reference",
    "Route",
    "Source",
    "Step",
    "routes",
]

StepFunction = Callable[..., FloatArray]

EXACT = Tolerance(rtol=None, exact=True)
DEFAULT = Tolerance()


@dataclass(frozen=True)
class Route:
    """One sound way to compute a step from givens and earlier steps."""

    function: StepFunction

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the function's parameters, in order."""
        return tuple(inspect.signature(self.function).parameters)


@dataclass(frozen=True)
class Mistake:
    """A known mistake: what a learner gets who breaks the chain in one known way.

    ``look_at`` is said to learners: it names what to look at, never a value.
    ``several`` marks a function with one more trailing axis, one entry for each
    value that the mistake can give (NaN where it gives none).
    """

    name: str
    break_: Break
    function: StepFunction
    look_at: str
    several: bool = False

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the function's parameters, in order."""
        return tuple(inspect.signature(self.function).parameters)


@dataclass(frozen=True)
class Step:
    """One line of a chain.

    Attributes
    ----------
    shape
        Names of the axes of the value; ``()`` for one number.
    unit
        Base unit of the value (``"byte"``), or None for a plain number.
    is_count
        Whether the value is a whole number that is compared exactly.
    is_logarithm
        Whether the value is a logarithm, so that another base is a sign to look for.
    exact
        A numerically stable function for the exact value, where the first route
        is not one; its parameters are found like a route's.
    """

    name: str
    title: str
    routes: tuple[Route, ...]
    shape: tuple[str, ...] = ()
    unit: str | None = None
    is_count: bool = False
    is_logarithm: bool = False
    exact: StepFunction | None = None
    mistakes: tuple[Mistake, ...] = ()

    @cached_property
    def exact_route(self) -> Route:
        """The route that computes the exact value."""
        return self.routes[0] if self.exact is None else Route(self.exact)


@dataclass(frozen=True)
class Source:
    """Where the value of one parameter is found."""

    name: str
    is_step: bool


@dataclass(frozen=True)
class Reference:
    """A worked chain: its givens, and its steps in order."""

    name: str
    title: str
    givens: tuple[Given, ...]
    steps: tuple[Step, ...]
    validate: Callable[[Arrays], None] | None = None
    is_trace: bool = True
    sources: Mapping[str, Mapping[str, Source]] = field(init=False, repr=False)
    _inputs: dict[tuple[str, StepFunction], tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _shapes: dict[tuple[int, ...], dict[str, tuple[int, ...]] | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        given_names = {given.name for given in self.givens}
        earlier: set[str] = set()
        sources: dict[str, dict[str, Source]] = {}
        for step in self.steps:
            callables: tuple[Route | Mistake, ...] = (
                *step.routes,
                step.exact_route,
                *step.mistakes,
            )
            sources[step.name] = {
                parameter: _source(self.name, step.name, parameter, earlier, given_names)
                for each in callables
                for parameter in each.parameters
            }
            earlier.add(step.name)
        object.__setattr__(self, "sources", sources)

    @cached_property
    def tolerances(self) -> dict[str, Tolerance]:
        """The tolerance of each step where nothing else is said: a count is exact."""
        return {step.name: EXACT if step.is_count else DEFAULT for step in self.steps}

    @cached_property
    def step_names(self) -> tuple[str, ...]:
        """Names of the steps, in order."""
        return tuple(step.name for step in self.steps)

    def shapes(self, sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]] | None:
        """Return the shape of every step; None where the sizes do not tell."""
        key = tuple(sizes.values())
        if key not in self._shapes:
            axes = {axis for step in self.steps for axis in step.shape}
            self._shapes[key] = (
                {step.name: tuple(sizes[axis] for axis in step.shape) for step in self.steps}
                if axes <= sizes.keys()
                else None
            )
        return self._shapes[key]

    def step(self, name: str) -> Step:
        """Return the step of that name."""
        return self.steps[self.step_names.index(name)]

    def read_given(self, given: Mapping[str, object]) -> dict[str, FloatArray]:
        """Return the givens as float64 arrays, or raise :class:`GivenError`."""
        return self.read_sized(given)[0]

    def read_sized(
        self, given: Mapping[str, object]
    ) -> tuple[dict[str, FloatArray], dict[str, int]]:
        """Return the givens as arrays, and the size of each named axis."""
        self._check_names(given)
        arrays = {each.name: each.read(given.get(each.name, each.default)) for each in self.givens}
        sizes = self.sizes(arrays)
        if self.validate is not None:
            self.validate(arrays)
        return arrays, sizes

    @cached_property
    def _given_names(self) -> frozenset[str]:
        return frozenset(each.name for each in self.givens)

    def _check_names(self, given: object) -> None:
        if isinstance(given, dict) and given.keys() == self._given_names:
            return
        names = [each.name for each in self.givens]
        if not isinstance(given, Mapping):
            raise GivenError(f"{self.name}: the givens must be named: {', '.join(names)}.")
        needed = (each.name for each in self.givens if each.default is None)
        missing = [name for name in needed if name not in given]
        unknown = [str(name)[:40] for name in given if name not in names]
        if missing:
            raise GivenError(f"{self.name}: not given: {', '.join(missing)}.")
        if unknown:
            raise GivenError(f"{self.name}: unknown given: {', '.join(unknown[:5])}.")

    def sizes(self, arrays: Arrays) -> dict[str, int]:
        """Return the size of each named axis; two sizes for one name are an error."""
        sizes: dict[str, int] = {}
        for given in self.givens:
            if not given.shape:
                continue
            for axis, size in zip(given.shape, arrays[given.name].shape, strict=True):
                if sizes.setdefault(axis, size) != size:
                    raise GivenError(
                        f"{given.name}: axis {axis} has {size} entries, another given has "
                        f"{sizes[axis]}."
                    )
        return sizes

    def exact_values(self, given: Arrays) -> dict[str, FloatArray]:
        """Return the exact value of every step; leading axes of the givens are kept."""
        values: dict[str, FloatArray] = {}
        with np.errstate(all="ignore"):
            for step in self.steps:
                values[step.name] = self.call(step, step.exact_route, given, values)
        return values

    def call(self, step: Step, rule: Route | Mistake, given: Arrays, values: Arrays) -> FloatArray:
        """Return what a route or a mistake of ``step`` gives on these values."""
        sources = self.sources[step.name]
        arguments = [
            values[name] if sources[name].is_step else given[name] for name in rule.parameters
        ]
        return np.asarray(rule.function(*arguments), dtype=np.float64)

    def inputs(self, step: Step, rule: Route | Mistake) -> tuple[str, ...]:
        """Return the names of the earlier steps that a route or a mistake rests on."""
        key = (step.name, rule.function)
        if key not in self._inputs:
            sources = self.sources[step.name]
            self._inputs[key] = tuple(name for name in rule.parameters if sources[name].is_step)
        return self._inputs[key]

    def rests_on_steps(self, name: str) -> bool:
        """Whether a step has a route that rests on earlier steps."""
        step = self.step(name)
        return any(self.inputs(step, route) for route in step.routes)

    def evaluate(self, given: Mapping[str, object]) -> dict[str, object]:
        """Return the exact value of every step as plain numbers and lists."""
        exact = self.exact_values(self.read_given(given))
        return {name: value.tolist() for name, value in exact.items()}


def _source(
    reference: str, step: str, parameter: str, earlier: set[str], givens: set[str]
) -> Source:
    if parameter in earlier:
        return Source(parameter, is_step=True)
    if parameter in givens:
        return Source(parameter, is_step=False)
    message = f"{reference}.{step}: {parameter} is neither a given nor an earlier step."
    raise TypeError(message)


def routes(*functions: StepFunction) -> tuple[Route, ...]:
    """Return one route for each function."""
    return tuple(Route(function) for function in functions)
