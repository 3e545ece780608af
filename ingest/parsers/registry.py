"""Which module parses which format; the module is imported in the child program only."""

from memory.domain.errors import Permanent

PARSER_MODULES = {
    "pdf": "ingest.parsers.pdf",
    "docx": "ingest.parsers.docx",
    "pptx": "ingest.parsers.pptx",
    "xlsx": "ingest.parsers.xlsx",
    "odt": "ingest.parsers.odt",
    "ods": "ingest.parsers.ods",
    "odp": "ingest.parsers.odp",
    "epub": "ingest.parsers.epub",
    "rtf": "ingest.parsers.rtf",
    "msg": "ingest.parsers.msg",
    "eml": "ingest.parsers.eml",
    "html": "ingest.parsers.html",
    "xml": "ingest.parsers.xml_values",
    "json": "ingest.parsers.json_values",
    "ipynb": "ingest.parsers.notebook",
    "csv": "ingest.parsers.delimited",
    "tsv": "ingest.parsers.delimited",
    "md": "ingest.parsers.markdown",
    "rst": "ingest.parsers.rst",
    "org": "ingest.parsers.org",
    "code": "ingest.parsers.code",
    "txt": "ingest.parsers.plain",
    "png": "ingest.parsers.image",
    "jpg": "ingest.parsers.image",
    "webp": "ingest.parsers.image",
    "gif": "ingest.parsers.image",
    "bmp": "ingest.parsers.image",
    "tiff": "ingest.parsers.image",
    "heic": "ingest.parsers.image",
    "zip": "ingest.parsers.archive",
}


def parser_module(media_type_id: str) -> str:
    """The dotted name of the module that reads this format.

    Raises: Permanent if there is none.
    """
    try:
        return PARSER_MODULES[media_type_id]
    except KeyError:
        raise Permanent(f"No parser reads the format “{media_type_id}”.") from None
