"""What no linter knows: sizes, names, doors and what may be loaded."""

import ast
import os
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeGuard

import pytest
from django.apps import apps

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("memory", "ingest", "dashboard")
LONGEST_BODY = 25
MODULES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "static" not in path.parts
)
CODE = [path for path in MODULES if "migrations" not in path.parts]
OTHERS = sorted(path for name in ("tests", "bench") for path in (ROOT / name).rglob("*.py"))

# Work that serves all owners at once: jobs, leases and what an embedder still has to do.
ACROSS_OWNERS = {
    "dashboard/queries/metrics.py",
    "dashboard/queries/scopes.py",
    "ingest/services/leases.py",
    "ingest/services/orphans.py",
    "ingest/services/scanning.py",
    "ingest/services/transfer/places.py",
    "memory/admin/sight.py",
    "memory/models/__init__.py",
    "memory/models/scoped.py",
    "memory/services/categories.py",
    "memory/services/counts.py",
    "memory/services/embeddings.py",
    "memory/services/doubts.py",
    "memory/services/languages.py",
    "memory/services/past_states.py",
    "memory/services/removal.py",
    "memory/services/turns.py",
    "memory/services/vault.py",
    "memory/tasks.py",
}
# The job wrapper and capture's savepoint; each logs and records the reason.
CATCH_ALL = {"memory/services/jobs.py", "memory/services/turns.py"}
# An interrupt counts too: whatever ends the work, what it had begun must be taken back.
CATCH_EVEN_INTERRUPTS = {
    "ingest/services/documents.py": "a stored file without its row would never be found again",
}
# Django's database backends are found by this name.
NAMED_BY_DJANGO = {"memory/db/embedded/base.py"}
MAY_SPELL_CONDITIONS = (
    "memory/models/",
    "memory/db/",
    "memory/recall/",
    "memory/services/",
    "ingest/models/",
    "ingest/services/",
    "dashboard/queries/",
)
# One row by its key or its address each, the broker's own table, and the grammar of filters.
SPELLS_CONDITIONS = {
    "dashboard/filters.py",
    "memory/admin/filters.py",
    "memory/backends/broker/orm.py",
    "memory/management/people.py",
    "memory/tasks.py",
}
HEAVY = (
    "torch", "sentence_transformers", "spacy", "unstructured", "openai", "jieba", "dateparser",
    "py3langid", "scipy", "sklearn",
)  # fmt: skip


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def longer_than(lines: int, paths: list[Path]) -> list[str]:
    assert paths
    return [
        named(path) for path in paths if len(path.read_text(encoding="utf-8").splitlines()) > lines
    ]


def test_no_module_has_more_than_400_lines() -> None:
    assert longer_than(400, CODE) == []


def test_no_function_has_a_body_of_more_than_25_lines() -> None:
    functions = [
        (named(path), node)
        for path in CODE
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]

    long = [(name, each.name) for name, each in functions if lines_of_body(each) > LONGEST_BODY]
    assert functions
    assert long == []


def lines_of_body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines the function has after its docstring."""
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    began = first.end_lineno or 0 if is_docstring else first.lineno - 1
    return (function.body[-1].end_lineno or 0) - began


def test_no_test_module_has_more_than_450_lines() -> None:
    assert longer_than(450, OTHERS) == []


def test_no_template_has_more_than_200_lines() -> None:
    assert longer_than(200, sorted((ROOT / "templates").rglob("*.html"))) == []


def test_every_model_with_a_scope_has_a_scoped_manager() -> None:
    scoped = [
        model
        for model in apps.get_models()
        if any(field.name == "scope" for field in model._meta.fields)
    ]

    bare = [
        model.__name__
        for model in scoped
        if type(model._default_manager).__name__ != "ScopedManager"
    ]

    assert scoped
    assert bare == []


def test_every_environment_setting_is_in_the_documentation() -> None:
    documented = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    settings, secrets = settings_read()

    missing = [name for name in settings if f"`{name}`" not in documented]
    missing += [name for name in secrets if f"`{name}_FILE`" not in documented]
    assert settings
    assert missing == []


def test_documentation_names_no_setting_that_nobody_reads() -> None:
    documented = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    settings, secrets = settings_read()

    rows = [line.split("|")[1] for line in documented.splitlines() if line.startswith("| `")]
    told = {word.strip().strip("`") for row in rows for word in row.split(",")}
    assert told == settings | {f"{name}_FILE" for name in secrets}


def settings_read() -> tuple[set[str], set[str]]:
    """The variables that the environment module reads, and those of them that are secrets."""
    read, secrets = set(), set()
    for node in nodes(ROOT / "dashboard/project/env.py"):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        given = [each.value for each in node.args if isinstance(each, ast.Constant)]
        if node.func.id.startswith("_") and given and str(given[0]).isupper():
            read.add(str(given[0]))
            if node.func.id == "_secret":
                secrets.add(str(given[0]))
    return read, secrets


def test_across_owners_is_used_in_the_named_files_only() -> None:
    using = {named(path) for path in CODE if "across_owners" in path.read_text(encoding="utf-8")}

    assert using == ACROSS_OWNERS


def test_nobody_reaches_beyond_their_own_scopes_but_a_superuser_in_the_admin() -> None:
    using = {named(path) for path in CODE if ".reaching(" in path.read_text(encoding="utf-8")}

    assert using == {"memory/admin/sight.py"}


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty_names = {"utils.py", "helpers.py", "base.py", "manager.py", "common.py", "misc.py"}

    assert {named(path) for path in CODE if path.name in empty_names} == NAMED_BY_DJANGO


def test_every_exception_is_caught_at_the_named_places_only() -> None:
    catching = {
        named(path)
        for path in CODE
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler) and catches_everything(node)
    }

    assert catching == CATCH_ALL


def test_interrupts_are_caught_at_the_named_places_only_and_raised_again() -> None:
    catching = {
        named(path): handlers
        for path in CODE
        if (handlers := [node for node in nodes(path) if catches_interrupts(node)])
    }

    assert catching.keys() == CATCH_EVEN_INTERRUPTS.keys()
    assert not any(catches_everything(each) for each in chain(*catching.values()))


def catches_interrupts(node: ast.AST) -> TypeGuard[ast.ExceptHandler]:
    if not isinstance(node, ast.ExceptHandler):
        return False
    return node.type is None or "BaseException" in {
        each.id for each in ast.walk(node.type) if isinstance(each, ast.Name)
    }


def catches_everything(handler: ast.ExceptHandler) -> bool:
    """Whether the handler swallows any error; one that raises it again only tidies up."""
    if handler.type is not None:
        caught = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
        if not caught & {"Exception", "BaseException"}:
            return False
    last = handler.body[-1]
    return not (isinstance(last, ast.Raise) and last.exc is None)


def test_conditions_are_spelled_below_pages_api_tasks_and_commands() -> None:
    spelling = {
        named(path)
        for path in CODE
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"filter", "annotate"}
        and not (isinstance(node.func.value, ast.Name) and node.func.value.id == "register")
    }

    outside = {name for name in spelling if not name.startswith(MAY_SPELL_CONDITIONS)}
    assert outside == SPELLS_CONDITIONS


@pytest.mark.slow
def test_web_application_loads_none_of_the_heavy_libraries() -> None:
    program = (
        "import sys, dashboard.project.asgi\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "dashboard.project.settings"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    assert ran.stdout.strip() == "[]"
