"""The shape of a record: its kind and place, by its main signal and its wording."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.domain.perceptor.language import Language, Shape
    from memory.domain.perceptor.reading import Read

_NO_SIGNAL = "none"


def shape_of(read: "Read", spoken: Sequence["Language"]) -> "Shape | None":
    """The first shape that fits, of the passage's own language before the others'."""
    main = read.signals[0].kind.value if read.signals else _NO_SIGNAL
    others = [language for language in spoken if language is not read.language]
    for language in (read.language, *others):
        for shape in read.passage.sift(language.shapes):
            if (
                main in shape.signals
                and shape.pattern.find(read.passage.folded, read.passage.cues) is not None
            ):
                return shape
    return None
