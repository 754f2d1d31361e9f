"""People: users, cohorts, enrolments, and the clients and tokens that act for them."""
