"""What the first page weighs: every file that it loads, raw and compressed."""

import gzip
import re
from pathlib import Path

import flask_migrate

from app import create_app
from bench.timing import aim
from trainer.config import Settings

_LOADED = re.compile(r'<(?:link|script|img|use)\b[^>]*?\b(?:href|src)="([^"#]+)')
_LIMIT_KB = 80


def run(folder: Path) -> None:
    """Print the files and their sum; ``folder`` is for the database."""
    app = create_app({"SETTINGS": Settings(folder / "first")})
    with app.app_context():
        flask_migrate.upgrade()
    client = app.test_client()
    page = client.get("/")
    contents = {"/": page.data} | {url: client.get(url).data for url in dict.fromkeys(_LOADED.findall(page.text))}
    sizes = {url: (len(content), len(gzip.compress(content, 6))) for url, content in contents.items()}
    for url, (raw, packed) in sizes.items():
        print(f"{url:48} {raw:8,} bytes {packed:8,} at gzip -6")
    raw, packed = (sum(column) for column in zip(*sizes.values(), strict=True))
    print(f"{'sum':48} {raw:8,} bytes {packed:8,}{aim(packed / 1000, _LIMIT_KB, ' kB')}")
