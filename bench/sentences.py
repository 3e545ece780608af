"""Made-up facts and questions whose words are as unevenly common as in real notes."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate

SEED = 20
SHORTEST, LONGEST = 40, 160
FEWEST_WORDS, MOST_WORDS = 3, 10
_RARE_WORDS = 3_000


def _words(text: str) -> list[str]:
    return text.split()


_FIRST_NAMES = _words("""
    Ines Noor Tomas Amara Jonas Priya Mateo Freya Kofi Lena Ravi Sofia Omar Ingrid Pavel Mira Diego
    Hana Emil Zuri Anton Leila Marco Yuki Bruno Nadia Felix Amina Oscar Petra Samir Clara Viktor
    Elena Hugo Farah Nils Carmen Idris Greta
""")
_LAST_NAMES = _words("""
    Okafor Lindqvist Marchetti Haddad Novak Brennan Castellanos Virtanen Mbeki Sorensen Iyer
    Kowalski Delacroix Tanaka Petrov Almeida Fischer Rahman Gallagher Nakamura Eriksen Moreau
    Santoro Abebe Vasquez Holmgren Dimitrov Bianchi Osei Kaplan
""")
_THINGS = _words("""
    meeting report invoice release budget customer server contract project team review deadline
    database schedule order account design office supplier test plan document price delivery
    laptop password backup payment training feature flight hotel survey printer ticket proposal
    garden kitchen apartment bicycle recipe dentist school piano passport insurance warehouse
    shipment forecast newsletter workshop prototype license firewall dashboard archive pipeline
    antenna greenhouse carpet telescope vineyard orchestra violin marathon ferry lighthouse
    bakery aquarium sculpture compass quarry hammock glacier pottery lantern orchard
""")
_QUALITIES = _words("""
    new weekly old final annual early internal missing monthly shared late broken cheap quarterly
    urgent northern quiet spare legal green signed wooden temporary foreign heavy handmade
""")
_DEEDS = _words("""
    moved approved sent preferred needed changed signed paid finished canceled liked wanted booked
    reviewed disliked ordered rejected postponed repaired sold bought returned measured printed
    translated archived painted rented borrowed inspected
""")
_TIMES = _words("""
    Monday Friday Tuesday Thursday Wednesday Sunday Saturday March January September June December
    tomorrow spring noon midnight
""")
_PATTERNS = (
    "{name} {deed} the {quality} {thing} for {rare} on {time}",
    "the {thing} of {rare} was {deed} by {name} last {time}",
    "{name} {deed} {number} {thing}s and the {quality} {thing}",
    "the {quality} {thing} costs {number} euros, says {name}",
    "{first} {deed} the {thing} at {rare} before {time}",
    "room {number} in {rare} is for the {quality} {thing}",
)
_ENDINGS = (
    " because the {thing} was {quality}",
    " and {first} {deed} the {quality} {thing}",
    ", not the {rare} {thing}",
    " after {time} with {name}",
    " under number {number}",
    " for the {thing} in {rare}",
)
_QUESTIONS = ("when did", "who", "what is", "where is", "which", "how many", "why was", "")


class Writer:
    """Writes facts and questions, the same ones for the same seed."""

    def __init__(self, seed: int = SEED) -> None:
        self._random = random.Random(seed)
        # The words are the same for every seed, so that questions can be about the facts.
        self._rare = _made_up_words(random.Random(SEED), _RARE_WORDS)

    def facts(self, count: int) -> list[str]:
        """Different sentences of 40 to 160 characters."""
        found: dict[str, None] = {}
        while len(found) < count:
            found[self._sentence()] = None
        return list(found)

    def queries(self, count: int, facts: Sequence[str]) -> list[str]:
        """Different questions of 3 to 10 words, each about one of the facts."""
        found: dict[str, None] = {}
        while len(found) < count:
            found[self._question(self._random.choice(facts))] = None
        return list(found)

    def _sentence(self) -> str:
        text = self._filled(self._random.choice(_PATTERNS))
        wanted = self._random.randint(SHORTEST, LONGEST - 40)
        while len(text) < wanted:
            longer = text + self._filled(self._random.choice(_ENDINGS))
            if len(longer) >= LONGEST:
                break
            text = longer
        if len(text) < SHORTEST - 1:
            return self._sentence()
        return f"{text[0].upper()}{text[1:]}."

    def _question(self, fact: str) -> str:
        words = fact.rstrip(".").replace(",", "").split()
        asked = self._random.choice(_QUESTIONS).split()
        length = self._random.randint(FEWEST_WORDS, MOST_WORDS) - len(asked)
        length = min(max(length, FEWEST_WORDS - len(asked), 1), len(words))
        start = self._random.randint(0, len(words) - length)
        return " ".join([*asked, *words[start : start + length]])

    def _filled(self, pattern: str) -> str:
        first, dice = self._common(_FIRST_NAMES), self._random
        return pattern.format(
            first=first,
            name=f"{first} {self._common(_LAST_NAMES)}",
            thing=self._common(_THINGS),
            quality=self._common(_QUALITIES),
            deed=self._common(_DEEDS),
            time=self._common(_TIMES),
            rare=self._common(self._rare),
            number=dice.randint(1, dice.choice((60, 9_999))),
        )

    def _common(self, words: Sequence[str]) -> str:
        """A word by its rank: the second is half as common as the first, and so on."""
        return self._random.choices(words, cum_weights=_cumulative_weights(len(words)))[0]


@cache
def _cumulative_weights(count: int) -> list[float]:
    return list(accumulate(1 / rank for rank in range(1, count + 1)))


def _made_up_words(generator: random.Random, count: int) -> list[str]:
    return list(dict.fromkeys(_syllables(generator, count * 2)))[:count]


def _syllables(generator: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        pairs = [
            generator.choice("bdfgklmnprstvz") + generator.choice("aeiou")
            for _ in range(generator.randint(2, 4))
        ]
        yield ("".join(pairs) + generator.choice("lnrstx")).capitalize()
