"""Which module parses which format; the module is imported in the child program only."""

from memory.domain.errors import Permanent

PARSER_MODULES = {
    "pdf": "ingest.parsers.pdf",
    "docx": "ingest.parsers.docx",
    "html": "ingest.parsers.html",
    "md": "ingest.parsers.markdown",
    "txt": "ingest.parsers.plain",
}


def parser_module(media_type_id: str) -> str:
    """The dotted name of the module that reads this format.

    Raises: Permanent if there is none.
    """
    try:
        return PARSER_MODULES[media_type_id]
    except KeyError:
        raise Permanent(f"No parser reads the format “{media_type_id}”.") from None
