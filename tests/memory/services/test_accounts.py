"""Accounts, one-time links, tokens, and the commands that make them."""

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.domain.errors import InvalidInput
from memory.models import Agent, ApiToken, Principal, Scope, SignInLink, User
from memory.services.accounts import (
    consume_sign_in_link,
    create_account,
    create_token,
    ensure_first_account,
    make_sign_in_link,
    note_token_use,
    revoke_token,
    set_profile,
)
from tests.cases.handed import at_once


def secret_of(link):
    return link.rstrip("/").rsplit("/", 1)[1]


def test_account_has_its_own_scope_and_no_password(db):
    user = create_account("  Ana@Example.org ")

    assert user.email == "ana@example.org"
    assert not user.has_usable_password()
    assert Scope.objects.filter(user=user).count() == 1


def test_address_that_only_looks_alike_is_another_account(db):
    ana, other = create_account("sana@example.org"), create_account("\u017fana@example.org")

    assert User.objects.get_by_natural_key("SANA@example.org") == ana
    assert User.objects.get_by_natural_key(other.email) == other


LONG = f"a@{'.'.join(['b' * 60] * 5)}.example.org"


@pytest.mark.parametrize("email", ["", "ana", "ana@", "@example.org", "a b@example.org", LONG])
def test_address_that_is_none_is_refused(db, email):
    with pytest.raises(InvalidInput, match="no e-mail address"):
        create_account(email)


def test_address_that_is_taken_is_refused_in_any_case(alice):
    with pytest.raises(InvalidInput, match="has an account already"):
        create_account("ALICE@example.org")


def test_link_signs_in_once(alice):
    secret = secret_of(make_sign_in_link(alice))

    assert consume_sign_in_link(secret) == alice
    assert consume_sign_in_link(secret) is None


def test_link_is_stored_as_a_hash_only(alice):
    secret = secret_of(make_sign_in_link(alice))

    assert secret.encode() not in bytes(SignInLink.objects.get().digest)
    assert len(SignInLink.objects.get().digest) == 32


@pytest.mark.parametrize(("minutes", "opens"), [(29, True), (31, False)])
def test_link_opens_for_thirty_minutes(alice, minutes, opens):
    secret = secret_of(make_sign_in_link(alice))

    with time_machine.travel(timezone.now() + timedelta(minutes=minutes), tick=False):
        assert (consume_sign_in_link(secret) is not None) is opens


def test_link_of_a_deactivated_user_opens_nothing(alice):
    secret = secret_of(make_sign_in_link(alice))
    User.objects.filter(pk=alice.pk).update(is_active=False)

    assert consume_sign_in_link(secret) is None


def test_unknown_secret_opens_nothing(db):
    assert consume_sign_in_link("nothing") is None


@pytest.mark.django_db(transaction=True)
def test_link_that_is_used_twice_at_once_signs_in_once(alice):
    secret = secret_of(make_sign_in_link(alice))

    opened = at_once(4, lambda _: consume_sign_in_link(secret))

    assert [user for user in opened if user] == [alice]


def test_first_account_gets_a_link_at_each_start_until_one_is_used(db, settings):
    first, second = ensure_first_account(), ensure_first_account()

    user = User.objects.get()
    assert (user.email, user.is_staff, user.is_superuser) == ("owner@localhost", True, True)
    assert first != second
    consume_sign_in_link(secret_of(second))
    assert ensure_first_account() is None


def test_first_account_keeps_its_link_when_somebody_else_signs_in(db, alice):
    consume_sign_in_link(secret_of(make_sign_in_link(alice)))

    assert ensure_first_account() is not None


def test_first_account_takes_the_address_that_is_set(db, settings):
    settings.LONGHAND_ADMIN_EMAIL = "Boss@Example.org"

    ensure_first_account()

    assert User.objects.get().email == "boss@example.org"


def test_token_is_returned_once_and_stored_as_a_hash(alice):
    secret = create_token(alice, name="laptop")

    token = ApiToken.objects.get()
    assert secret.startswith(token.start)
    assert len(token.start) < 10
    assert secret not in str(vars(token))
    assert ApiToken.objects.by_secret(secret) == token
    assert ApiToken.objects.by_secret(secret + "x") is None


def test_agent_of_a_token_is_made_once(alice, bob):
    create_token(alice, agent="quill")
    create_token(alice, agent="quill")
    create_token(bob, agent="quill")

    assert Agent.objects.filter(owner=alice).count() == 1
    assert Agent.objects.count() == 2


def test_name_of_an_agent_is_one_line_and_one_agent(alice):
    create_token(alice, agent="quill  the\nscribe")
    create_token(alice, agent=" quill the scribe ")

    assert Agent.objects.get().name == "quill the scribe"


@pytest.mark.parametrize(
    ("names", "field"),
    [
        ({"agent": ""}, "agent"),
        ({"agent": " \n\u200b"}, "agent"),
        ({"agent": "q" * 121}, "agent"),
        ({"name": "n" * 121}, "name"),
        ({"agent": "quill", "name": "n" * 121}, "name"),
    ],
    ids=str,
)
def test_token_with_a_name_that_cannot_be_right_is_refused_and_nothing_is_made(alice, names, field):
    with pytest.raises(InvalidInput) as refusal:
        create_token(alice, **names)

    assert refusal.value.field == field
    assert (ApiToken.objects.count(), Agent.objects.count()) == (0, 0)
    assert Scope.objects.filter(kind="agent").count() == 0


@pytest.mark.parametrize("length", [1, 120])
def test_names_of_any_length_up_to_the_limit_are_kept(alice, length):
    create_token(alice, agent="q" * length, name="n" * length)

    token = ApiToken.objects.get()
    assert (len(token.agent.name), len(token.name)) == (length, length)


def test_token_without_an_agent_can_never_be_granted_global(alice):
    from django.db import IntegrityError, transaction

    create_token(alice)

    with pytest.raises(IntegrityError, match="token_global_only_by_agent"), transaction.atomic():
        ApiToken.objects.update(may_write_global=True)


def test_use_of_a_token_is_noted_once_a_minute(alice, django_assert_num_queries):
    create_token(alice)
    note_token_use(ApiToken.objects.get())
    token = ApiToken.objects.get()

    with django_assert_num_queries(0):
        note_token_use(token)
    with time_machine.travel(timezone.now() + timedelta(minutes=2)), django_assert_num_queries(1):
        note_token_use(token)


def test_token_of_somebody_else_is_not_revoked(alice, bob):
    create_token(alice)
    token = ApiToken.objects.get()

    with pytest.raises(ApiToken.DoesNotExist):
        revoke_token(principal=Principal(bob), token_id=token.pk)

    assert ApiToken.objects.usable().get() == token


def test_moment_of_a_revocation_is_that_of_the_first(alice):
    create_token(alice)
    token = ApiToken.objects.get()
    revoke_token(principal=Principal(alice), token_id=token.pk)
    first = ApiToken.objects.get().revoked_at

    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        revoke_token(principal=Principal(alice), token_id=token.pk)

    assert ApiToken.objects.get().revoked_at == first


@pytest.mark.parametrize(
    ("name", "time_zone", "field"), [("n" * 121, "UTC", "name"), ("Alice", "Nowhere", "time_zone")]
)
def test_profile_that_cannot_be_right_is_refused(alice, name, time_zone, field):
    with pytest.raises(InvalidInput) as refusal:
        set_profile(alice, name=name, time_zone=time_zone)

    alice.refresh_from_db()
    assert refusal.value.field == field
    assert (alice.name, alice.time_zone) == ("", "UTC")


def run(command, *arguments):
    out = StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue().strip()


def test_create_user_prints_a_link_that_signs_in(db, settings):
    link = run("create_user", "ana@example.org")

    assert link.startswith(settings.LONGHAND_URL + "/sign-in/")
    user = consume_sign_in_link(secret_of(link))
    assert (user.email, user.is_staff) == ("ana@example.org", False)


def test_create_user_makes_staff_when_asked(db):
    run("create_user", "ana@example.org", "--staff")

    assert User.objects.get().is_staff


def test_sign_in_link_prints_a_link_for_the_address_in_any_case(alice):
    link = run("sign_in_link", "ALICE@example.org")

    assert consume_sign_in_link(secret_of(link)) == alice


def test_create_token_prints_a_token_of_the_user_and_agent(alice):
    secret = run("create_token", "--user", alice.email, "--agent", "quill", "--name", "ci")

    token = ApiToken.objects.by_secret(secret)
    assert token is not None
    assert (token.user, token.agent.name, token.name) == (alice, "quill", "ci")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sign_in_link", "nobody@example.org"], "create_user nobody@example.org"),
        (["create_token", "--user", "nobody@example.org"], "create_user nobody@example.org"),
        (["create_token", "--user", "alice@example.org", "--agent", ""], "“agent” is blank"),
        (["create_token", "--user", "alice@example.org", "--agent", "q" * 121], "limit is 120"),
        (["create_token", "--user", "alice@example.org", "--name", "n" * 121], "longer than 120"),
        (["create_user", "nobody"], "no e-mail address"),
        (["create_user", "alice@example.org"], "has an account already"),
    ],
)
def test_command_refuses_in_one_line_with_exit_code_2_and_makes_nothing(alice, arguments, says):
    with pytest.raises(CommandError, match=says) as refusal:
        run(*arguments)

    assert refusal.value.returncode == 2
    assert "\n" not in str(refusal.value)
    assert (User.objects.count(), ApiToken.objects.count(), Agent.objects.count()) == (1, 0, 0)


def test_command_for_a_deactivated_user_is_refused(alice):
    User.objects.filter(pk=alice.pk).update(is_active=False)

    with pytest.raises(CommandError):
        run("create_token", "--user", alice.email)
