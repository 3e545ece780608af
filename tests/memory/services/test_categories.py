"""Labels that a person adds."""

import pytest

from memory.domain.errors import InvalidInput
from memory.services.categories import add_category, known_categories


def test_label_that_is_added_is_known_in_small_letters(db):
    add_category("  House   Rules ")

    assert "house rules" in known_categories()


@pytest.mark.parametrize("name", ["", " ", "\0", "x" * 65, "\u0130" * 64, "Decision"], ids=ascii)
def test_label_that_no_memory_can_carry_is_refused(db, name):
    # A capital with a dot is two characters as a small letter.
    with pytest.raises(InvalidInput):
        add_category(name)
