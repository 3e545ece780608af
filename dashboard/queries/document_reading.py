"""A document as it is read: one page or part of it, its passages, and where they stand."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from dashboard.overlaps import repeated_length
from dashboard.queries.documents import passages_of
from ingest.models import Document
from ingest.services.page_images import is_drawable, page_total
from memory.domain.fields import Status
from memory.models import Fact, FactHistory, Principal
from memory.models.facts import FactQuerySet

PART = 50
# As the chunks join the headings that hold for them.
STEP = " › "  # noqa: RUF001 - the sign is meant
MOST_PAGES = 1_000_000


@dataclass(frozen=True, slots=True)
class Rectangle:
    """An area of a page.

    Units: shares of its width and height, from the top left.
    """

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One passage with what the page draws of it.

    Shape: `above` are the headings over it that its text does not say itself; `headings` are those
        of them that the passage before had not; `own` is its text without `title` and without what
        the passage before said.
    """

    fact: Fact
    is_chosen: bool
    is_edited: bool
    boxes: list[Rectangle]
    above: str
    headings: list[str]
    title: str
    own: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What of a document is shown: page or part `number` of `total`, and the passages there."""

    is_drawn: bool
    number: int
    total: int
    count: int
    passages: list[Passage]

    @property
    def chosen(self) -> Passage | None:
        """The passage that the address names, if it is here."""
        return next((each for each in self.passages if each.is_chosen), None)

    @property
    def is_replaced(self) -> bool:
        """Whether recall finds none of these passages, since something newer stands for them."""
        return all(each.fact.status == Status.SUPERSEDED for each in self.passages)

    @property
    def previous(self) -> int:
        """The number before; 0 on the first."""
        return self.number - 1

    @property
    def next(self) -> int:
        """The number after; 0 on the last."""
        return self.number + 1 if self.number < self.total else 0


def reading_of(
    principal: Principal, document: Document, *, number: int | None, passage: UUID | None
) -> Reading:
    """The page or part with this number; without one that of the passage, or else the first."""
    facts = _with_edits(passages_of(principal, document))
    chosen = facts.filter(pk=passage).first() if passage else None
    read = _page if is_drawable(document) else _part
    return read(document, facts, number, chosen)


def _page(
    document: Document, facts: FactQuerySet, number: int | None, chosen: Fact | None
) -> Reading:
    total = page_total(document)
    wanted = number or (_page_of(chosen) if chosen else 1)
    shown = min(max(wanted, 1), total)
    here = Q(locator__page=shown) | Q(locator__places__contains=[[shown]])
    here |= Q(locator__page__lte=shown, locator__last_page__gte=shown)
    if shown == 1:
        # A single picture does not number its page.
        here |= Q(locator__page=None) | Q(locator__page__isnull=True)
    return Reading(
        is_drawn=True,
        number=shown,
        total=total,
        count=facts.count(),
        passages=_passages(facts.filter(here), chosen, page=shown),
    )


def _part(
    _document: Document, facts: FactQuerySet, number: int | None, chosen: Fact | None
) -> Reading:
    count = facts.count()
    total = max(1, -(-count // PART))
    wanted = number or (_part_of(chosen, facts) if chosen else 1)
    shown = min(max(wanted, 1), total)
    start = (shown - 1) * PART
    # The one before tells what the first one repeats.
    before = list(facts[start - 1 : start]) if start else []
    return Reading(
        is_drawn=False,
        number=shown,
        total=total,
        count=count,
        passages=_passages(facts[start : start + PART], chosen, before=before),
    )


def places_of(fact: Fact) -> list[tuple[int, Rectangle]]:
    """Where a passage stands: each page with an area of it; what is no such place is left out."""
    places = fact.locator.get("places")
    given = places if isinstance(places, list) else []
    return [place for each in given if (place := _place(each))]


def _place(given: object) -> tuple[int, Rectangle] | None:
    match given:
        case [int(page), [int() | float() as left, int() | float() as top,
                          int() | float() as right, int() | float() as bottom]]:  # fmt: skip
            left, right = sorted(_share(each) for each in (left, right))
            top, bottom = sorted(_share(each) for each in (top, bottom))
            size = round(right - left, 4), round(bottom - top, 4)
            return page, Rectangle(round(left, 4), round(top, 4), *size)
    return None


def _share(number: float) -> float:
    return min(max(float(number), 0.0), 1.0)


def _page_of(fact: Fact) -> int:
    """The first page that holds some of the passage; 1 where nobody knows."""
    page = fact.locator.get("page")
    pages = [page] if isinstance(page, int) else [number for number, _ in places_of(fact)]
    return min([each for each in pages if 0 < each < MOST_PAGES], default=1)


def _part_of(fact: Fact, facts: FactQuerySet) -> int:
    return facts.filter(ordinal__lt=fact.ordinal).count() // PART + 1


def _with_edits(facts: FactQuerySet) -> FactQuerySet:
    """Each with whether it said something else before: nobody but a person rewords a passage."""
    others = FactHistory.objects.filter(pgh_obj=OuterRef("pk")).exclude(text=OuterRef("text"))
    return facts.annotate(was_reworded=Exists(others)).defer("search")


def _passages(
    facts: Iterable[Fact], chosen: Fact | None, *, page: int = 0, before: Iterable[Fact] = ()
) -> list[Passage]:
    found, previous = [], next(iter(before), None)
    for fact in facts:
        found.append(_passage(fact, previous, is_chosen=fact == chosen, page=page))
        previous = fact
    return found


def _passage(fact: Fact, previous: Fact | None, *, is_chosen: bool, page: int) -> Passage:
    start = repeated_length(previous.text, fact.text) if previous else 0
    title, _, rest = fact.text[start:].lstrip().partition("\n")
    steps, known = _steps(fact), _steps(previous) if previous else []
    is_titled = bool(steps) and title.strip() in steps
    shared = next((i for i, step in enumerate(steps) if known[i : i + 1] != [step]), len(steps))
    return Passage(
        fact=fact,
        is_chosen=is_chosen,
        is_edited=getattr(fact, "was_reworded", False),
        boxes=[area for number, area in places_of(fact) if number == page],
        above=STEP.join(_unsaid(fact, steps)),
        headings=_unsaid(fact, steps[shared:]),
        title=title.strip() if is_titled else "",
        own=rest if is_titled else fact.text[start:].lstrip(),
    )


def _unsaid(fact: Fact, steps: list[str]) -> list[str]:
    lines = fact.text.split("\n")
    return [step for step in steps if step not in lines]


def _steps(fact: Fact) -> list[str]:
    heading = fact.locator.get("heading")
    return heading.split(STEP) if isinstance(heading, str) and heading else []
