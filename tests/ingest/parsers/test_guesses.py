"""Short texts in old encodings that nobody states: each is told by its words."""

import pytest

from ingest.parsers.encodings import decode_text

TEXTS = [
    ("cp1251", "Привет, это обычный русский текст для проверки."),
    ("cp1251", "Склад\nГайка М8;120;шт\nБолт М6;40;шт"),
    ("cp1251", "Наименование,Цена\nЯблоки,12"),
    ("koi8_r", "Привет, это обычный русский текст для проверки."),
    ("koi8_r", "Склад\nГайка М8;120;шт\nБолт М6;40;шт"),
    ("koi8_r", "Наименование,Цена\nЯблоки,12"),
    ("iso8859_5", "Привет, это обычный русский текст для проверки."),
    ("cp866", "Привет, это обычный русский текст для проверки."),
    ("koi8_u", "Привіт, це звичайний український текст для перевірки."),
    ("cp1253", "Καλημέρα, αυτό είναι ένα ελληνικό κείμενο για δοκιμή."),
    ("cp1253", "Όνομα;Τιμή\nΜήλα;12"),
    ("iso8859_7", "Καλημέρα, αυτό είναι ένα ελληνικό κείμενο για δοκιμή."),
    ("cp1255", "שלום, זהו טקסט בעברית לבדיקה של הקידוד."),
    ("cp1255", "שם;מחיר\nתפוחים;12"),
    ("iso8859_8", "שלום, זהו טקסט בעברית לבדיקה של הקידוד."),
    ("cp1256", "مرحبا، هذا نص عربي لاختبار الترميز."),
    ("iso8859_2", "Zażółć gęślą jaźń, żarówka i łódź"),
    ("iso8859_2", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("iso8859_2", "Název;Cena\nŠroub;12"),
    ("iso8859_2", "Łódź i Gdańsk są w Polsce, a śnieg leży."),
    ("cp1250", "Zażółć gęślą jaźń, żarówka i łódź"),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    ("cp1250", "Název;Cena\nŠroub;12"),
    ("cp1250", "Łódź i Gdańsk są w Polsce, a śnieg leży."),
    ("cp1250", "Árvíztűrő tükörfúrógép"),
    ("cp1252", "Der schöne Preis – 15,50 €"),
    ("cp1252", "Le café est très “bon”, à bientôt l’ami"),
    ("cp1252", "Größe;Preis\nDübel;12"),
    ("cp1252", "El niño comió piñas en España, ¿verdad?"),
    ("cp1252", "naïve façade"),
    ("cp1252", "Ægir og Þór búa á Íslandi"),
    ("mac_roman", "Der schöne Preis – 15,50 €"),
    ("mac_roman", "Le café est très “bon”, à bientôt l’ami"),
    ("mac_roman", "Größe;Preis\nDübel;12"),
    ("mac_roman", "El niño comió piñas en España"),
    ("cp1254", "Türkiye’nin başkenti Ankara’dır; İstanbul güzel şehirdir."),
    ("cp1257", "Šiandien yra labai graži diena, ačiū už viską."),
    ("shift_jis", "これは日本語のテキストです。漢字も含まれています。"),
    ("shift_jis", "品名,価格\n電球,120\nネジ,5"),
    ("euc_jp", "これは日本語のテキストです。漢字も含まれています。"),
    ("euc_jp", "品名,価格\n電球,120\nネジ,5"),
    ("iso2022_jp", "これは日本語のテキストです。漢字も含まれています。"),
    ("gb18030", "这是一个中文文本，用于测试编码。"),
    ("gb18030", "名称,价格\n灯泡,120\n螺丝,5"),
    ("big5", "這是一個中文文本，用於測試編碼。"),
    ("big5", "名稱,價格\n燈泡,120\n螺絲,5"),
    ("euc_kr", "안녕하세요, 이것은 인코딩 테스트를 위한 한국어 텍스트입니다."),
    ("euc_kr", "이름,가격\n전구,120"),
    ("cp437", "Schöne Grüße aus München"),
    ("cp850", "Schöne Grüße aus München"),
]


@pytest.mark.parametrize(("encoding", "text"), TEXTS)
def test_text_in_an_old_encoding_is_read(encoding: str, text: str) -> None:
    assert decode_text(text.encode(encoding)) == text


@pytest.mark.parametrize(("encoding", "text"), dict(reversed(TEXTS)).items())
def test_long_text_tells_its_encoding_far_behind_its_start(encoding: str, text: str) -> None:
    long = "plain,words\n" * 9_000 + text

    assert decode_text(long.encode(encoding)) == long


def test_bytes_of_no_language_are_read_as_western() -> None:
    assert decode_text(b"caf\xe9") == "café"
    assert "words" in decode_text(bytes(range(128, 256)) + b" words")


def test_text_in_an_encoding_that_hardly_anybody_uses_is_read() -> None:
    text = "สวัสดีครับ นี่คือข้อความภาษาไทยสำหรับทดสอบการเข้ารหัสตัวอักษร"

    assert decode_text(text.encode("tis_620")) == text
