"""A Word text as its reader sees it, in the plain paragraphs and runs that libraries understand.

Changes are accepted, hidden words and lists of contents left out, boxes and equations read.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import lxml.etree
from docx.oxml import OxmlElement
from docx.oxml.ns import nsmap, qn

from ingest.parsers.equations import in_one_line
from ingest.parsers.symbols import shown_sign

# Word's elements are of classes that its library makes at run time.
Part = Any

_COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_ALTERNATES = f"{_COMPATIBLE}AlternateContent"
_DELETED = (qn("w:del"), qn("w:moveFrom"), qn("w:cellDel"))
_WRAPPERS = frozenset(
    qn(f"w:{name}")
    for name in ("ins", "moveTo", "smartTag", "customXml", "fldSimple", "dir", "bdo")
)
_CONTROL = qn("w:sdt")
_EQUATIONS = (f"{_MATH}oMathPara", f"{_MATH}oMath")
_BOX = qn("w:txbxContent")
_PARAGRAPH, _RUN, _TEXT = qn("w:p"), qn("w:r"), qn("w:t")
_OFF = frozenset(("0", "false", "off", "none"))
_LISTINGS = re.compile(
    r"toc \d|toc heading|table of figures|table of authorities|index (\d|heading)"
)
_CONTENTS = "Table of Contents"
_PAGE_FIELD = re.compile(r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b", re.IGNORECASE)
# Of “Page 3 of 7” nothing is worth keeping; a name beside the number is.
_LONGEST_PAGE_WORDS = 12


def tidy(root: Part, styles: Part | None = None) -> None:
    """Bring a text, a margin or the notes into plain form; `styles` are those of the document.

    Raises: ValueError if it names what it does not hold.
    """
    if next(root.iter(lxml.etree.Entity), None) is not None:
        raise ValueError("An entity.")
    _choose_alternates(root)
    _drop_deleted(root)
    _unwrap(root)
    _drop_hidden(root)
    _drop_listings(root, styles)
    _drop_page_numbers(root)
    _spell_out(root)
    _hoist_boxes(root)


def found_in(part: Part, path: str) -> list[Part]:
    """The parts or values at this path, whichever class the part is of."""
    found: list[Part] = _compiled(path)(part)
    return found


@lru_cache
def _compiled(path: str) -> lxml.etree.XPath:
    return lxml.etree.XPath(path, namespaces={"w": nsmap["w"]})


def new_paragraph(text: str) -> Part:
    """A paragraph of these words."""
    run = OxmlElement("w:r")
    run.append(_new_text(text))
    paragraph = OxmlElement("w:p")
    paragraph.append(run)
    return paragraph


def _new_text(text: str) -> Part:
    element = OxmlElement("w:t")
    element.text = text
    element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return element


def _remove(parts: Iterable[Part]) -> None:
    for part in list(parts):
        if (parent := part.getparent()) is not None:
            parent.remove(part)


def _replace(part: Part, inner: Iterable[Part]) -> None:
    for each in list(inner):
        part.addprevious(each)
    _remove([part])


def _choose_alternates(root: Part) -> None:
    """Word stores boxes twice, once for readers that do not know their newer form."""
    for alternates in list(root.iter(_ALTERNATES)):
        choice = alternates.find(f"{_COMPATIBLE}Choice")
        chosen = alternates.find(f"{_COMPATIBLE}Fallback") if choice is None else choice
        _replace(alternates, () if chosen is None else chosen)


def _drop_deleted(root: Part) -> None:
    for mark in found_in(root, ".//w:pPr/w:rPr/w:del | .//w:pPr/w:rPr/w:moveFrom"):
        _join_to_next(mark.getparent().getparent().getparent())
    _remove(row.getparent().getparent() for row in found_in(root, ".//w:tr/w:trPr/w:del"))
    _remove(cell.getparent().getparent() for cell in root.iter(qn("w:cellDel")))
    _remove(root.iter(*_DELETED))


def _join_to_next(paragraph: Part) -> None:
    """A paragraph whose end was deleted goes on in the next one."""
    following = paragraph.getnext()
    if following is None or following.tag != _PARAGRAPH:
        return
    properties = following.find(qn("w:pPr"))
    place = 0 if properties is None else following.index(properties) + 1
    inner = [each for each in paragraph if each.tag != qn("w:pPr")]
    following[place:place] = inner
    _remove([paragraph])


def _unwrap(root: Part) -> None:
    for control in list(root.iter(_CONTROL)):
        content = control.find(qn("w:sdtContent"))
        properties = control.find(qn("w:sdtPr"))
        is_left_out = properties is not None and (_is_prompt(properties) or _lists(properties))
        _replace(control, () if content is None or is_left_out else content)
    for wrapper in list(root.iter(*_WRAPPERS)):
        _replace(wrapper, wrapper)


def _is_prompt(properties: Part) -> bool:
    """Whether nobody has filled in the field yet: it asks for something."""
    return _is_on(properties.find(qn("w:showingPlcHdr")))


def _lists(properties: Part) -> bool:
    gallery = properties.find(f"{qn('w:docPartObj')}/{qn('w:docPartGallery')}")
    return gallery is not None and gallery.get(qn("w:val")) == _CONTENTS


def _is_on(switch: Part | None) -> bool:
    return switch is not None and switch.get(qn("w:val")) not in _OFF


def _drop_hidden(root: Part) -> None:
    hidden = found_in(root, ".//w:r/w:rPr/w:vanish")
    _remove(mark.getparent().getparent() for mark in hidden if _is_on(mark))


def _drop_listings(root: Part, styles: Part | None) -> None:
    """What a table of contents says stands in the headings."""
    if styles is None:
        return
    names = {style.get(qn("w:styleId")): _name_of(style) for style in styles.iter(qn("w:style"))}
    listing = {style for style, name in names.items() if _LISTINGS.fullmatch(name)}
    if listing:
        used = found_in(root, ".//w:p/w:pPr/w:pStyle")
        _remove(
            style.getparent().getparent() for style in used if style.get(qn("w:val")) in listing
        )


def _name_of(style: Part) -> str:
    return "".join(found_in(style, "w:name/@w:val")).lower()


def _drop_page_numbers(root: Part) -> None:
    numbers = found_in(root, ".//w:instrText[contains(., 'PAGE')] | .//w:pgNum")
    around = (next(number.iterancestors(_PARAGRAPH), None) for number in numbers)
    for paragraph in dict.fromkeys(each for each in around if each is not None):
        _drop_results(paragraph)


def _drop_results(paragraph: Part) -> None:
    """Take out what fields of page numbers show, and the few words that only introduce them."""
    fields: list[str] = []
    is_numbered = False
    for run in list(paragraph.iter(_RUN)):
        for part in list(run):
            if part.tag == qn("w:fldChar"):
                kind = part.get(qn("w:fldCharType"))
                fields += [""] if kind == "begin" else []
                del fields[len(fields) - (kind == "end") :]
            elif part.tag == qn("w:instrText") and fields:
                fields[-1] += str(part.text or "")
            elif part.tag == _TEXT and any(map(_PAGE_FIELD.match, fields)):
                run.remove(part)
                is_numbered = True
    texts = list(paragraph.iter(_TEXT))
    if is_numbered and sum(len(str(text.text or "").strip()) for text in texts) <= (
        _LONGEST_PAGE_WORDS
    ):
        _remove(texts)


def _spell_out(root: Part) -> None:
    for sign in list(root.iter(qn("w:sym"))):
        font, code = sign.get(qn("w:font"), ""), sign.get(qn("w:char"), "")
        _replace(sign, [_new_text(shown_sign(font, int(code, 16)))])
    for spoken in list(root.iter(qn("w:ruby"))):
        _replace(spoken, [_new_text("".join(found_in(spoken, "w:rubyBase//w:t/text()")))])
    for equation in list(root.iter(*_EQUATIONS)):
        if next(equation.iterancestors(*_EQUATIONS), None) is None:
            run = OxmlElement("w:r")
            run.append(_new_text(f" {in_one_line(equation)} "))
            _replace(equation, [run])


def _hoist_boxes(root: Part) -> None:
    """Read what floats beside a paragraph after it."""
    last: dict[Part, Part] = {}
    for box in list(root.iter(_BOX)):
        host = next(box.iterancestors(_PARAGRAPH), None)
        if host is None:
            continue
        for part in list(box):
            last.get(host, host).addnext(part)
            last[host] = part
