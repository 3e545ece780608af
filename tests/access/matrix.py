"""The rows of the access matrix, gathered from the module of each noun in `tests/access/rows`."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from tests.access import rows
from tests.access.row import Row

_MODULES: list[ModuleType] = [
    import_module(f"{rows.__name__}.{module.name}") for module in iter_modules(rows.__path__)
]
ROWS: list[Row] = [row for module in _MODULES for row in getattr(module, "ROWS", [])]
# Addresses that answer everybody the same, before anybody has signed in.
PUBLIC: set[str] = {name for module in _MODULES for name in getattr(module, "PUBLIC", set())}
