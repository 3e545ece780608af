"""What an old compound file (OLE) holds, told by the names in its directory."""

import mmap

from ingest.domain.refusals import Rejected

_ENTRY_BYTES = 128
_MESSAGE_STREAM = "__properties_version1.0"
_LOCKED_STREAM = "EncryptedPackage"
_OLD_KINDS = (
    ("WordDocument", "Word", "doc", "docx"),
    ("PowerPoint Document", "PowerPoint", "ppt", "pptx"),
    ("Workbook", "Excel", "xls", "xlsx"),
    ("Book", "Excel", "xls", "xlsx"),
)


def is_outlook_message(content: bytes | mmap.mmap) -> bool:
    """Whether it is a message of Outlook; what else no parser reads is refused with the remedy.

    Raises: Rejected for a locked or an old Office document.
    """
    # First, because a message may carry any of the others inside.
    if _lists(content, _MESSAGE_STREAM):
        return True
    if _lists(content, _LOCKED_STREAM):
        raise Rejected("The file is protected by a password. Save it without one and upload that.")
    for stream, program, ending, remedy in _OLD_KINDS:
        if _lists(content, stream):
            raise Rejected(
                f"Old {program} files ({ending}) are not read yet. "
                f"Open it in {program} or LibreOffice, save it as {remedy} and upload that."
            )
    return False


def _lists(content: bytes | mmap.mmap, name: str) -> bool:
    """Whether a directory entry has this name; entries begin at each 128 bytes."""
    entry = name.encode("utf-16-le")
    length = (len(entry) + 2).to_bytes(2, "little")
    place = content.find(entry)
    while place >= 0:
        is_entry = content[place + 64 : place + 66] == length
        if place % _ENTRY_BYTES == 0 and is_entry:
            return True
        place = content.find(entry, place + 1)
    return False
