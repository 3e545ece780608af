"""What a new statement does to those that are kept, by pure rules."""

from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.conflicts import (
    Candidate,
    Claim,
    Correction,
    Kept,
    about,
    contradicts,
    corrected,
    holds_many,
    settle,
)
from memory.domain.wording import wording_of
from tests.memory.domain.perceiving import FRIDAY


def ident(number):
    return UUID(int=number)


def kept(number, value, *, hours=0, **more):
    return Kept(ident(number), value, FRIDAY + timedelta(hours=hours), **more)


def claim(value, *, hours=1, **more):
    return Claim(value, FRIDAY + timedelta(hours=hours), **more)


def heard(number, text, *, here=True):
    return Candidate(ident(number), text, is_here=here)


def test_equal_value_repeats_the_statement_whatever_its_case_and_spacing():
    settled = settle(claim(" LEEDS."), [kept(1, "Leeds")], key="home")

    assert settled.reinforces == ident(1)
    assert not settled.supersedes


def test_other_value_takes_the_place_of_the_older_one():
    assert settle(claim("York"), [kept(1, "Leeds")], key="home").supersedes == (ident(1),)


def test_older_statement_that_arrives_late_gives_way_to_the_current_one():
    settled = settle(claim("York", hours=-1), [kept(1, "Leeds")], key="home")

    assert settled.loses_to == ident(1)
    assert not settled.supersedes


def test_of_two_said_in_the_same_moment_the_one_that_comes_later_holds():
    assert settle(claim("York", hours=0), [kept(1, "Leeds")], key="home").supersedes


@pytest.mark.parametrize(
    "key", ["allergy", "Languages", "food allergies", "pet", "hobby", "prefer", "tools", "过敏"]
)
def test_values_of_a_key_that_holds_many_stand_beside_each_other(key):
    settled = settle(claim("walnuts"), [kept(1, "peanuts")], key=key)

    assert holds_many(key)
    assert (settled.supersedes, settled.loses_to, settled.disputes) == ((), None, ())


@pytest.mark.parametrize(
    "key",
    ["name", "home", "employer", "birthday", "role", "phone", "e-mail", "staging port", "address",
     "status", "favorite language", "native_language", "main tool", "", "住址"],
)  # fmt: skip
def test_any_other_key_holds_one_value(key):
    assert not holds_many(key)


def test_correction_takes_one_of_many_values_back():
    here = [kept(1, "peanuts"), kept(2, "walnuts and cashews")]

    settled = settle(claim("almonds"), here, key="allergy", correction=Correction(("walnuts",)))

    assert settled.supersedes == (ident(2),)


@pytest.mark.parametrize("count", [2, 3])
def test_correction_that_names_none_of_many_values_takes_none_back(count):
    here = [kept(number, f"nut {number}") for number in range(count)]

    assert settle(claim("rye"), here, key="allergy", correction=Correction()).supersedes == ()


def test_what_capture_finds_stands_beside_what_a_person_has_said():
    here = [kept(1, "Leeds", is_persons=True)]

    by_capture = settle(claim("York", is_captured=True), here, key="home")
    by_hand = settle(claim("York"), here, key="home")

    assert (by_capture.supersedes, by_capture.disputes) == ((), (ident(1),))
    assert by_hand.supersedes == (ident(1),)


@pytest.mark.parametrize(
    ("words", "left"),
    [(("York",), ()), (("Bath",), (2,)), ((), (2,))],
)
@pytest.mark.parametrize("key", ["home", "languages"])
def test_correction_to_what_is_known_takes_back_what_it_names(key, words, left):
    here = [kept(1, "Leeds", is_persons=True), kept(2, "York")]
    new = claim("Leeds", is_captured=True)

    settled = settle(new, here, key=key, correction=Correction(words))

    assert settled.reinforces == ident(1)
    assert set(settled.supersedes) == {ident(2)} - set(map(ident, left))


def test_correction_to_what_is_known_takes_back_no_persons_word_and_nothing_said_later():
    here = [kept(1, "Leeds"), kept(2, "York", is_persons=True), kept(3, "Bath", hours=2)]
    correction = Correction(("York", "Bath"))

    captured = settle(claim("Leeds", is_captured=True), here, key="home", correction=correction)

    assert (captured.reinforces, captured.supersedes) == (ident(1), ())


@pytest.mark.parametrize("who", ["new", "old"])
def test_what_may_coexist_does(who):
    settled = settle(
        claim("York", may_coexist=who == "new"),
        [kept(1, "Leeds", may_coexist=who == "old")],
        key="home",
    )

    assert (settled.supersedes, settled.disputes) == ((), (ident(1),))


HERE = [
    heard(5, "The dentist is at 3"),
    heard(4, "The meeting with Dana is at 3"),
    heard(3, "The meeting room has 30 chairs"),
    heard(2, "My cat is called Max"),
    heard(1, "The review is on Friday"),
]


@pytest.mark.parametrize(
    ("text", "words", "number"),
    [
        ("No, the meeting is at 4, not 3", ("3",), 4),
        ("Sorry, my cat is Moritz, not Max", ("Max",), 2),
        ("It's Thursday, not Friday.", ("Friday",), 1),
        ("Correction: the dentist moved to 5, not 3.", ("3",), 5),
        ("The review is on Monday, I had that wrong", (), None),
        ("Actually the meeting room has 25 chairs", (), 3),
        # Near misses: a wrong match is worse than none.
        ("The train is at 5, not 4", ("4",), None),
        ("The meeting is at 4, not 13", ("13",), None),
        ("The bus leaves at 9, not 3", ("3",), None),
        ("It's 4, not 3", ("3",), None),
        ("My dog is Moritz, not Maximilian", ("Maximilian",), None),
        ("No, that's wrong", (), None),
    ],
)
def test_correction_finds_the_one_statement_that_it_means_or_none(text, words, number):
    found = corrected(text, Correction(words), HERE)

    assert (found.pk if found else None) == (ident(number) if number else None)


def test_of_two_alike_the_one_of_the_same_conversation_is_meant_and_else_none():
    text, correction = "The meeting is at 4, not 3", Correction(("3",))
    alike = [heard(1, "The meeting is at 3"), heard(2, "A meeting at 3 again", here=False)]

    assert corrected(text, correction, alike).pk == ident(1)
    elsewhere = [heard(1, "The meeting is at 3", here=False), alike[1]]
    assert corrected(text, correction, elsewhere) is None


def test_statement_of_another_conversation_needs_the_taken_back_words():
    far = [heard(1, "The meeting room has 30 chairs", here=False)]

    assert corrected("Actually the meeting room has 25 chairs", Correction(), far) is None


def test_correction_in_chinese_finds_what_it_means():
    here = [heard(2, "我四点吃饭"), heard(1, "周会四点开始")]

    assert corrected("不对，周会是三点，不是四点", Correction(("四点",)), here).pk == ident(1)


def test_correction_said_again_is_the_same():
    text = "It's Thursday, not Friday."
    whole = about(text, "The review is on Friday")

    found = corrected(text, Correction(("Friday",)), [heard(1, whole)])

    assert found.is_repeat


def test_correction_that_says_less_keeps_what_it_is_about_through_others():
    once = about("It's Thursday, not Friday.", "The review is on Friday")
    twice = about("No, Wednesday.", once)

    assert once == "It's Thursday, not Friday. (corrects: The review is on Friday)"
    assert twice == "No, Wednesday. (corrects: The review is on Friday)"


@pytest.mark.parametrize(
    ("old", "new", "kind", "is_one"),
    [
        ("I like coriander", "I really don't like coriander", "impression", True),
        ("Deploys on Friday are allowed", "Deploys on Friday are never allowed", "rule", True),
        ("The rent is 1,200", "The rent is 1,300", "fact", True),
        ("Paid 30 euros for lunch", "Paid 40 euros for lunch", "event", False),
        ("Never deploy on Friday", "Never deploy on Monday", "rule", False),
        ("Room 4 has 12 seats", "Room 5 has 10 seats", "fact", False),
        ("The rent of the office is 1,200", "The rent of the flat is 1,300", "fact", False),
        ("I like coriander", "I like coriander a lot", "impression", False),
        ("I don't like coriander", "I like parsley", "impression", False),
        ("Ticket 123 is closed", "Ticket 124 is closed", "fact", False),
        ("Ticket 123 is closed", "Ticket 124 is not closed", "fact", False),
        ("Ticket 123 is closed", "Ticket 123 is not closed", "fact", True),
        ("OPS-123 is closed", "OPS-124 is closed", "fact", False),
        ("Ticket #123 blocks the release", "Ticket #124 blocks the release", "fact", False),
        ("The server in rack 7 has 64 disks", "The server in rack 8 has 64 disks", "fact", False),
        ("Rack 7 has 64 disks", "Rack 7 has 32 disks", "fact", True),
        ("In 2024 the rent was 1,200", "In 2025 the rent was 1,200", "fact", False),
        ("No beamer in room 4", "Room 4 has a beamer", "fact", True),
        ("No beamer in room 5", "Room 4 has a beamer", "fact", False),
        ("We sit in room 4", "We sit in room 5", "fact", True),
        ("Zimmer 4 ist frei", "Zimmer 5 ist nicht frei", "fact", False),
        ("Die Miete ist 1200", "Die Miete ist 1300", "fact", True),
        ("工单123已关闭", "工单124已关闭", "fact", False),
        ("房租是1200元", "房租是1300元", "fact", True),
        ("工单123已关闭", "工单123没关闭", "fact", True),
        ("我喜欢咖啡", "我不喜欢咖啡", "impression", True),
        ("我很喜欢咖啡", "我从来不喜欢咖啡了", "impression", True),
        ("我抽烟", "我不抽烟", "fact", True),
        ("我们周五可以上线", "周五不可以上线", "rule", True),
        ("他吃肉", "他从不吃肉", "fact", True),
        ("我喜歡咖啡", "我不喜歡咖啡", "impression", True),
        ("我喜欢咖啡", "我非常喜欢咖啡", "impression", False),
        ("我喜欢咖啡", "我特别喜欢咖啡", "impression", False),
        ("我不喜欢咖啡", "我不喜欢茶", "impression", False),
        ("我喜欢咖啡", "我不喜欢下雨天", "impression", False),
        ("他的手艺不错", "他的手艺很好", "impression", False),
        ("别人喜欢咖啡", "别墅很贵", "fact", False),
        ("Ich mag Kaffee", "Ich mag keinen Kaffee", "impression", True),
        ("Ich esse Fleisch", "Ich esse nie Fleisch", "fact", True),
        ("Ich mag Kaffee", "Ich mag Kaffee überhaupt nicht mehr", "impression", True),
        ("Ich mag Kaffee", "Ich mag Kaffee sehr", "impression", False),
    ],
)
def test_contradiction_is_a_denial_or_one_other_number_and_nothing_else(old, new, kind, is_one):
    assert contradicts(wording_of(new), wording_of(old), kind) is is_one


VALUES = st.sampled_from(["Leeds", "york", "Bath", "LEEDS "])
CLAIMS = st.builds(Claim, VALUES, st.integers(0, 9).map(lambda n: FRIDAY + timedelta(hours=n)),
                   st.booleans(), st.booleans())  # fmt: skip
STORED = st.lists(
    st.builds(
        Kept,
        st.integers(1, 10**6).map(ident),
        VALUES,
        st.integers(0, 9).map(lambda n: FRIDAY + timedelta(hours=n)),
        st.booleans(),
        st.booleans(),
    ),
    max_size=6,
    unique_by=lambda each: each.pk,
)


@given(CLAIMS, STORED)
def test_whatever_is_claimed_something_stays_in_use_and_nothing_is_both(new, here):
    settled = settle(new, here, key="home")

    replaced, disputed = set(settled.supersedes), set(settled.disputes)
    assert not replaced & disputed
    assert not (settled.reinforces and (replaced or settled.loses_to))
    assert not (settled.loses_to and settled.loses_to in replaced)
    left = [each for each in here if each.pk not in replaced]
    assert left or not settled.reinforces
    persons = {each.pk for each in here if each.is_persons}
    assert not (new.is_captured and persons & replaced)
