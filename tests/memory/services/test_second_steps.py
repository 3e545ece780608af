"""Second steps: sealed where they are stored, and dropped when nobody can pass them any more."""

from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core.management import call_command

from dashboard.supervision.preparation import migrate, require_surroundings
from memory.services.second_steps import seal_second_steps
from tests.access.world import signed_in
from tests.second_steps import unsealed, with_app

NAMES = {"totp": "secret", "recovery_codes": "seed"}


def stored(user):
    rows = Authenticator.objects.filter(user=user)
    return {row.type: row.data[NAMES[row.type]] for row in rows}


def test_nothing_that_opens_an_account_lies_readable_in_the_database(alice):
    secret = with_app(alice)

    assert {each.startswith("sealed:") for each in stored(alice).values()} == {True}
    assert secret not in str(stored(alice))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("start", [migrate, require_surroundings, seal_second_steps])
def test_secrets_of_earlier_versions_are_sealed_at_the_next_start(alice, settings, start):
    settings.LONGHAND_HAS_LASTING_KEY = True
    secret = with_app(alice)
    before = unsealed(alice)

    start()

    assert secret == before["totp"]
    assert secret not in str(stored(alice))
    assert unsealed(alice) == before


def test_secrets_are_not_sealed_with_a_key_that_does_not_last(alice, settings):
    settings.LONGHAND_HAS_LASTING_KEY = False
    with_app(alice)
    unsealed(alice)

    assert seal_second_steps() == {"sealed": 0, "unreadable": 0}
    assert not any(each.startswith("sealed:") for each in stored(alice).values())


def test_seals_of_an_earlier_key_are_renewed_and_then_do_without_it(alice, settings):
    settings.LONGHAND_HAS_LASTING_KEY = True
    with_app(alice)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new one", [settings.SECRET_KEY]

    assert seal_second_steps() == {"sealed": 2, "unreadable": 0}
    settings.SECRET_KEY_FALLBACKS = []
    assert seal_second_steps() == {"sealed": 0, "unreadable": 0}


def test_seals_of_an_unknown_key_stay_as_they_are_and_are_counted(alice, settings):
    settings.LONGHAND_HAS_LASTING_KEY = True
    with_app(alice)
    before = stored(alice)
    settings.SECRET_KEY = "the new one"

    assert seal_second_steps() == {"sealed": 0, "unreadable": 2}
    assert stored(alice) == before


def test_second_step_is_dropped_by_a_command_that_ends_the_sessions(alice, bob, settings):
    with_app(alice)
    with_app(bob)
    settings.SECRET_KEY = "the new one"  # it needs to read nothing
    signed_in(alice)
    out = StringIO()

    call_command("reset_second_step", "ALICE@example.org", stdout=out)

    assert out.getvalue() == "alice@example.org had 2; all are dropped, and the sessions ended.\n"
    assert set(Authenticator.objects.values_list("user", flat=True)) == {bob.pk}
    assert Session.objects.count() == 0
