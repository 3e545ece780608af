"""Where on its pages a chunk stands."""

from ingest.domain.chunking import chunk
from ingest.domain.elements import Box, Element, ElementKind
from ingest.domain.places import MOST_PLACES

SENTENCE = "The keeper counts lantern number {:03d} twice before the gate is locked."
UPPER: Box = (0.1, 0.1, 0.9, 0.4)
LOWER: Box = (0.1, 0.5, 0.9, 0.8)


def text(words: str, page: int | None, box: Box | None) -> Element:
    return Element(ElementKind.TEXT, words, page, (), box)


def sentences(count: int) -> str:
    return " ".join(SENTENCE.format(number) for number in range(count))


def test_chunk_has_the_place_of_each_of_its_elements_once() -> None:
    (found,) = chunk([text(sentences(3), 1, UPPER), text(sentences(2), 1, LOWER)])

    assert found.places == ((1, UPPER), (1, LOWER))


def test_chunk_over_two_pages_has_places_on_both() -> None:
    (found,) = chunk([text("It began.", 1, LOWER), text("It went on.", 2, UPPER)])

    assert found.places == ((1, LOWER), (2, UPPER))


def test_element_in_two_chunks_is_a_place_of_both() -> None:
    first, second = chunk([text(sentences(18), 3, UPPER)])

    assert first.places == second.places == ((3, UPPER),)


def test_repeated_sentence_is_no_place_of_its_chunk() -> None:
    first, second = chunk([text(sentences(13), 1, UPPER), text(sentences(9), 1, LOWER)])

    assert second.repeated
    assert first.places[0] == (1, UPPER)
    assert second.places == ((1, LOWER),)


def test_chunk_of_unknown_places_has_none() -> None:
    (found,) = chunk([text("It began.", 1, None), text("It went on.", None, None)])

    assert found.places == ()


def test_area_of_a_picture_is_on_its_only_page() -> None:
    (found,) = chunk([text("SHED 4", None, UPPER)])

    assert (found.page, found.places) == (None, ((1, UPPER),))


def test_very_many_places_are_taken_together_page_by_page() -> None:
    many = [
        text(f"{number}.", page, (0.1, number / 100, 0.2, (number + 1) / 100))
        for page in (1, 2)
        for number in range(60)
    ]

    (found,) = chunk(many)

    assert MOST_PLACES / 2 <= len(found.places) <= MOST_PLACES
    assert {page for page, _ in found.places} == {1, 2}
    for page in (1, 2):
        boxes = [box for number, box in found.places if number == page]
        assert boxes[0][1] == 0.0
        assert boxes[-1][3] == 0.6
