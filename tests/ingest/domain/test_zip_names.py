import pytest

from ingest.domain.zip_names import guess_encoding


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp932", ["テスト.txt"]), ("cp932", ["議事録.docx", "東京/予算.xlsx"]),
        ("cp932", ["報告書A.txt"]), ("cp932", ["データー.csv"]),
        ("gb18030", ["测试文件.txt"]), ("gb18030", ["年度报告.pdf"]),
        ("cp437", ["Prüfbericht.pdf"]), ("cp437", ["Wörter/für.txt"]), ("cp437", ["größe.txt"]),
        ("cp437", ["café.txt"]), ("cp1252", ["Prüfung.txt"]), ("cp1252", ["Größe", "Übung"]),
        ("cp866", ["Отчёт.txt"]), ("cp1251", ["Отчет за год.txt"]),
        ("utf-8", ["Prüfbericht", "日本"]), ("ascii", ["plain.txt"]),
    ],
)  # fmt: skip
def test_names_are_read_in_the_encoding_in_which_they_read_like_words(
    encoding: str, names: list[str]
) -> None:
    raw = [name.encode(encoding) for name in names]

    assert [name.decode(guess_encoding(raw)) for name in raw] == names
