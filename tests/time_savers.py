"""What all tests would do alike, over and over, and none is about; no test finds anything else for it."""

from typing import Any

from werkzeug.routing import Rule

# Of hashing passwords: the same function as the application's, at a hundredth of the cost.
CHEAP_METHOD = "scrypt:1024:8:1"


def remember_routes() -> None:
    """Have werkzeug write and compile the functions that build a route's addresses once, not for each application.

    They are nine tenths of making one, and read nothing but what they are remembered by: a route's converters are
    looked up in the route itself, which they are bound to afterwards.
    """
    compile_builder, builders = Rule._compile_builder, {}

    def compile_once(rule: Rule, append_unknown: bool = True) -> Any:
        key = rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown
        if key not in builders:
            builders[key] = compile_builder(rule, append_unknown)
        return builders[key]

    Rule._compile_builder = compile_once
