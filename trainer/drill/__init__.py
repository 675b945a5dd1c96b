"""What to ask and how to judge it: pure, on the engine alone.

Nothing in this folder reads a clock, a file, the environment or a global random generator;
time and ``random.Random`` come in as arguments.
"""
