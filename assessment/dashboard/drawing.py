"""The figures as bars, each a link to the submissions behind it."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext

from assessment.cohorts.models import Cohort
from assessment.dashboard.figures import ExerciseFigures
from assessment.review.queue import UNTAGGED
from assessment.web.charts import Bar, BarChart, bar_chart
from assessment.web.marks import BREAKS


def chart_of(cohort: Cohort, figures: ExerciseFigures) -> BarChart:
    """Draw the breaks of one exercise: tagged ones in chain order, then what is not tagged yet."""
    bars = [
        Bar(
            str(BREAKS[name].label),
            count,
            submissions_behind(cohort, figures, name),
            is_fault=name in figures.breaks,
        )
        for name, count in {**figures.breaks, **figures.other}.items()
    ]
    untagged = Bar(
        str(BREAKS[UNTAGGED].label),
        figures.untagged,
        submissions_behind(cohort, figures, UNTAGGED),
        is_untagged=True,
    )
    return bar_chart(
        key=figures.exercise.slug,
        title=gettext("Where the chains break, by learner"),
        bars=[*bars, untagged],
        n=figures.n,
        tagged=figures.tagged,
    )


def submissions_behind(cohort: Cohort, figures: ExerciseFigures, tag: str) -> str:
    """Return the queue narrowed to exactly the submissions that a bar counts."""
    query = {"cohort": cohort.slug, "exercise": figures.exercise.slug, "break": tag, "latest": "1"}
    return f"{reverse('review-queue')}?{urlencode(query)}"
