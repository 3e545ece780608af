"""What no page uses any more is not sent to every browser."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "dashboard" / "static"
# Put together from a kind, a scope or the level of a message.
BUILT = re.compile(r"(k|s|n)-\w+")

# Set for the stylesheets of others, which read them: Tabler's and the admin's theme.
NAMED_BY_OTHERS = ("--tblr", "--color-", "--border-radius")


def text_of(folder: Path, pattern: str) -> str:
    files = [file for file in sorted(folder.rglob(pattern)) if "vendor" not in file.parts]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


USED = "".join(
    [
        text_of(ROOT / "templates", "*.html"),
        text_of(ROOT / "dashboard", "*.py"),
        text_of(STATIC, "*.js"),
    ]
)
STYLES = re.sub(r"/\*.*?\*/", "", text_of(STATIC, "*.css"), flags=re.DOTALL)


def is_used(name: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", USED))


def test_every_class_of_the_stylesheets_is_on_a_page() -> None:
    selectors = re.sub(r"\{[^{}]*\}", "{}", STYLES)
    classes = set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors))

    assert len(classes) > 50
    assert sorted(name for name in classes if not is_used(name) and not BUILT.fullmatch(name)) == []


def test_every_token_of_the_stylesheets_is_used() -> None:
    named = set(re.findall(r"(--[a-z][\w-]*)\s*:", STYLES))
    tokens = {name for name in named if not name.startswith(NAMED_BY_OTHERS)}

    assert sorted(name for name in tokens if f"var({name}" not in STYLES) == []


def test_every_icon_of_the_sprite_is_on_a_page() -> None:
    sprite = (STATIC / "sprite.svg").read_text(encoding="utf-8")

    icons = re.findall(r'id="i-([^"]+)"', sprite)
    assert icons
    assert [name for name in icons if f'"{name}"' not in USED] == []
