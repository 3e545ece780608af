import pytest

from dashboard.overlaps import repeated_length


@pytest.mark.parametrize(
    ("before", "text", "repeated"),
    [
        ("First we draw. Then we build.", "Then we build. At last we paint.", "Then we build."),
        ("We draw. 然后我们建造房子。", "然后我们建造房子。最后我们涂漆。", "然后我们建造房子。"),
        ("It ends here.", "It begins anew.", ""),
        ("The end of the carpenters", "carpenters of the town", "carpenters"),
        ("The end of the carpenter", "carpenters of the town", ""),
        ("a b", "a b", ""),
        ("All of this is said twice.", "All of this is said twice.", "All of this is said twice."),
        ("Name | Day\nNoor | Friday", "Name | Day\nInes | Monday", "Name | Day\n"),
        ("Rota\nName | Day\nNoor | 5", "Rota\nName | Day\nInes | 1", "Rota\nName | Day\n"),
        ("Of May.\nName | Day\nNoor | 5", "Name | Day\nInes | 1", "Name | Day\n"),
        ("Name | Day\nNoor | Friday", "Name | Day", ""),
        ("Name | Day", "Other | Day\nInes | Monday", ""),
        ("Plan\nOne.", "Plan\nTwo.", ""),
    ],
)
def test_repetition_is_told_from_what_is_new(before: str, text: str, repeated: str) -> None:
    assert text[: repeated_length(before, text)] == repeated
