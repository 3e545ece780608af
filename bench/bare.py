"""Another program's own speed, in a warm process that does nothing else."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


@contextmanager
def bare(module: str) -> Iterator[Callable[[Path], float]]:
    """A call that gives the seconds that the module's process took for the file at a path.

    Raises: RuntimeError, by the call, if the process has ended.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", module],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def ask(path: Path) -> float:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("The other process was started without pipes.")
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{module} has ended at {path.name}.")
        return float(answer)

    try:
        yield ask
    finally:
        process.communicate()
