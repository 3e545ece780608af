"""Secrets sealed with the installation's key."""

import pytest

from memory.services.seals import SealedElsewhere, is_current, seal, unseal

SECRET = "JBSWY3DPEHPK3PXP"


def test_sealed_text_can_be_read_again_and_does_not_show(settings):
    sealed = seal(SECRET)

    assert SECRET not in sealed
    assert unseal(sealed) == SECRET
    assert is_current(sealed)


def test_same_text_is_sealed_differently_each_time():
    assert seal(SECRET) != seal(SECRET)


def test_text_from_before_there_were_seals_is_read_as_it_is():
    assert unseal(SECRET) == SECRET
    assert not is_current(SECRET)


def test_seal_of_an_earlier_key_opens_while_that_key_is_named(settings):
    sealed = seal(SECRET)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new one", [settings.SECRET_KEY]

    assert unseal(sealed) == SECRET
    assert not is_current(sealed)


@pytest.mark.parametrize("harm", ["another key", "cut short", "changed"])
def test_seal_that_does_not_open_says_which_setting_to_look_at(settings, harm):
    sealed = seal(SECRET)
    if harm == "another key":
        settings.SECRET_KEY = "the new one"
    elif harm == "cut short":
        sealed = sealed[:-10]
    else:
        sealed = sealed[:-5] + "AAAA="

    with pytest.raises(SealedElsewhere, match="LONGHAND_SECRET_KEY"):
        unseal(sealed)
