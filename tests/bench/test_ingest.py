"""The documents' benchmark: its files and its report; the speeds themselves are not tested."""

from pathlib import Path

import pytest

from bench.generated_documents import MAKERS
from bench.ingest import PARTS, main
from ingest.domain.media_types import sniff_file


@pytest.mark.parametrize("kind", MAKERS)
def test_document_is_of_its_kind_and_of_a_common_size(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"report.{kind}"
    path.write_bytes(MAKERS[kind](3))

    assert sniff_file(path, path.name).id == kind
    assert 50_000 <= path.stat().st_size <= 200_000


@pytest.mark.parametrize("kind", sorted(set(MAKERS) - {"docx", "eml"}))
def test_same_seed_writes_the_same_document_and_another_one_does_not(kind: str) -> None:
    assert MAKERS[kind](3) == MAKERS[kind](3) != MAKERS[kind](4)


def test_unknown_part_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--only", "nothing"])

    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert all(name in told for name in PARTS)
