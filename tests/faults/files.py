"""Documents for the drills: each set has bytes of its own."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from bench.generated_pdf import make_pdf

DOCUMENTS = Path(__file__).parents[1] / "data" / "documents"


def pdf(folder: Path, *, pages: int, seed: int) -> bytes:
    path = folder / f"{seed}.pdf"
    make_pdf(path, pages=pages, seed=seed)
    return path.read_bytes()


def twelve(folder: Path) -> dict[str, bytes]:
    """Long and short PDFs, and three of every other format."""
    files = {f"report-{seed}.pdf": pdf(folder, pages=25, seed=seed) for seed in range(5)}
    for number in (1, 2):
        mark = f"\n\nVariation {number}.\n".encode()
        files[f"note-{number}.md"] = (DOCUMENTS / "plain.md").read_bytes() + mark
        files[f"note-{number}.txt"] = (DOCUMENTS / "plain.txt").read_bytes() + mark
    files["page.html"] = (DOCUMENTS / "plain.html").read_bytes() + b"<p>Variation 1.</p>"
    files["letter-1.docx"] = _with_comment(folder, "plain.docx", 1)
    files["letter-2.docx"] = _with_comment(folder, "awkward.docx", 2)
    return files


def _with_comment(folder: Path, name: str, number: int) -> bytes:
    """The same document in an archive whose comment differs."""
    copy = folder / f"{number}-{name}"
    copy.write_bytes((DOCUMENTS / name).read_bytes())
    with ZipFile(copy, "a", ZIP_DEFLATED) as archive:
        archive.comment = f"Variation {number}".encode()
    return copy.read_bytes()
