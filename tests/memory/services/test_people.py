"""What staff may do to accounts of others."""

import pytest
from django.core.exceptions import PermissionDenied

from memory.domain.errors import InvalidInput
from memory.models import AuditEntry, User
from memory.services.accounts import consume_sign_in_link, create_account
from memory.services.people import (
    close_account,
    invite_person,
    make_link_for,
    open_account,
    set_staff,
)
from tests.cases.handed import at_once
from tests.memory.services.test_accounts import secret_of


def test_only_staff_invite(alice):
    with pytest.raises(PermissionDenied):
        invite_person(actor=alice, email="new@example.org")

    assert User.objects.count() == 1


def test_staff_whose_rights_were_taken_meanwhile_change_nothing(staff, alice):
    User.objects.filter(pk=staff.pk).update(is_staff=False)

    with pytest.raises(PermissionDenied):
        close_account(actor=staff, person_id=alice.pk)


def test_nobody_closes_their_own_account(root):
    with pytest.raises(PermissionDenied, match="their own account"):
        close_account(actor=root, person_id=root.pk)


def test_staff_cannot_make_staff(staff, alice):
    with pytest.raises(PermissionDenied, match="Only a superuser"):
        set_staff(actor=staff, person_id=alice.pk, is_staff=True)

    alice.refresh_from_db()
    assert not alice.is_staff


def test_closed_account_gets_no_link(staff, alice):
    close_account(actor=staff, person_id=alice.pk)

    with pytest.raises(InvalidInput, match="is closed"):
        make_link_for(actor=staff, person_id=alice.pk)


def test_link_from_before_an_account_was_closed_opens_it_no_more(staff, alice):
    _, link = make_link_for(actor=staff, person_id=alice.pk)
    close_account(actor=staff, person_id=alice.pk)
    open_account(actor=staff, person_id=alice.pk)

    assert consume_sign_in_link(secret_of(link)) is None


@pytest.mark.django_db(transaction=True)
def test_superusers_who_close_each_other_at_once_leave_one():
    pair = [create_account(f"root{number}@example.org", staff=True) for number in range(2)]
    User.objects.update(is_superuser=True)
    for user in pair:
        user.refresh_from_db()

    def close(number):
        try:
            close_account(actor=pair[number], person_id=pair[1 - number].pk)
        except PermissionDenied:
            return "refused"
        return "closed"

    done = at_once(2, close)

    assert sorted(done) == ["closed", "refused"]
    assert User.objects.filter(is_active=True).count() == 1


def test_audit_says_what_staff_did_with_accounts(staff, root):
    person, _ = invite_person(actor=staff, email="new@example.org")
    make_link_for(actor=staff, person_id=person.pk)
    close_account(actor=staff, person_id=person.pk)
    open_account(actor=staff, person_id=person.pk)
    set_staff(actor=root, person_id=person.pk, is_staff=True)

    entries = list(AuditEntry.objects.order_by("pk"))
    assert [entry.action for entry in entries] == [
        "added", "link made", "closed", "reopened", "staff made",
    ]  # fmt: skip
    assert {entry.actor for entry in entries[:4]} == {staff}
    assert [entry.rows for entry in entries] == [[str(person.pk)]] * 5
