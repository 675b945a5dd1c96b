"""Blackjack strategy trainer: exact strategy mathematics, drilling and grading."""
