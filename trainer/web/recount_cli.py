"""``flask recount``: whether the sums are what the answers say."""

import sys

import click
from flask.cli import with_appcontext

from trainer.service import recount as service

_MOST_SHOWN = 20


@click.command("recount")
@click.option("--user", metavar="NAME", help="Only the account of this name.")
@click.option("--fix", is_flag=True, help="Rewrite what differs.")
@with_appcontext
def recount(user: str | None, fix: bool) -> None:
    """Count tallies, memories and sittings again from the answers; exits with 1 where they differ and stay so."""
    people = differing = 0
    try:
        for report in service.recount(user, fix=fix):
            people += 1
            differing += bool(report.differences)
            _show(report)
    except service.NoSuchUserError:
        raise click.BadParameter(f"there is no account named {user}", param_hint="--user") from None
    done = " and rewritten" if fix and differing else ""
    click.echo(f"Counted again: {people} users, {differing} with differences{done}")
    sys.exit(1 if differing and not fix else 0)


def _show(report: service.Report) -> None:
    for difference in report.differences[:_MOST_SHOWN]:
        click.echo(f"{report.name or f'guest {report.user_id}'}: {difference}")
    left = len(report.differences) - _MOST_SHOWN
    if left > 0:
        click.echo(f"{report.name or f'guest {report.user_id}'}: and {left} more")
