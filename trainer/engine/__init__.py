"""The game's mathematics: pure functions on the standard library and NumPy.

Nothing in this folder reads a clock, a file, the environment or a global random
generator, and nothing in it imports another folder of the project.
"""
