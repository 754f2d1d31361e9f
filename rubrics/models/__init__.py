"""What an answer is worth: rubrics in immutable versions, their criteria, and the scale."""

from rubrics.models.rubric import Criterion, Rubric
from rubrics.models.scale import Level, Scale

__all__ = ["Criterion", "Level", "Rubric", "Scale"]
