"""Released grades on their way out: REST, OneRoster, CSV, LTI."""
