import errno
import functools
import hashlib
import io
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from trainer.engine.presets import RULE_SETS
from trainer.engine.rules import Rules
from trainer.engine.strategy import derive
from trainer.service import strategies
from trainer.service.strategies import SolverBusyError, StrategyCache

ROOT = Path(__file__).resolve().parents[2]
# Small games, quick to solve.
SMALL = Rules(decks=1, max_split_hands=1)
OTHERS = tuple(Rules(decks=1, max_split_hands=1, blackjack_pays=pays) for pays in ("6:5", "7:5", "1:1", "2:1"))
PATIENCE_SECONDS = 60

worked_out = functools.cache(derive)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "instance" / "strategies"


@pytest.fixture
def solved(monkeypatch):
    """What naturals pay in the rule sets that the cache had to solve, in order; each is really solved but once."""
    log = []

    def counting(rules, _):
        log.append(rules.blackjack_pays)
        return worked_out(rules)

    monkeypatch.setattr(strategies, "derive", counting)
    return log


@pytest.fixture
def must_not_solve(monkeypatch):
    def fail(*_):
        raise AssertionError("solved what was on disk")

    return lambda: monkeypatch.setattr(strategies, "derive", fail)


def files(folder):
    return sorted(folder.iterdir())


def only_file(folder):
    (path,) = files(folder)
    return path


def signed(payload):
    """A file's content as the cache writes it."""
    return hashlib.sha256(payload).digest() + payload


def payload_of(arrays, **options):
    payload = io.BytesIO()
    np.savez(payload, **options, **arrays)
    return payload.getvalue()


def saved_arrays(path):
    with np.load(io.BytesIO(path.read_bytes()[32:]), allow_pickle=False) as saved:
        return dict(saved)


def assert_same(one, other):
    assert one.rules == other.rules
    for name, array in one.to_arrays().items():
        np.testing.assert_array_equal(array, other.to_arrays()[name])


def test_a_rule_set_is_solved_once(folder, solved):
    cache = StrategyCache(folder)
    first = cache.get(SMALL)
    assert cache.get(SMALL) is first
    assert solved == ["3:2"]


def test_rule_sets_with_one_strategy_are_solved_once(folder, solved):
    cache = StrategyCache(folder)
    for shuffle, insurance in (("hand", "none"), ("20", "half"), ("10-15", "up-to-half")):
        strategy = cache.get(Rules.from_mapping({"shuffle": shuffle, "insurance": insurance}, base=SMALL))
        assert (strategy.rules.shuffle, strategy.rules.insurance) == ("hand", "none")
        assert strategy.rules.strategy_hash == SMALL.strategy_hash
    assert solved == ["3:2"]


def test_another_instance_loads_from_disk(folder, must_not_solve):
    first = StrategyCache(folder).get(SMALL)
    must_not_solve()
    assert_same(StrategyCache(folder).get(SMALL), first)


def test_another_process_loads_from_disk(folder):
    StrategyCache(folder).get(SMALL)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from trainer.engine.rules import Rules\n"
        "from trainer.service import strategies\n"
        "strategies.derive = None\n"
        "print(strategies.StrategyCache(Path(sys.argv[1])).get(Rules(decks=1, max_split_hands=1)).exact.edge)\n"
    )
    run = subprocess.run([sys.executable, "-c", script, str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert run.stderr == ""
    assert float(run.stdout) == StrategyCache(folder).get(SMALL).exact.edge


def test_a_file_is_named_by_strategy_and_version_and_no_temporary_one_stays(folder, solved):
    StrategyCache(folder).get(SMALL)
    assert len(solved) == 1
    assert only_file(folder).name == f"{SMALL.strategy_hash}-{strategies.ENGINE_VERSION}.npz"


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda content: content[:31],
        lambda content: content[:32],
        lambda content: content[:1_000],
        lambda content: content[:-1],
        lambda content: content + b"\x00",
        lambda content: bytes([content[0] ^ 1]) + content[1:],
        lambda content: content[:40] + bytes([content[40] ^ 0x80]) + content[41:],
        lambda content: content[: len(content) // 2] + b"\xff\x00\xff" + content[len(content) // 2 + 3 :],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: content[32:],
        lambda _: b"not a saved strategy at all" * 100,
    ],
    ids=["empty", "part of the digest", "digest only", "truncated", "a byte short", "a byte long", "digest flipped",
         "start flipped", "middle overwritten", "end flipped", "no digest", "text"],
)
def test_a_broken_file_is_ignored_and_replaced(folder, solved, must_not_solve, damage):
    first = StrategyCache(folder).get(SMALL)
    path = only_file(folder)
    path.write_bytes(damage(path.read_bytes()))
    assert_same(StrategyCache(folder).get(SMALL), first)
    assert solved == ["3:2", "3:2"]
    must_not_solve()
    assert_same(StrategyCache(folder).get(SMALL), first)


def npy(array):
    payload = io.BytesIO()
    np.save(payload, array)
    return payload.getvalue()


@pytest.mark.parametrize(
    "make",
    [
        lambda _: b"",
        lambda _: b"junk",
        lambda arrays: npy(arrays["stand"]),
        lambda _: payload_of({}),
        lambda arrays: payload_of({name: array for name, array in arrays.items() if name != "rules"}),
        lambda arrays: payload_of({name: array for name, array in arrays.items() if name != "stand"}),
        lambda arrays: payload_of(arrays | {"stand": arrays["stand"][:-1]}),
        lambda arrays: payload_of(arrays | {"chart_hard": np.full((17, 10), "X")}),
        lambda arrays: payload_of(arrays | {"exact": arrays["exact"][:-1]}),
        lambda arrays: payload_of(arrays | {"exact": arrays["exact"][0]}),
        lambda arrays: payload_of(arrays | {"rules": np.array(Rules().to_json())}),
        lambda arrays: payload_of(arrays)[:-50],
    ],
    ids=["nothing", "junk", "one array", "no arrays", "no rules", "no stand", "short stand", "unknown code",
         "short value", "scalar value", "other rules", "broken archive"],
)
def test_a_whole_file_with_foreign_content_is_ignored_and_replaced(folder, solved, make):
    first = StrategyCache(folder).get(SMALL)
    path = only_file(folder)
    path.write_bytes(signed(make(saved_arrays(path))))
    assert_same(StrategyCache(folder).get(SMALL), first)
    assert solved == ["3:2", "3:2"]
    assert saved_arrays(path)["rules"] == first.rules.to_json()


def test_a_file_of_other_rules_is_ignored_and_replaced(folder, solved):
    cache = StrategyCache(folder)
    mine, other = cache.get(SMALL), cache.get(OTHERS[0])
    my_path, other_path = (folder / f"{rules.strategy_hash}-{strategies.ENGINE_VERSION}.npz"
                           for rules in (SMALL, OTHERS[0]))
    my_path.write_bytes(other_path.read_bytes())
    assert_same(StrategyCache(folder).get(SMALL), mine)
    assert_same(StrategyCache(folder).get(OTHERS[0]), other)
    assert solved == ["3:2", "6:5", "3:2"]


def test_a_file_of_another_engine_version_is_ignored(folder, solved, monkeypatch):
    StrategyCache(folder).get(SMALL)
    monkeypatch.setattr(strategies, "ENGINE_VERSION", strategies.ENGINE_VERSION + 1)
    StrategyCache(folder).get(SMALL)
    assert solved == ["3:2", "3:2"]
    assert len(files(folder)) == 2


class Trap:
    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


@pytest.mark.parametrize("name", ["stand", "rules", "chart_hard", "extra"])
def test_nothing_pickled_is_loaded(folder, solved, tmp_path, name):
    StrategyCache(folder).get(SMALL)
    path, sprung = only_file(folder), tmp_path / "sprung"
    trap = np.array([Trap(sprung)], dtype=object)
    content = payload_of(saved_arrays(path) | {name: trap}, allow_pickle=True)
    path.write_bytes(signed(content))
    StrategyCache(folder).get(SMALL)
    assert not sprung.exists()
    assert solved == ["3:2", "3:2"]
    with np.load(io.BytesIO(content), allow_pickle=True) as saved:
        saved[name]
    assert sprung.exists()  # the trap was a real one


def test_a_bare_pickle_is_not_loaded(folder, solved, tmp_path):
    StrategyCache(folder).get(SMALL)
    only_file(folder).write_bytes(signed(pickle.dumps(Trap(tmp_path / "sprung"))))
    StrategyCache(folder).get(SMALL)
    assert not (tmp_path / "sprung").exists()
    assert solved == ["3:2", "3:2"]


def test_the_longest_unused_leaves_memory_first(folder, solved):
    cache = StrategyCache(folder, in_memory=2)
    first, second = cache.get(SMALL), cache.get(OTHERS[0])
    assert cache.get(SMALL) is first
    third = cache.get(OTHERS[1])
    assert cache.get(SMALL) is first
    assert cache.get(OTHERS[1]) is third
    again = cache.get(OTHERS[0])
    assert again is not second
    assert_same(again, second)
    assert solved == ["3:2", "6:5", "7:5"]


def test_the_longest_unused_leaves_the_disk_first(folder):
    StrategyCache(folder).get(SMALL)
    size = only_file(folder).stat().st_size
    cache = StrategyCache(folder, on_disk_bytes=int(2.5 * size))
    cache.get(OTHERS[0])
    for age, path in enumerate(sorted(files(folder), key=lambda path: path.name.startswith(SMALL.strategy_hash))):
        os.utime(path, (1_000 + age, 1_000 + age))  # the first is now the longer unused
    StrategyCache(folder).get(OTHERS[0])  # but is used again
    cache.get(OTHERS[1])
    assert {path.name[:16] for path in files(folder)} == {rules.strategy_hash for rules in OTHERS[:2]}
    assert sum(path.stat().st_size for path in files(folder)) <= 2.5 * size


def test_left_over_temporary_files_count_and_go(folder):
    folder.mkdir(parents=True)
    (folder / "left-over.tmp").write_bytes(b"\x00" * 4 * 2**20)
    os.utime(folder / "left-over.tmp", (1_000, 1_000))
    StrategyCache(folder, on_disk_bytes=4 * 2**20).get(SMALL)
    assert only_file(folder).suffix == ".npz"


def test_other_files_in_the_folder_are_left_alone(folder):
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    os.utime(folder / "notes.txt", (1_000, 1_000))
    StrategyCache(folder, on_disk_bytes=1).get(SMALL)
    assert [path.name for path in files(folder)] == ["notes.txt"]


def test_a_folder_that_cannot_be_written_still_answers(tmp_path, solved):
    (tmp_path / "file").write_text("in the way")
    cache = StrategyCache(tmp_path / "file" / "strategies")
    first = cache.get(SMALL)
    assert cache.get(SMALL) is first
    assert solved == ["3:2"]
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_folder_in_place_of_the_file_still_answers(folder, solved):
    (folder / f"{SMALL.strategy_hash}-{strategies.ENGINE_VERSION}.npz").mkdir(parents=True)
    StrategyCache(folder).get(SMALL)
    assert solved == ["3:2"]
    assert len(files(folder)) == 1


class FullDisk(io.BytesIO):
    def write(self, _):
        raise OSError(errno.ENOSPC, "No space left on device")


def refuse(*_):
    raise OSError(errno.EACCES, "Permission denied")


@pytest.mark.parametrize(
    ("step", "fail"),
    [("fdopen", lambda handle, _: os.close(handle) or FullDisk()), ("replace", refuse)],
    ids=["no space", "no permission"],
)
def test_a_failed_write_costs_no_answer_and_leaves_no_file(folder, monkeypatch, step, fail):
    monkeypatch.setattr(strategies.os, step, fail)
    assert StrategyCache(folder).get(SMALL).rules.strategy_hash == SMALL.strategy_hash
    assert files(folder) == []


def test_a_solve_that_fails_can_be_tried_again(folder, monkeypatch):
    cache = StrategyCache(folder, wait_seconds=0)

    def fail(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(strategies, "derive", fail)
        with pytest.raises(MemoryError):
            cache.get(SMALL)
    assert cache.get(SMALL).rules.strategy_hash == SMALL.strategy_hash


def test_eight_threads_at_once_solve_once(folder, monkeypatch):
    start, second_solve, log = threading.Barrier(8), threading.Event(), []

    def watched(rules, odds=None):
        log.append(rules)
        if len(log) > 1:
            second_solve.set()
        second_solve.wait(timeout=0.1)  # room for a second one, if nothing keeps it out
        return derive(rules, odds)

    monkeypatch.setattr(strategies, "derive", watched)
    cache = StrategyCache(folder, wait_seconds=PATIENCE_SECONDS)

    def ask(_):
        start.wait(PATIENCE_SECONDS)
        return cache.get(SMALL)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))
    assert len(log) == 1
    assert all(answer is answers[0] for answer in answers)


def test_who_waits_too_long_for_another_solve_is_told_when_to_ask_again(folder, monkeypatch):
    solving, release = threading.Event(), threading.Event()
    cache = StrategyCache(folder, wait_seconds=0.01)
    known = cache.get(OTHERS[0])

    def slow(rules, odds=None):
        solving.set()
        assert release.wait(PATIENCE_SECONDS)
        return derive(rules, odds)

    monkeypatch.setattr(strategies, "derive", slow)
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(cache.get, SMALL)
        try:
            assert solving.wait(PATIENCE_SECONDS)
            with pytest.raises(SolverBusyError) as error:
                cache.get(OTHERS[1])
            with pytest.raises(SolverBusyError):
                cache.get(SMALL)
            assert cache.get(OTHERS[0]) is known  # what is in memory waits for no one
        finally:
            release.set()
        assert busy.result().rules.strategy_hash == SMALL.strategy_hash
    assert error.value.retry_after_seconds > 0
    assert cache.get(OTHERS[1]).rules.strategy_hash == OTHERS[1].strategy_hash


def test_odds_kept_between_solves_change_no_number(folder):
    cache = StrategyCache(folder)
    for rules in (SMALL, Rules(decks=1, dealer_hits_soft_17=True), OTHERS[0], RULE_SETS["squarescores"]):
        strategy = cache.get(rules)
        assert_same(strategy, derive(strategy.rules))
