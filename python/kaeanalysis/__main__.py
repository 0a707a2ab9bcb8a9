"""The command line: ``kaeanalysis`` and ``python -m kaeanalysis`` are the same program."""

import signal
import sys

from ._core import run_cli


def main() -> int:
    """Run the command line with ``sys.argv`` and give its exit code."""
    # Work happens in Rust, where Python's handler would not be heard: Ctrl-C ends the program at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_cli(["kaeanalysis", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
