"""Pages drawn by a child program, kept in the storage, and gone with their document."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as project
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from PIL import Image

from ingest.models import Document
from ingest.services import page_images
from ingest.services.documents import delete_document
from ingest.services.page_files import page_file
from ingest.services.page_images import (
    LOCKED,
    NOT_SHOWN,
    PageNotShown,
    PagesBusy,
    is_drawable,
    open_page_image,
    page_total,
)
from ingest.tasks import sweep_orphan_files
from memory.models import Principal, User, across_owners, acting_as
from memory.services.removal import remove_account
from tests.cases.handed import at_once
from tests.fixtures import add_document
from tests.locked_pdf import locked_pdf
from tests.stored_pages import GREEN, pdf_of, picture_of, pixels, store

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_home(settings: Any, tmp_path: Any) -> None:
    settings.LONGHAND_HOME = tmp_path


@pytest.fixture
def keep(alice: User) -> Callable[..., Document]:
    def kept(name: str, content: bytes, **columns: Any) -> Document:
        return store(alice, name, content, **columns)

    return kept


def test_page_of_a_pdf_is_drawn_in_its_shape_with_its_text_at_its_place(
    keep: Callable[..., Document],
) -> None:
    document = keep("a.pdf", pdf_of("First", "Second page"), pages_total=2)

    picture = pixels(open_page_image(document, 2))

    assert picture.width / picture.height == pytest.approx(210 / 297, abs=0.01)
    assert picture.width == pytest.approx(1_240, abs=2)
    upper_left = picture.crop((0, 0, picture.width // 2, picture.height // 6))
    rest = picture.crop((0, picture.height // 5, *picture.size))
    assert upper_left.convert("L").getextrema()[0] < 60 < rest.convert("L").getextrema()[0]


def test_page_is_drawn_once_and_then_comes_from_the_storage(
    keep: Callable[..., Document],
) -> None:
    document = keep("a.pdf", pdf_of("Only"))
    first = open_page_image(document, 1).read()
    default_storage.delete(document.file)

    again = open_page_image(document, 1).read()

    assert again == first
    assert default_storage.listdir(f"pages/{document.pk}")[1] == ["1.webp"]


@pytest.mark.parametrize("size", [(20_000, 30_000), (14_400, 3), (3, 14_400), (2, 2)])
def test_page_of_any_size_becomes_a_picture_within_bounds(
    keep: Callable[..., Document], size: tuple[int, int]
) -> None:
    picture = pixels(open_page_image(keep("a.pdf", pdf_of("x", size=size)), 1))

    assert picture.width * picture.height <= 4_100_000
    assert max(picture.size) <= 16_383


def test_picture_is_shown_upright_and_within_bounds(keep: Callable[..., Document]) -> None:
    exif = Image.Exif()
    exif[274] = 6  # the camera was held on its side
    document = keep("photo.jpg", picture_of((3_200, 2_400), exif=exif.tobytes()))

    picture = pixels(open_page_image(document, 1))

    assert picture.width < picture.height
    assert picture.width * picture.height <= 4_100_000
    assert picture.getpixel((5, 5)) == pytest.approx(GREEN, abs=6)


def test_locked_pdf_has_no_pages_to_show_and_says_so(keep: Callable[..., Document]) -> None:
    document = keep("locked.pdf", locked_pdf())

    with pytest.raises(PageNotShown, match="with a password"):
        open_page_image(document, 1)

    assert not default_storage.exists(page_file(document.pk, 1))
    assert "Save the file" in LOCKED


def test_locked_pdf_that_is_deleted_meanwhile_says_the_same(keep: Callable[..., Document]) -> None:
    document = keep("locked.pdf", locked_pdf())
    with across_owners():
        Document.objects.filter(pk=document.pk).delete()

    with pytest.raises(PageNotShown, match="with a password"):
        open_page_image(document, 1)


@pytest.mark.parametrize("content", [b"%PDF-1.7 cut off", pdf_of("First")[:400]])
def test_damaged_file_has_no_pages_and_is_not_opened_at_each_look(
    keep: Callable[..., Document], content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    document = keep("cut.pdf", content)
    with pytest.raises(PageNotShown, match=NOT_SHOWN):
        open_page_image(document, 1)
    default_storage.delete(document.file)
    default_storage.save(document.file, ContentFile(pdf_of("Whole")))

    with pytest.raises(PageNotShown, match=NOT_SHOWN):
        open_page_image(document, 1)

    assert "Traceback" not in caplog.text


def test_page_that_does_not_exist_is_not_shown(keep: Callable[..., Document]) -> None:
    with pytest.raises(PageNotShown):
        open_page_image(keep("a.pdf", pdf_of("First")), 2)


def test_file_that_is_gone_is_told_as_a_page_that_cannot_be_shown(
    keep: Callable[..., Document],
) -> None:
    document = keep("a.pdf", pdf_of("First"))
    default_storage.delete(document.file)

    with pytest.raises(PageNotShown, match=NOT_SHOWN):
        open_page_image(document, 1)


def test_no_more_pages_are_drawn_at_once_than_there_is_room_for(
    keep: Callable[..., Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_images, "WAIT_SECONDS", 0.05)
    document = keep("a.pdf", pdf_of("First"))
    taken = [page_images._drawing.acquire(blocking=False) for _ in range(page_images.AT_ONCE)]
    try:
        with pytest.raises(PagesBusy):
            open_page_image(document, 1)
    finally:
        for _ in taken:
            page_images._drawing.release()

    assert taken == [True] * page_images.AT_ONCE
    # Waiting is no fault of the page: the next look draws it.
    assert open_page_image(document, 1).read()


@pytest.mark.django_db(transaction=True)
def test_two_who_look_at_once_keep_one_file(keep: Callable[..., Document]) -> None:
    document = keep("a.pdf", pdf_of("First"))

    seen = at_once(2, lambda _: open_page_image(document, 1).read())

    assert seen[0] == seen[1]
    assert default_storage.listdir(f"pages/{document.pk}")[1] == ["1.webp"]


@pytest.mark.django_db(transaction=True)
def test_drawn_pages_go_with_their_document(keep: Callable[..., Document], alice: User) -> None:
    document, other = keep("a.pdf", pdf_of("First")), keep("b.pdf", pdf_of("Other"))
    for each in (document, other):
        open_page_image(each, 1)

    with acting_as(Principal(alice)):
        delete_document(principal=Principal(alice), document_id=document.pk)

    assert not default_storage.exists(f"pages/{document.pk}")
    assert default_storage.exists(page_file(other.pk, 1))


@pytest.mark.django_db(transaction=True)
def test_drawn_pages_go_with_their_account(
    keep: Callable[..., Document], alice: User, root: User
) -> None:
    document = keep("a.pdf", pdf_of("First"))
    open_page_image(document, 1)

    remove_account(principal=Principal(root, may_write_global=True), user_id=alice.pk)

    assert not default_storage.exists(f"pages/{document.pk}")


def test_sweep_removes_pages_of_no_document_and_those_not_drawn_lately(
    keep: Callable[..., Document],
) -> None:
    document = keep("a.pdf", pdf_of("First"))
    open_page_image(document, 1)
    stray = default_storage.save("pages/0199c7d2-0000-7000-8000-000000000000/1.webp", some())
    sweep_orphan_files()
    assert not default_storage.exists(stray)
    assert not default_storage.exists("pages/0199c7d2-0000-7000-8000-000000000000")
    assert default_storage.exists(page_file(document.pk, 1))

    with time_machine.travel(timezone.now() + timedelta(days=31)):
        sweep_orphan_files()

    assert not default_storage.exists(page_file(document.pk, 1))
    assert open_page_image(document, 1).read()


def some() -> "ContentFile[bytes]":
    return ContentFile(b"left behind")


def test_only_pdfs_and_pictures_are_drawn(alice: User) -> None:
    types = {
        "application/pdf": True,
        "image/png": True,
        "image/heic": True,
        "text/html": False,
        "image": False,
        "application/octet-stream": False,
    }

    for media_type, drawn in types.items():
        assert is_drawable(Document(media_type=media_type)) is drawn
    assert page_total(add_document(alice, "a.txt")) == 1


@pytest.mark.slow
def test_web_process_never_loads_what_reads_pages() -> None:
    program = (
        "import sys, dashboard.project.asgi, dashboard.project.urls\n"
        "print([name for name in ('pypdfium2', 'PIL') if name in sys.modules])"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project.BASE_DIR,
        env={"DJANGO_SETTINGS_MODULE": "dashboard.project.settings", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    assert ran.stdout.strip() == "[]"
