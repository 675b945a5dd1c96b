"""Use cases: each takes and returns plain values, and knows nothing of HTTP."""
