"""A round and a table as state machines: pure, on the engine alone.

A state and an event go in, a new state and what happened come out. Nothing in this folder reads a clock, a file,
the environment or a global random generator: time and ``random.Random`` come in as arguments.
Amounts are integers in tenths of a chip.
"""
