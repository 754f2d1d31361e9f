"""What a person decided about a submission, and the grade that left."""

from assessment.review.models.grade import Grade, GradeQuerySet, GradeSequence
from assessment.review.models.review import CriterionScore, Review, ReviewQuerySet

__all__ = ["CriterionScore", "Grade", "GradeQuerySet", "GradeSequence", "Review", "ReviewQuerySet"]
