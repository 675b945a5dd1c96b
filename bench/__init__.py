"""Measurements: ``make bench`` prints them all; no number here is asserted by ``make test``."""
