"""``flask guests``: looking after guests who stayed away."""

from datetime import timedelta

import click
from flask import current_app
from flask.cli import AppGroup

from trainer.service.own_data import GUEST_MONTHS, prune
from trainer.web import visitor as who

_DAYS_A_MONTH = 365.25 / 12

guests = AppGroup("guests", help="Guests: people without an account.")


@guests.command("prune")
@click.option("--months", type=click.IntRange(1, 120), default=GUEST_MONTHS, show_default=True,
              help="How long a guest must have been away.")
def prune_command(months: int) -> None:
    """Delete guests who stayed away, with their history, and logins that lapsed, imports nobody finished. Run daily."""
    current_app.extensions["importer"].prune(who.now())
    people, logins = prune(who.now(), timedelta(days=months * _DAYS_A_MONTH))
    click.echo(f"Deleted: {people} guests (away for {months} months), {logins} logins (lapsed)")
