"""A slide in the plain form that its library reads: newer parts and equations as usual ones."""

from typing import Any

import lxml.etree

from ingest.parsers.equations import in_one_line

_MAIN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_EQUATION = "{http://schemas.microsoft.com/office/drawing/2010/main}m"


def tidy(root: Any) -> None:
    """Take the newer form of what is there in two forms, and write equations out."""
    for alternates in list(root.iter(f"{_COMPATIBLE}AlternateContent")):
        choice = alternates.find(f"{_COMPATIBLE}Choice")
        chosen = alternates.find(f"{_COMPATIBLE}Fallback") if choice is None else choice
        for part in list(() if chosen is None else chosen):
            alternates.addprevious(part)
        alternates.getparent().remove(alternates)
    for equation in list(root.iter(_EQUATION)):
        run = lxml.etree.SubElement(equation.getparent(), f"{_MAIN}r")
        lxml.etree.SubElement(run, f"{_MAIN}t").text = f" {in_one_line(equation)} "
        equation.getparent().replace(equation, run)
