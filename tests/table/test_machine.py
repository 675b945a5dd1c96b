"""Random tables, random players, random nonsense: what holds for every round, whatever is done to it."""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, replace
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.strategies import examples, rules
from tests.table.reference import box_net
from tests.table.scripted import bank_result, on_layout, round_from_json, round_to_json
from trainer.engine.actions import Action
from trainer.engine.errors import EngineError
from trainer.table.event import Event, EventKind, Told
from trainer.table.log import HandLog
from trainer.table.moves import answers, insurance_range, possible_answers
from trainer.table.round import Phase, Player, open_round
from trainer.table.shoe import Shoe, fresh_shoe, full_deck, most_boxes, next_shoe
from trainer.table.step import step, time_up
from trainer.table.terms import Clock, Terms
from trainer.table.view import seen_cards, view_of

# Far more than any round takes: five boxes of at most four hands.
MOST_EVENTS = 400
BOLD = {"bet", "split", "double", "hit", "insure", "even money"}
CARD_TOLD = {Told.CARD, Told.UPCARD, Told.HIT, Told.DOUBLED, Told.DEALER_TURNS, Told.DEALER_DRAWS, Told.CARDS_TURNED}


class Table(RuleBasedStateMachine):
    @initialize(
        rules=rules(), seed=st.integers(0, 2**32), stacks=st.lists(st.integers(0, 300), min_size=1, max_size=3),
        boxes=st.integers(1, 5), habits=st.tuples(st.booleans(), st.booleans()),
        clock=st.none() | st.builds(Clock, *[st.integers(1, 20)] * 3), is_used=st.booleans(),
    )
    def sit_down(self, rules, seed, stacks, boxes, habits, clock, is_used):
        self.random = Random(seed)
        self.terms = Terms(rules, 10, 100, 10, *habits, clock)
        self.players = [Player(f"player {number}", 10 * stack) for number, stack in enumerate(stacks)]
        self.boxes = min(boxes, most_boxes(rules))
        self.now = 0
        self.shoe = self.telling(fresh_shoe(rules, self.random))
        if is_used:  # so few cards are left that the round may go on with those of earlier rounds
            self.shoe = replace(self.shoe, rest=self.random.randint(4, 40))
        self.open()

    def telling(self, shoe):
        """The same cards with a few ranks first, so that pairs, aces up and naturals are common."""
        rank = self.random.randint(1, 10)
        first = self.random.choice([{rank}, {1, 10}, {1, rank}, {10, rank}, set()])
        return replace(shoe, cards=tuple(sorted(shoe.cards, key=lambda card: card.rank not in first)))

    def open(self):
        owners = [self.random.randrange(len(self.players)) for _ in range(self.boxes)]
        self.round = open_round(self.terms, self.players, owners, self.shoe, now=self.now)
        self.log = HandLog(self.round)
        self.happenings = ()
        self.chips = sum(player.stack for player in self.round.players)
        self.check()

    def apply(self, event):
        before = round_to_json(self.round)
        try:
            taken = step(self.round, event)
        finally:
            assert round_to_json(self.round) == before
        self.round, self.happenings = taken.round, self.happenings + taken.happenings
        self.log = self.log.add(event)
        assert self.round.step == len(self.log.events) <= MOST_EVENTS
        self.check()

    def legal_event(self, box, word, amount):
        if word in set(Action):
            return Event(EventKind.MOVE, self.round.step, box, action=Action(word), at=self.now)
        return Event(EventKind(word), self.round.step, box, amount, at=self.now)

    @rule(count=st.integers(1, 12))
    def answer(self, count):
        """Whoever is awaited answers with something that is open."""
        for _ in range(count):
            if not self.round.is_over:
                self.apply(time_up(self.round, self.now) or self.any_answer())

    def any_answer(self):
        box = self.random.choice(self.round.awaited)
        words = answers(self.round, box)
        if self.random.random() < 0.03:
            return self.legal_event(box, "forfeit", 0)
        bold = [word for word in words if word in BOLD][-2:]
        word = self.random.choice(bold if bold and self.random.random() < 0.7 else words)
        least, most = 10, 100
        if word == "insure":
            least, most = insurance_range(self.terms.rules, self.round.boxes[box].bet)
        amount = self.random.randint(least, max(least, min(most, self.round.player_of(box).stack)))
        return self.legal_event(box, word, {"bet": amount // 10 * 10, "insure": amount}.get(word, 0))

    @rule(
        kind=st.sampled_from(EventKind), behind=st.integers(-1, 3), box=st.integers(-1, 5),
        amount=st.integers(-10, 120) | st.just(10**9), action=st.none() | st.sampled_from(Action),
    )
    def anything(self, kind, behind, box, amount, action):
        """Any event at all: refused without a trace, or as good as a legal one."""
        event = Event(kind, self.round.step - behind, box, amount, action, self.now)
        with suppress(EngineError):
            self.apply(event)

    @rule(seconds=st.integers(0, 30))
    def wait(self, seconds):
        self.now += 1000 * seconds
        event = time_up(self.round, self.now)
        if event is not None:
            stacks = [player.stack for player in self.round.players]
            self.apply(event)
            assert all(now >= before for now, before in zip(
                [player.stack for player in self.round.players], stacks, strict=True)), "the clock spent chips"

    @rule(rounds=st.integers(1, 4), is_passive=st.booleans())
    def play_rounds(self, rounds, is_passive):
        """Every round ends, whether all decline and stand or not."""
        self.finish(is_passive)
        self.next_round()
        for _ in range(rounds):
            self.finish(is_passive=False)
            self.next_round()

    def next_round(self):
        self.shoe, is_fresh = next_shoe(self.terms.rules, self.random, self.round.shoe, self.round.dealt)
        self.shoe = self.telling(self.shoe) if is_fresh else self.shoe
        self.players = list(self.round.players)
        self.open()

    def finish(self, is_passive):
        while not self.round.is_over:
            event = time_up(self.round, self.now) or (self.passive_answer() if is_passive else self.any_answer())
            self.apply(event)

    def passive_answer(self):
        box = self.round.awaited[0]
        words = answers(self.round, box)
        return self.legal_event(box, next(word for word in ("sit out", "decline", "stand") if word in words), 0)

    def check(self):
        """Everything that holds of a round at every step."""
        self.chips_are_conserved()
        self.no_card_is_dealt_twice()
        self.somebody_is_awaited_until_it_is_over()
        self.what_is_asked_can_be_asked_by_the_cards_alone()
        self.nothing_hidden_is_in_any_view()
        self.what_was_told_is_what_lies_face_up()
        self.it_is_written_and_read_back()
        if self.round.is_over:
            self.the_log_replays_to_the_same_round()

    def settled_right(self):
        for number, box in enumerate(self.round.boxes):
            assert sum(line.net for line in self.round.lines if line.box == number) == box_net(self.round, box)
            assert sum(line.stake for line in self.round.lines if line.box == number) == box.staked

    def chips_are_conserved(self):
        stacks = [player.stack for player in self.round.players]
        assert min(stacks) >= 0
        assert sum(stacks) + on_layout(self.round) + bank_result(self.round) == self.chips
        assert all(type(stack) is int for stack in stacks)
        if self.round.is_over:
            assert on_layout(self.round) == 0
            self.settled_right()

    def no_card_is_dealt_twice(self):
        round_ = self.round
        out = [*round_.dealer, *(card for box in round_.boxes for hand in box.hands for card in hand.cards)]
        assert Counter(out) == Counter(round_.shoe.cards[: round_.dealt])
        assert round_.dealt < len(round_.shoe.cards)
        assert Counter(round_.shoe.cards) == Counter(full_deck(self.terms.rules.decks))

    def somebody_is_awaited_until_it_is_over(self):
        assert bool(self.round.awaited) != self.round.is_over
        assert all(answers(self.round, box) for box in self.round.awaited)
        assert (self.round.deadline is not None) == (self.terms.clock is not None and not self.round.is_over)

    def what_is_asked_can_be_asked_by_the_cards_alone(self):
        if self.round.phase in (Phase.EARLY_SURRENDER, Phase.PLAYING):
            for box in self.round.awaited:
                possible = possible_answers(self.terms.rules, self.round.asked_hand(box).cards, self.round.upcard)
                assert answers(self.round, box) in possible

    def nothing_hidden_is_in_any_view(self):
        """No view would be another if every hidden card were another."""
        other = with_hidden_cards_replaced(self.round)
        for viewer in (None, *(player.name for player in self.round.players)):
            shown = json.dumps(asdict(view_of(self.round, viewer)))
            assert shown == json.dumps(asdict(view_of(other, viewer)))
        if not self.round.is_over and len(self.round.dealer) == 2 and self.terms.rules.is_peek:
            assert view_of(self.round, None).dealer.cards[1] is None

    def what_was_told_is_what_lies_face_up(self):
        told = Counter(each.card for each in self.happenings if each.told in CARD_TOLD and each.card)
        seen = Counter(seen_cards(self.round)) - Counter(self.round.shoe.seen_before(self.round.dealt))
        assert told == seen
        assert not any(each.card for each in self.happenings if each.told not in CARD_TOLD)

    def it_is_written_and_read_back(self):
        assert round_from_json(round_to_json(self.round)) == self.round
        assert HandLog.from_json(self.log.to_json()) == self.log

    def the_log_replays_to_the_same_round(self):
        replayed = self.log.replay()
        assert replayed.round == self.round
        assert replayed.happenings == self.happenings

    def teardown(self):
        if hasattr(self, "round"):
            self.finish(is_passive=True)


def with_hidden_cards_replaced(round_):
    """The same round for everyone who sees only what lies face up."""
    cards = round_.shoe.cards
    shoe = Shoe(tuple(reversed(cards)), round_.shoe.rest, round_.shoe.cut)
    dealer = round_.dealer
    if len(dealer) == 2 and not round_.is_hole_up:
        dealer = (dealer[0], another(dealer[1]))
    boxes = tuple(
        replace(box, hands=tuple(
            replace(hand, cards=(*hand.cards[:-1], another(hand.cards[-1]))) if hand.is_face_down else hand
            for hand in box.hands))
        for box in round_.boxes)
    return replace(round_, shoe=shoe, dealer=dealer, boxes=boxes)


def another(card):
    deck = full_deck(1)
    return deck[(deck.index(card) + 5) % len(deck)]


Table.TestCase.settings = settings(examples(150), stateful_step_count=10)
TestTable = Table.TestCase
