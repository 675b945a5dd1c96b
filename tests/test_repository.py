"""What belongs to the repository beside the code: pinned requirements that are enough, and no one else's files."""

import ast
import re
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"([A-Za-z0-9._-]+)(\[[a-z0-9,_-]+\])?==[0-9][0-9A-Za-z.]*( *;.+)?")
OWN = {"app", "trainer", "tests", "bench"}
LONGEST_LINE = 500


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def lines_of(name: str) -> list[str]:
    """The requirements of a file and of those it includes, without comments."""
    found = []
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found += lines_of(text.removeprefix("-r ").strip())
        elif text:
            found.append(text)
    return found


def provided_by(name: str) -> set[str]:
    """The distributions that a requirements file names, and those that these bring along."""
    named = {normal(re.split(r"[\[=;]", line)[0].strip()) for line in lines_of(name)}
    brought = set()
    for distribution in named & {normal(each) for names in packages_distributions().values() for each in names}:
        brought |= {normal(re.match(r"[A-Za-z0-9._-]+", each)[0]) for each in requires(distribution) or ()
                    if "extra ==" not in each}
    return named | brought


def imported_packages(*places: str) -> set[str]:
    paths = [path for place in places for path in ([ROOT / place] if place.endswith(".py") else
                                                   (ROOT / place).rglob("*.py"))]
    names = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.partition(".")[0])
    return names - OWN - sys.stdlib_module_names


def is_minified(path: Path) -> bool:
    lines = path.read_text(encoding="utf-8").splitlines()
    return ".min." in path.name or any(len(line) > LONGEST_LINE for line in lines)


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-server.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned(name):
    assert [line for line in lines_of(name) if not PINNED.fullmatch(line)] == []


@pytest.mark.parametrize("line", ["flask", "flask>=3.1", "flask~=3.1.0", "flask==3.*", "-e .", "git+https://x/y.git"])
def test_what_is_not_pinned_is_told_from_what_is(line):
    assert not PINNED.fullmatch(line)
    assert PINNED.fullmatch("psycopg[binary]==3.2.1; python_version >= '3.11'")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-server.txt", "requirements-dev.txt"])
def test_no_requirement_is_named_twice(name):
    named = [re.split(r"[\[=;]", line)[0].strip() for line in lines_of(name)]
    assert len({normal(each) for each in named}) == len(named)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("requirements.txt", ("app.py", "trainer")),
        ("requirements-dev.txt", ("tests", "bench")),
    ],
)
def test_requirements_cover_what_is_imported(name, places):
    provided, distributions = provided_by(name), packages_distributions()
    uncovered = {package for package in imported_packages(*places)
                 if not provided & {normal(each) for each in distributions.get(package, [package])}}
    assert uncovered == set()


def test_imports_are_found():
    assert {"flask", "numpy", "click"} <= imported_packages("app.py", "trainer")


def test_no_minified_or_built_file_is_kept():
    kept = [path for folder in ("static", "templates", "docs") for suffix in ("js", "css", "map")
            for path in (ROOT / folder).rglob(f"*.{suffix}")]
    assert [path.relative_to(ROOT).as_posix() for path in kept if path.suffix == ".map" or is_minified(path)] == []


@pytest.mark.parametrize(
    ("name", "text", "minified"),
    [
        ("htmx.min.js", "", True),
        ("htmx.js", "var a=1;" * 500, True),
        ("keyboard.js", "document.addEventListener('keydown', press);\n" * 50, False),
    ],
)
def test_minified_files_are_recognised(tmp_path, name, text, minified):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert is_minified(tmp_path / name) == minified
