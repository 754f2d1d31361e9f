"""What an answer is worth: rubrics, criteria, scales and marking."""
