"""The drill as it is served: answers under load, pages on a long history, key to verdict, the first page's weight."""

import tempfile
from pathlib import Path

from bench import answers, first_page, pages, screen


def run() -> None:
    for part in (answers, pages, screen, first_page):
        print(f"-- {part.__doc__ or ''}")
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            part.run(Path(folder))


if __name__ == "__main__":
    run()
