import pytest

from memory.domain.scripts import is_mostly_latin


@pytest.mark.parametrize(
    "text",
    [
        "The server is in Frankfurt.",
        "Žluťoučký kůň, œuvre, Straße, İstanbul, Nguyễn Thị Hạnh",
        "Ｆｕｌｌ ｗｉｄｔｈ",
        "𝐁𝐨𝐥𝐝 and ﬁligree",
        "The word 北京 means Beijing, and π is a number.",
        "12:30 — 14:00 🚀",
        "",
    ],
)
def test_latin_letters_are_told_with_their_accents_and_widths(text: str) -> None:
    assert is_mostly_latin(text)


@pytest.mark.parametrize(
    "text",
    [
        "我们的服务器在法兰克福。",
        "会議は毎週金曜日に京都で行われます。",
        "회의는 금요일에 있습니다",
        "Наш офис находится в Осло.",
        "Το γραφείο είναι στο Όσλο",
        "الاجتماع يوم الجمعة",
        "הפגישה ביום שישי",
        "बैठक शुक्रवार को है",
        "API 网关部署在法兰克福的数据中心",
    ],
)
def test_other_scripts_are_told(text: str) -> None:
    assert not is_mostly_latin(text)
