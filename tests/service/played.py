"""Evenings made up at random: rounds at tables, hands played out and hands of the drill in turn."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

from tests.service.stacked import CHIP, Guest, Stacked
from trainer.drill.plan import Plan
from trainer.engine.rule_key import canonical_key
from trainer.service.drill import DrillService
from trainer.service.playout import PlayOutService, seat_key
from trainer.service.preferences import Preferences, save_preferences
from trainer.service.seat_keeping import Asked
from trainer.service.tables import TableService

EARLY = canonical_key("decks~6.surrender~early.shuffle~hand")
PARTS = canonical_key("decks~6.insurance~up-to-half.shuffle~hand.resplit_aces~yes")
# How one sits at each table, and the cards of its first rounds, where the shoe is a fresh one: pairs to split and split
# again, an ace up, a natural against it, a hand to give up.
TABLES = {
    "openseat": ({}, ("8 6 8 T 3 T 9 5 5", "T A 9 7", "K A A 7", "8 T 8 7 8 8 2 3 9 T T 6")),
    "live-casino": ({"own": 3}, ("T 9 5 A 6 9 9 7",)),
    PARTS: ({"own": 2}, ("T 9 A 6 9 7", "K 9 A A 9 7", "A 9 6 A 9 T A 5 5", "2 3 A 4 5 6")),
    "scribes": ({"residents": 2, "place": 1, "has_clock": False}, ("8 8 8 6 8 8 8 T",)),
    EARLY: ({"own": 2}, ("T 8 T 6 8 9", "T T A 6 5 9", "9 8 T 7 8 T", "5 9 6 6 9 T")),
    "squarescores": ({"own": 2}, ("T 9 6 T 9 5", "A 8 6 A 8 T 3 4 2 9")),
    "classic": ({"own": 2}, ("A 8 6 A 8 9 5 3 2 3",)),
}
PLANS = ("mode=play-it-out", "mode=play-it-out&focus=pair", "mode=play-it-out&focus=insurance",
         f"mode=play-it-out&focus=surrender&rules={EARLY}", f"mode=play-it-out&rows=h20&upcards=A,T&rules={EARLY}",
         "mode=play-it-out&rows=h16&upcards=T&rules=live-casino")
DRILLED = ("mode=mixed", "mode=insurance&rules=live-casino", "mode=focus&rows=h16&upcards=T", "mode=focus&focus=pair")


class Evening:
    """One visitor at every table, in the drill and in hands played out; ``now`` moves on with every answer.

    ``pauses`` in seconds, one of which comes before every hand.
    """

    def __init__(
        self, service: DrillService, visitor: str, now: datetime, seed: int = 1, *,
        pauses: Sequence[int] = (2, 40, 3_000, 100_000), **preferences: object,
    ) -> None:
        self.random, self.now, self._pauses = Random(seed), now, pauses
        self.service, self.visitor, self.preferences = service, visitor, Preferences(**preferences)
        save_preferences(visitor, self.preferences, now)
        # Rounds are the same each time, whatever hands the drill deals between them.
        self.dice, self._at_tables = Stacked(seed), Random(seed)
        self.tables = TableService(service._strategies, self.dice)
        self.playout = PlayOutService(service._strategies, Stacked(seed))
        self.guests, self._turn = {}, 0

    def play(self, turns: int) -> "Evening":
        """So many rounds at a table, each followed by a hand played out and one of the drill."""
        for _ in range(turns):
            # In another order each time.
            kinds = [self.round, self.hand, self.drill]
            self.random.shuffle(kinds)
            for kind in kinds:
                self.now += timedelta(seconds=self.random.choice(self._pauses))
                kind(self._turn)
            self._turn += 1
        return self

    def round(self, turn: int) -> None:
        """A round at the next table; hints, insurance for a part, and answers are as chance has them."""
        key = list(TABLES)[turn % len(TABLES)]
        choice, laid = TABLES[key]
        guest = self.guests.get(key)
        if guest is None:
            guest = self.guests[key] = Guest(self.tables, self.dice, self.visitor, key)
            guest.now = self.now
            guest.sit(**choice)
        guest.now, guest.preferences, random = self.now, self.preferences, self._at_tables
        guest.state = self.tables.set_options(
            self.visitor, key, guest.now, is_hinting=random.random() < 0.1, verdicts="decision")
        least = guest.seat.spec.terms.smallest // CHIP
        is_fresh = guest.seat.spec.terms.rules.cut_range is None or turn < len(TABLES)
        self.dice.lay(laid[turn // len(TABLES)] if is_fresh and turn // len(TABLES) < len(laid) else "")
        guest.bet(*(least * (1 + random.randrange(3)) for _ in range(choice.get("own", 1))))
        self.dice.lay("")
        while guest.seat.table.is_playing:
            guest.wait(random.uniform(1, 70))
            box = guest.state.view.boxes[guest.seat.awaited()[0]]
            word = _choice(box.answers, random)
            is_part = word == "insure" and guest.seat.spec.terms.rules.insurance == "up-to-half"
            guest.say(word, amount=random.randrange(1, box.bet // 2 + 1) if is_part else None)
        self.now = guest.now

    def hand(self, turn: int) -> None:
        """A hand of the next plan, played out."""
        plan = Plan.from_text(PLANS[turn % len(PLANS)])
        found = self.playout.find_hand(self.visitor, plan, self.now)
        state = self.playout.next_hand(self.visitor, plan, found.seat.number if found else 0, self.now)
        while state.seat.table.is_playing:
            self.now += timedelta(seconds=self.random.uniform(1, 70))
            word = _choice(state.view.boxes[0].answers, self.random)
            state = self.playout.answer(self.visitor, seat_key(plan), Asked(state.seat.number, state.view.step), 0,
                                        word, None, self.preferences, self.now)

    def drill(self, turn: int) -> None:
        """One hand of the drill."""
        plan = Plan.from_text(f"{DRILLED[turn % len(DRILLED)]}&seed={self.random.random()}")
        question = self.service.open_hand(self.visitor, plan, 0, self.now)
        self.now += timedelta(seconds=self.random.uniform(1, 70))
        if self.random.random() < 0.1:
            self.service.hint(self.visitor, question.token, self.now)
        word = _choice(question.situation.legal, self.random)
        self.service.answer(self.visitor, question.token, word, self.preferences, self.now)


def _choice(words: Sequence[str], random: Random) -> str:
    """Pairs are mostly split, so that hands after splits are met; else any answer is as likely as another."""
    return "split" if "split" in words and random.random() < 0.7 else random.choice(words)
