"""A PDF that breaks off has lost the list of its parts, which stands last; a new one is written."""

import re

_CATALOG = re.compile(
    rb"(\d{1,9}) (\d{1,5}) obj\s*<<(?:(?!endobj).){0,4000}?/Type\s*/Catalog\b", re.S
)
_PAGE = re.compile(rb"(\d{1,9}) (\d{1,5}) obj\s*<<(?:(?!endobj).){0,4000}?/Type\s*/Page\b", re.S)
_MOST_PAGES = 10_000


def rescued(content: bytes) -> list[bytes]:
    """What the file may have been, the likeliest first; nothing if no page of it is left.

    What is locked stays so: the key went with the list.
    """
    if b"/Encrypt" in content:
        return []
    catalog, pages = _CATALOG.search(content), _pages(content)
    found = []
    if catalog is not None:
        root = b"%b %b R" % catalog.groups()
        found.append(content + b"\nendobj\ntrailer\n<< /Root %b >>\n%%%%EOF\n" % root)
    if pages:
        found.append(content + _list_of(pages))
    return found


def _pages(content: bytes) -> list[bytes]:
    names = (b"%b %b R" % match.groups() for match in _PAGE.finditer(content))
    return list(dict.fromkeys(names))[:_MOST_PAGES]


def _list_of(pages: list[bytes]) -> bytes:
    """A catalog of these pages, under numbers that no part of the file has."""
    return (
        b"\nendobj\n999998 0 obj\n<< /Type /Catalog /Pages 999999 0 R >>\nendobj\n"
        b"999999 0 obj\n<< /Type /Pages /Count %d /Kids [ %b ] >>\nendobj\n"
        b"trailer\n<< /Root 999998 0 R /Size 1000000 >>\n%%%%EOF\n"
    ) % (len(pages), b" ".join(pages))
