"""What the command line decides before Django reads its settings."""

import argparse
import os
from collections.abc import MutableMapping, Sequence

SERVICES = ("up", "web", "worker")


def is_service(arguments: Sequence[str]) -> bool:
    """Whether this command runs Longhand or a part of it."""
    return len(arguments) > 1 and arguments[1] in SERVICES


def prepare_environment(
    arguments: Sequence[str], environment: MutableMapping[str, str] = os.environ
) -> None:
    """Carry options that settings depend on into the environment."""
    if not is_service(arguments):
        return
    environment["LONGHAND_PART"] = arguments[1]
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--port")
    parser.add_argument("--no-worker", action="store_true")
    options, _ = parser.parse_known_args(arguments[2:])
    if options.port is not None:
        environment["LONGHAND_PORT"] = options.port
    if options.no_worker:
        environment["LONGHAND_WITH_WORKERS"] = "no"
