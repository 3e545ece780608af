"""Secrets of a document are masked before it is divided."""

from ingest.domain.chunking import chunk
from ingest.domain.elements import Element, ElementKind
from ingest.services.masking import without_secrets
from tests.secret_texts import KEY_BODY, LONG_SEED

FILLER = "The bakery opens at seven and closes at six on every day of the week. "


def element(text, kind=ElementKind.TEXT, path=()):
    return Element(kind, text, 1, path)


def test_elements_without_a_secret_are_the_same_objects():
    given = [element(FILLER), element("Password rules: 12 characters", path=("Rules",))]

    assert all(one is other for one, other in zip(without_secrets(given), given, strict=True))


def test_secret_where_a_passage_would_end_is_in_none():
    words = LONG_SEED.split()
    for length in range(600, 1_000, 40):
        before = (FILLER * 20)[:length].strip()
        given = [element(f"{before} Our recovery phrase is {LONG_SEED}. {FILLER * 20}")]

        told = " ".join(passage.text for passage in chunk(without_secrets(given)))

        assert "[secret: recovery phrase]" in told
        assert [word for word in words[-8:] if word in told] == []


def test_key_whose_lines_are_elements_of_their_own_is_masked_as_one():
    lines = ["-----BEGIN PRIVATE KEY-----", *KEY_BODY.split("\n"), "-----END PRIVATE KEY-----"]
    given = [element("before"), *map(element, lines), element("after")]

    assert [each.text for each in without_secrets(given)] == [
        "before",
        "[secret: private key]",
        "after",
    ]


def test_secret_in_a_heading_is_masked_there_and_below_it():
    title = "The wifi password is bluegoose42"
    given = [
        element(title, ElementKind.TITLE, (title,)),
        element("Guests ask for it.", path=(title,)),
    ]

    told = without_secrets(given)

    assert "bluegoose42" not in str(told)
    assert told[0].text == told[1].heading_path[0] == "The wifi password is [secret: password]"


def test_name_in_one_element_and_a_word_in_the_next_are_two_things():
    given = [element("Password"), element("Monday2026 is the deadline")]

    assert without_secrets(given) == given
