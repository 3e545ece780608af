"""Makes what a dotted path in the settings names, for every kind of backend."""

import importlib
from collections.abc import Mapping


class Unloadable(Exception):  # noqa: N818 - named for what the path is
    """A path that leads to nothing of use; `error` is None where it was made and is another thing.

    The caller words it, for it knows the setting and whether an option may be told.
    """

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__("is of another kind" if error is None else str(error))
        self.error = error


def load(dotted: str, options: Mapping[str, object], method: str) -> object:
    """What is at this dotted path, made with these options and sure to have this method.

    Raises: Unloadable.
    """
    module_path, _, name = dotted.rpartition(".")
    try:
        factory = getattr(importlib.import_module(module_path), name)
        made: object = factory(**options)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise Unloadable(error) from error
    if not hasattr(factory, method):
        raise Unloadable
    return made
