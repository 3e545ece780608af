"""What no page uses any more is not sent to every browser."""

import re
from pathlib import Path

import unfold
from django.contrib import admin

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "dashboard" / "static"
# Put together from a kind, a scope or the level of a message, or set by htmx while it waits.
BUILT = re.compile(r"(k|s|n)-\w+|htmx-request")

# Set for the stylesheets of others, which read them: Tabler's and the admin's theme.
NAMED_BY_OTHERS = ("--tblr", "--color-", "--border-radius")


def text_of(folder: Path, pattern: str) -> str:
    files = [file for file in sorted(folder.rglob(pattern)) if "vendor" not in file.parts]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


USED = "".join(
    [
        text_of(ROOT / "templates", "*.html"),
        text_of(ROOT / "dashboard", "*.py"),
        text_of(ROOT / "memory" / "admin", "*.py"),
        text_of(STATIC, "*.js"),
    ]
)
# The admin's pages are made by two packages, in templates, widgets and scripts.
ADMINS = [Path(str(package.__file__)).parent for package in (unfold, admin)]
THEME = "".join(text_of(folder, pattern) for folder in ADMINS for pattern in ("*.html", "*.py"))
THEME += text_of(ADMINS[1] / "static", "*.js")
STYLES = re.sub(r"/\*.*?\*/", "", text_of(STATIC, "*.css"), flags=re.DOTALL)


def is_used(name: str, text: str = USED) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text))


def classes_of(styles: str) -> set[str]:
    selectors = re.sub(r"\{[^{}]*\}", "{}", styles)
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors))


def test_every_class_of_the_stylesheets_is_on_a_page() -> None:
    classes = classes_of(STYLES)
    unused = {name for name in classes if not is_used(name) and not BUILT.fullmatch(name)}
    of_admin = classes_of((STATIC / "css" / "admin.css").read_text(encoding="utf-8"))

    assert len(classes) > 50
    assert sorted(name for name in unused & of_admin if not is_used(name, THEME)) == []
    assert sorted(unused - of_admin) == []


def test_every_token_of_the_stylesheets_is_used() -> None:
    named = set(re.findall(r"(--[a-z][\w-]*)\s*:", STYLES))
    tokens = {name for name in named if not name.startswith(NAMED_BY_OTHERS)}

    assert sorted(name for name in tokens if f"var({name}" not in STYLES) == []


def test_every_icon_of_the_sprite_is_on_a_page() -> None:
    sprite = (STATIC / "sprite.svg").read_text(encoding="utf-8")

    icons = re.findall(r'id="i-([^"]+)"', sprite)
    assert icons
    assert [name for name in icons if f'"{name}"' not in USED] == []
