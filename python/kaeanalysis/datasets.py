"""The documented studies: figures that vendors published, every one a single run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from ._core import Runs

__all__ = ["docker", "soft_ratio", "vkae_vm"]


def vkae_vm() -> Runs:
    """VKAE in an 8C16G virtual machine: off and on, sync and async, 1 and 4 workers (8 runs).

    >>> import kaeanalysis as ka
    >>> len(ka.datasets.vkae_vm())
    8
    """
    return _core.documented("vkae_vm")


def docker() -> Runs:
    """KAE off and on in a Docker container bound to four cores (2 runs)."""
    return _core.documented("docker")


def soft_ratio() -> Runs:
    """KAE off, and on with 33 % of RSA in software, on a whole machine (2 runs)."""
    return _core.documented("soft_ratio")
