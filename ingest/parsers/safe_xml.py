"""XML from strangers: nothing that it names outside itself is fetched or filled in."""

from typing import Literal

import lxml.etree


def parsed_xml(content: bytes) -> lxml.etree._Element:
    """The outermost part, without comments and instructions.

    What it names and defines itself is filled in, as far as that does not multiply.
    Raises: lxml.etree.XMLSyntaxError, also if it names something outside itself.
    """
    return _parsed(content, "internal")


def parsed_with_names(content: bytes) -> lxml.etree._Element:
    """As `parsed_xml`; names of what stands outside stay as they are written.

    Raises: lxml.etree.XMLSyntaxError.
    """
    try:
        return parsed_xml(content)
    except lxml.etree.XMLSyntaxError:
        return _parsed(content, False)  # noqa: FBT003 - as the library has it


def _parsed(content: bytes, resolve: Literal["internal"] | bool) -> lxml.etree._Element:  # noqa: FBT001
    parser = lxml.etree.XMLParser(
        resolve_entities=resolve, no_network=True, remove_comments=True, remove_pis=True
    )
    return lxml.etree.fromstring(content, parser)
