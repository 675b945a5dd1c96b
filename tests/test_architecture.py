"""Who may import what, and what the pure folders keep away from. The rules stand in docs/architecture.md."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST_LINES = 300

PURE = {"engine", "drill", "table", "ledger"}
# Which parts of trainer each part may import, itself included; app.py puts everything together.
MAY_IMPORT = {
    "engine": {"engine"},
    "drill": {"drill", "engine"},
    "table": {"table", "engine"},
    "ledger": {"ledger", "engine"},
    "storage": {"storage", "config"} | PURE,
    "service": {"service", "storage", "config"} | PURE,
    "web": {"web", "service", "config"} | PURE,
    "config": {"config"},
    "app": {"storage", "service", "web", "config"} | PURE,
}
PURE_LIBRARIES = {"engine": {"numpy"}, "drill": {"numpy", "fsrs"}, "table": {"numpy"}, "ledger": set()}
ONLY_IN = {
    "flask": {"web", "app"},
    "htmx_flask": {"web", "app"},
    "wtforms": {"web", "app"},
    "sqlalchemy": {"storage"},
    "alembic": {"storage"},
    "flask_sqlalchemy": {"storage"},
    "flask_migrate": {"storage", "app"},
}

# A pure folder reads no clock, file, environment, network or global random generator.
IMPURE_MODULES = {
    "os", "pathlib", "time", "secrets", "socket", "shutil", "tempfile", "glob", "subprocess", "sqlite3",
    "urllib.request", "http.client", "importlib", "ctypes",
}
IMPURE_BUILTINS = {"open", "input", "print", "eval", "exec", "__import__"}
CLOCK_CALLS = {"now", "utcnow", "today"}
NUMPY_FILES = {"load", "save", "savez", "savez_compressed", "loadtxt", "savetxt", "genfromtxt", "fromfile", "memmap"}


def part_of(path: Path) -> str:
    """``engine`` for trainer/engine/cards.py, ``config`` for trainer/config.py, ``app`` for app.py."""
    names = path.with_suffix("").parts
    return names[0] if len(names) == 1 else names[1]


def imported(path: Path, tree: ast.AST) -> Iterator[str]:
    """Absolute dotted names; ``from a import b`` counts as ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = list(path.parent.parts[: len(path.parent.parts) - node.level + 1]) if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def import_faults(path: Path, tree: ast.AST) -> Iterator[str]:
    part = part_of(path)
    for name in imported(path, tree):
        top = name.partition(".")[0]
        if top == "app":
            yield f"imports {name}"
        elif top == "trainer":
            if not set(name.split(".")[1:2]) <= MAY_IMPORT.get(part, set()):
                yield f"imports {name}"
        elif part not in ONLY_IN.get(top, {"web", "app"} if top.startswith("flask_") else {part}):
            yield f"imports {name}"
        elif part in PURE:
            if any(f"{name}.".startswith(f"{module}.") for module in IMPURE_MODULES):
                yield f"imports {name}"
            if top not in sys.stdlib_module_names | PURE_LIBRARIES[part]:
                yield f"imports {name}"
            if name.startswith(("random.", "numpy.random")) and name != "random.Random":
                yield f"imports {name}"


def purity_faults(tree: ast.AST) -> Iterator[str]:
    modules = {alias.asname or alias.name: alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
               for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in IMPURE_BUILTINS:
                yield f"calls {node.func.id}"
            if isinstance(node.func, ast.Attribute) and node.func.attr in CLOCK_CALLS:
                yield f"reads the clock: {ast.unparse(node)}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id)
            if module == "random" and node.attr != "Random":
                yield f"uses the global generator: random.{node.attr}"
            if module == "numpy" and (node.attr == "random" or node.attr in NUMPY_FILES):
                yield f"uses numpy.{node.attr}"


def faults(path: Path, source: str) -> list[str]:
    """What a file, given by its path from the root, does that its place forbids."""
    tree = ast.parse(source)
    found = [*import_faults(path, tree), *(purity_faults(tree) if part_of(path) in PURE else ())]
    return [f"{path.as_posix()} {fault}" for fault in found]


def sources() -> list[Path]:
    return [Path("app.py"), *sorted(path.relative_to(ROOT) for path in (ROOT / "trainer").rglob("*.py"))]


def modules() -> list[Path]:
    """All sources but trainer/__init__.py, which belongs to no part."""
    return [path for path in sources() if path != Path("trainer/__init__.py")]


def test_every_module_keeps_to_its_place():
    assert [fault for path in modules() for fault in faults(path, (ROOT / path).read_text(encoding="utf-8"))] == []


def test_every_part_of_trainer_has_a_place():
    assert {part_of(path) for path in modules()} <= set(MAY_IMPORT)
    assert {"engine", "drill", "table", "service", "web", "config", "app"} <= {part_of(path) for path in modules()}


def test_the_package_itself_imports_nothing():
    path = Path("trainer/__init__.py")
    assert list(imported(path, ast.parse((ROOT / path).read_text(encoding="utf-8")))) == []


def test_modules_stay_small():
    lengths = {path.as_posix(): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("trainer/engine/x.py", "import trainer.drill.select"),
        ("trainer/engine/x.py", "from trainer import service"),
        ("trainer/engine/x.py", "from ..service import strategies"),
        ("trainer/engine/x.py", "from .. import web"),
        ("trainer/engine/x.py", "def later():\n    from trainer.web import wording"),
        ("trainer/engine/x.py", "import scipy"),
        ("trainer/engine/x.py", "import flask"),
        ("trainer/engine/x.py", "import os.path"),
        ("trainer/engine/x.py", "from pathlib import Path"),
        ("trainer/engine/x.py", "from time import monotonic"),
        ("trainer/engine/x.py", "import secrets"),
        ("trainer/engine/x.py", "from urllib import request"),
        ("trainer/engine/x.py", "from random import choice"),
        ("trainer/engine/x.py", "import random\nrandom.shuffle([])"),
        ("trainer/engine/x.py", "import random as r\nr.random()"),
        ("trainer/engine/x.py", "import numpy as np\nnp.random.default_rng()"),
        ("trainer/engine/x.py", "from numpy.random import default_rng"),
        ("trainer/engine/x.py", "import numpy as np\nnp.load('x')"),
        ("trainer/engine/x.py", "open('x')"),
        ("trainer/drill/x.py", "from datetime import datetime\ndatetime.now()"),
        ("trainer/drill/x.py", "import datetime\ndatetime.date.today()"),
        ("trainer/drill/x.py", "from trainer.table import round"),
        ("trainer/table/x.py", "from trainer.storage import models"),
        ("trainer/table/x.py", "from trainer.drill import grade"),
        ("trainer/table/x.py", "from secrets import SystemRandom"),
        ("trainer/table/x.py", "from random import SystemRandom"),
        ("trainer/ledger/x.py", "import sqlalchemy"),
        ("trainer/ledger/x.py", "import numpy"),
        ("trainer/storage/x.py", "from trainer.service import strategies"),
        ("trainer/storage/x.py", "import flask"),
        ("trainer/service/x.py", "from trainer.web import wording"),
        ("trainer/service/x.py", "from flask import current_app"),
        ("trainer/service/x.py", "import flask_login"),
        ("trainer/service/x.py", "from sqlalchemy.orm import joinedload"),
        ("trainer/service/x.py", "import app"),
        ("trainer/web/x.py", "from app import create_app"),
        ("trainer/web/x.py", "from trainer.storage import models"),
        ("trainer/web/x.py", "import sqlalchemy as sa"),
        ("trainer/config.py", "from trainer.engine import rules"),
        ("app.py", "import sqlalchemy"),
    ],
)
def test_a_breach_is_found(path, source):
    assert len(faults(Path(path), source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("trainer/engine/x.py", "import numpy as np\nfrom trainer.engine.cards import Card\nfrom .rules import Rules"),
        ("trainer/drill/x.py", "import random\ndef pick(generator: random.Random):\n    return generator.choice([1])"),
        ("trainer/drill/x.py", "from random import Random\ndef pick(random: Random):\n    return random.choice([1])"),
        ("trainer/table/x.py", "from random import Random\nfrom trainer.engine import rules\nimport trainer.table"),
        ("trainer/drill/x.py", "from datetime import time\nfrom urllib.parse import urlencode\nimport fsrs"),
        ("trainer/storage/x.py", "import sqlalchemy\nfrom flask_sqlalchemy import SQLAlchemy\nimport trainer.drill"),
        ("trainer/service/x.py", "import os\nfrom trainer.storage import queries\nfrom trainer.table import seat"),
        ("trainer/web/x.py", "import flask, flask_wtf, time\nfrom trainer.service import strategies"),
        ("app.py", "import os\nfrom flask import Flask\nfrom flask_migrate import Migrate\nimport trainer.storage"),
    ],
)
def test_what_is_allowed_passes(path, source):
    assert faults(Path(path), source) == []
