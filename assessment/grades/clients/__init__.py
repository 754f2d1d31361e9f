"""The pages on which clients of other systems are made, listed and revoked."""
