"""Pictures of every kind are opened upright, in a size that can be read, or refused in words."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ingest.domain.elements import Element, ElementKind
from ingest.parsers import image
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.image import parse
from memory.domain.errors import Permanent
from tests.ingest.parsers.drawing import drawn

# No library here writes this format.
HEIC = Path(__file__).resolve().parents[2] / "data" / "note.heic"
WORDS = "Ask Noor for the key"
TURNED_LEFT = 6


def saved(path: Path, picture: Image.Image, format_name: str, **options: object) -> Path:
    picture.save(path, format_name, **options)
    return path


def elements(path: Path) -> list[Element]:
    return [item for item in parse(path) if isinstance(item, Element)]


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_picture_of_each_format_is_read_as_one_page_without_a_number(
    tmp_path: Path, format_name: str
) -> None:
    *progress, element = parse(saved(tmp_path / "a", drawn(WORDS), format_name))

    assert progress == [Pages(0, 1), SlowPage(), Pages(1, 1)]
    assert isinstance(element, Element)
    assert (element.kind, element.text, element.page) == (ElementKind.TEXT, WORDS, None)


def test_picture_of_a_telephone_is_read() -> None:
    assert [each.text for each in elements(HEIC)] == [WORDS]


def test_tiff_is_read_page_by_page(tmp_path: Path) -> None:
    pages = [drawn("First page").convert("1"), drawn("Second page").convert("L")]
    path = saved(tmp_path / "a", pages[0], "TIFF", save_all=True, append_images=pages[1:])

    items = list(parse(path))

    assert [(each.page, each.text) for each in items if isinstance(each, Element)] == [
        (1, "First page"),
        (2, "Second page"),
    ]
    assert [each for each in items if isinstance(each, Pages)] == [Pages(n, 2) for n in range(3)]


def test_of_a_moving_picture_the_first_frame_is_read(tmp_path: Path) -> None:
    frames = [drawn("First frame"), drawn("Second frame")]
    path = saved(tmp_path / "a", frames[0], "GIF", save_all=True, append_images=frames[1:])

    assert [each.text for each in elements(path)] == ["First frame"]


def test_photo_is_turned_as_its_camera_was_held(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = TURNED_LEFT
    path = saved(tmp_path / "a", drawn(WORDS).rotate(90, expand=True), "JPEG", exif=exif)

    assert [each.text for each in elements(path)] == [WORDS]


def test_headline_and_text_are_told_apart(tmp_path: Path) -> None:
    picture = drawn(
        "", "", "Boats moor at the outer pier.", "Ask Noor for the key.", size=(560, 240)
    )
    picture.paste(drawn("Harbor", size=(300, 90), letters=56), (0, 0))

    found = elements(saved(tmp_path / "a", picture, "PNG"))

    assert [(each.kind, each.heading_path) for each in found] == [
        (ElementKind.TITLE, ("Harbor",)),
        (ElementKind.TEXT, ("Harbor",)),
    ]


def test_text_of_a_long_strip_is_read_whole_and_once(tmp_path: Path) -> None:
    lines = [f"Message {number} of it" for number in range(20)]
    picture = drawn(*lines, size=(300, 800), letters=24)

    (element,) = elements(saved(tmp_path / "a", picture, "PNG"))

    assert " ".join(element.text.split()) == " ".join(lines)


def test_empty_picture_has_no_elements(tmp_path: Path) -> None:
    assert elements(saved(tmp_path / "a", drawn(), "PNG")) == []


def test_picture_of_a_few_dots_has_no_elements(tmp_path: Path) -> None:
    assert elements(saved(tmp_path / "a", drawn(size=(3, 2_000)), "PNG")) == []


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16", "F"])
def test_every_mode_becomes_dark_letters_on_white(tmp_path: Path, mode: str) -> None:
    opened = frame_of(tmp_path / "a", in_mode(drawn(WORDS), mode))

    shades = np.asarray(opened.convert("L"))
    assert opened.mode == "RGB"
    assert opened.size == (480, 90)
    assert int(shades[0, 0]) > 240
    assert int(shades.min()) < 60


def in_mode(picture: Image.Image, mode: str) -> Image.Image:
    if mode == "I;16":
        return Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 9)
    if mode in {"LA", "RGBA"}:  # white is transparent, and black below
        clear = Image.new("L", picture.size)
        return Image.merge(
            mode, [clear] * (len(mode) - 1) + [picture.convert("L").point(lambda v: 255 - v)]
        )
    return picture.convert(mode)


def frame_of(path: Path, picture: Image.Image) -> Image.Image:
    format_name = "TIFF" if picture.mode in {"F", "CMYK"} else "PNG"
    with Image.open(saved(path, picture, format_name)) as opened:
        return image._frame(opened, 1)


@pytest.mark.parametrize(
    ("size", "expected"),
    [((800, 600), (800, 600)), ((7_000, 3_500), (3_500, 1_750)), ((2_400, 9_600), (1_200, 4_800))],
)
def test_large_picture_is_scaled_down_and_a_long_one_keeps_its_width(
    tmp_path: Path, size: tuple[int, int], expected: tuple[int, int]
) -> None:
    assert frame_of(tmp_path / "a", Image.new("L", size, 255)).size == expected


def test_picture_with_too_many_pixels_is_refused_before_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image, "MOST_PIXELS", 2_000_000)
    path = saved(tmp_path / "a", Image.new("1", (2_000, 1_001)), "PNG")
    path.write_bytes(path.read_bytes()[:60])  # nothing is left to decode

    with pytest.raises(
        Permanent, match=r"^Has more than 2 million pixels\. Scale the picture down"
    ):
        list(parse(path))


def test_picture_with_absurdly_many_pixels_is_refused_at_once(tmp_path: Path) -> None:
    content = io.BytesIO()
    Image.new("1", (8, 8)).save(content, "BMP")
    head = bytearray(content.getvalue())
    head[18:26] = (60_000).to_bytes(4, "little") * 2
    (tmp_path / "a").write_bytes(head)

    with pytest.raises(Permanent, match="Has more than 120 million pixels"):
        list(parse(tmp_path / "a"))


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "WEBP", "GIF", "TIFF"])
def test_picture_that_breaks_off_is_told_as_damaged(tmp_path: Path, format_name: str) -> None:
    path = saved(tmp_path / "a", drawn(WORDS), format_name)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    with pytest.raises(Permanent, match=r"^The file is damaged: "):
        list(parse(path))


def test_file_that_only_begins_like_a_picture_is_told_as_damaged(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x89PNG\r\n\x1a\n" + b"no picture at all" * 9)

    with pytest.raises(Permanent, match=r"^The file is damaged: it cannot be read as a picture\.$"):
        list(parse(tmp_path / "a"))
