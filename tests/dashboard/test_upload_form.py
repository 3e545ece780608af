from dashboard.forms import UploadForm
from ingest.domain.media_types import FILE_ENDINGS


def test_file_dialog_offers_every_ending_that_is_read_and_any_other_text() -> None:
    form = UploadForm(readers=[("user", "you")])

    offered = form.fields["files"].widget.attrs["accept"].split(",")

    assert set(offered) == {*FILE_ENDINGS, "text/*"}
    assert f'accept="{",".join(offered)}"' in str(form["files"])
