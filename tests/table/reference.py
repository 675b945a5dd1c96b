"""What a finished round must have paid, worked out anew from its cards and from nothing else of the table's code."""

from fractions import Fraction


def points(cards):
    ranks = [min("A23456789TJQK".index(card.face) + 1, 10) for card in cards]
    total = sum(ranks)
    return total + 10 if 1 in ranks and total + 10 <= 21 else total


def is_natural(cards):
    return len(cards) == 2 and points(cards) == 21


def box_net(round_, box):
    """What the hands and the insurance of a box must have won together, in tenths."""
    rules, dealer, hands = round_.terms.rules, round_.dealer, box.hands
    if not hands:  # it sat out, or its bet was given up before the deal
        return Fraction(-box.bet)
    net = Fraction(0)
    if box.insurance:
        net += 2 * box.insurance if is_natural(dealer) and hands[0].ending != "forfeited" else -box.insurance
    if any(hand.ending == "forfeited" for hand in hands):
        return net + _forfeited(round_, box)
    return net + _hands_net(rules, box, hands, dealer)


def _forfeited(round_, box):
    """Whatever of it was settled before stands; the rest is lost."""
    number = round_.boxes.index(box)
    lines = [line for line in round_.lines if line.box == number and line.hand is not None]
    assert all(line.net == -line.stake for line in lines if line.reason == "forfeit")
    return sum(line.net for line in lines)


def _hands_net(rules, box, hands, dealer):
    bet = box.bet
    if box.has_even_money:
        return bet
    if len(hands) == 1 and is_natural(hands[0].cards):
        return 0 if is_natural(dealer) else bet * Fraction(*map(int, rules.blackjack_pays.split(":")))
    if hands[0].ending == "surrendered":
        return Fraction(-bet, 2)
    stakes = [bet * (2 if hand.is_doubled else 1) for hand in hands]
    if is_natural(dealer):
        return -sum(stakes) if rules.hole_card == "enhc" else -bet
    net = 0
    for hand, stake in zip(hands, stakes, strict=True):
        total, against = points(hand.cards), points(dealer)
        if total > 21 or (against <= 21 and total < against):
            net -= stake
        elif against > 21 or total > against:
            net += stake
    return net
