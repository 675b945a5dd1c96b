"""Settings from the environment, and the secret key that is made once."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from pathlib import Path
from threading import Barrier

import pytest

from app import create_app
from trainer.config import Settings

ROOT = Path(__file__).resolve().parents[1]


def test_an_empty_environment_means_the_instance_folder(tmp_path):
    settings = Settings.from_environment({}, tmp_path)
    assert settings == Settings(tmp_path / "instance")
    assert settings.resolved_database_url() == f"sqlite:///{tmp_path}/instance/trainer.db"


def test_the_environment_is_read(tmp_path):
    environment = {"DATABASE_URL": "postgresql://host/name", "SECRET_KEY": "given"}
    settings = Settings.from_environment(environment | {"TRAINER_INSTANCE": str(tmp_path / "elsewhere")}, tmp_path)
    assert settings.instance == tmp_path / "elsewhere"
    assert settings.resolved_database_url() == "postgresql://host/name"
    assert settings.resolved_secret_key() == "given"
    assert not (tmp_path / "elsewhere").exists()


def test_what_a_server_needs_is_read(tmp_path):
    environment = {"REDIS_URL": "redis://host", "TRUSTED_PROXIES": "2", "REQUEST_LOG": "1"}
    settings = Settings.from_environment(environment, tmp_path)
    assert (settings.redis_url, settings.trusted_proxies, settings.is_request_logged) == ("redis://host", 2, True)
    empty = Settings.from_environment(dict.fromkeys(environment, ""), tmp_path)
    assert (empty.redis_url, empty.trusted_proxies, empty.is_request_logged) == ("", 0, False)


@pytest.mark.parametrize(("name", "value"), [
    ("TRUSTED_PROXIES", "yes"), ("TRUSTED_PROXIES", "-1"), ("TRUSTED_PROXIES", "11"), ("TRUSTED_PROXIES", "1.5"),
    ("TRUSTED_PROXIES", "\N{SUPERSCRIPT TWO}"), ("REQUEST_LOG", "2"), ("REQUEST_LOG", "true"),
])
def test_a_setting_that_makes_no_sense_is_told(tmp_path, name, value):
    with pytest.raises(ValueError, match=f"{name} must be a whole number from 0 to"):
        Settings.from_environment({name: value}, tmp_path)


def test_the_short_name_of_postgresql_is_understood(tmp_path):
    settings = Settings(tmp_path, "postgres://me:pw@host/postgres://x")
    assert settings.resolved_database_url() == "postgresql://me:pw@host/postgres://x"


@pytest.mark.parametrize("value", ["", "relative/folder"])
def test_the_instance_folder_is_absolute(tmp_path, value):
    assert Settings.from_environment({"TRAINER_INSTANCE": value}, tmp_path).instance.is_absolute()


def test_settings_do_not_change(tmp_path):
    with pytest.raises(FrozenInstanceError):
        Settings(tmp_path).secret_key = "other"


def test_the_application_uses_them(tmp_path):
    app = create_app({"SETTINGS": Settings(tmp_path / "new", secret_key="given")})
    assert app.config["SECRET_KEY"] == "given"
    assert app.config["SQLALCHEMY_DATABASE_URI"] == f"sqlite:///{tmp_path}/new/trainer.db"
    assert app.instance_path == str(tmp_path / "new")
    assert app.config["SESSION_COOKIE_HTTPONLY"]
    assert app.config["SESSION_COOKIE_SAMESITE"] == "Lax"
    assert not app.debug


def test_overrides_win(tmp_path):
    app = create_app({"SETTINGS": Settings(tmp_path), "SECRET_KEY": "mine", "MAX_CONTENT_LENGTH": 5})
    assert (app.config["SECRET_KEY"], app.config["MAX_CONTENT_LENGTH"]) == ("mine", 5)


def test_the_secret_key_is_made_once_and_for_the_owners_eyes_only(tmp_path):
    first = Settings(tmp_path / "new").resolved_secret_key()
    assert len(first) == 64
    assert Settings(tmp_path / "new").resolved_secret_key() == first
    assert Settings(tmp_path / "other").resolved_secret_key() != first
    path = tmp_path / "new" / "secret_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["secret_key"]


def test_a_key_that_is_there_is_used(tmp_path):
    (tmp_path / "secret_key").write_text("kept\n")
    assert Settings(tmp_path).resolved_secret_key() == "kept"


def test_threads_that_start_at_once_share_one_key(tmp_path):
    barrier = Barrier(8)

    def start(folder):
        barrier.wait(timeout=30)
        return Settings(folder).resolved_secret_key()

    with ThreadPoolExecutor(8) as pool:
        for number in range(20):
            folder = tmp_path / str(number)
            assert len(set(pool.map(start, [folder] * 8))) == 1
            assert [each.name for each in folder.iterdir()] == ["secret_key"]


def test_processes_that_start_at_once_share_one_key(tmp_path):
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from trainer.config import Settings\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(Settings(Path(sys.argv[1])).resolved_secret_key())\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "new")], cwd=ROOT, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(4)]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 4
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    keys = {process.communicate(timeout=60)[0] for process in processes}
    assert keys == {(tmp_path / "new" / "secret_key").read_text() + "\n"}
    assert [each.name for each in (tmp_path / "new").iterdir()] == ["secret_key"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        Settings(tmp_path / "file" / "instance").resolved_secret_key()


def test_the_command_line_reads_the_environment(tmp_path):
    environment = os.environ | {"TRAINER_INSTANCE": str(tmp_path), "SECRET_KEY": "given"}
    upgrade = [sys.executable, "-m", "flask", "db", "upgrade"]
    for _ in range(2):
        ended = subprocess.run(upgrade, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "trainer.db").stat().st_size > 0
    assert not (tmp_path / "secret_key").exists()
