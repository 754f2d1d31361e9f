"""From documents to the database."""
