import pytest

from dashboard.supervision.command_line import prepare_environment


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["up"], {"LONGHAND_PART": "up"}),
        (["web", "--port", "81"], {"LONGHAND_PART": "web", "LONGHAND_PORT": "81"}),
        (["up", "--port=81"], {"LONGHAND_PART": "up", "LONGHAND_PORT": "81"}),
        (["up", "--no-worker"], {"LONGHAND_PART": "up", "LONGHAND_WITH_WORKERS": "no"}),
        (["worker", "--name", "b"], {"LONGHAND_PART": "worker"}),
        (["migrate", "--port", "81"], {}),
        ([], {}),
    ],
)
def test_environment_carries_options_when_command_runs_a_part(
    arguments: list[str], expected: dict[str, str]
) -> None:
    environment: dict[str, str] = {}

    prepare_environment(["manage.py", *arguments], environment)

    assert environment == expected
