"""Whether the crypto accelerator is worth it, and how sure that is.

Analysis of HTTPS throughput measurements with the Kunpeng Accelerator Engine (KAE): ratios and gains with confidence
intervals, figures, and reports.

>>> import kaeanalysis as ka
>>> speedup = ka.speedup(ka.datasets.vkae_vm())
>>> round(speedup.to_dicts()[3]["ratio"], 4)
3.2931

Importing this package imports neither polars nor pandas nor numpy.
"""

from . import datasets, plot
from ._core import (
    AnalysisWarning,
    Answer,
    Audit,
    Check,
    Comparison,
    Figure,
    Report,
    Runs,
    __version__,
    audit,
    check,
    compare,
    effects,
    interaction,
    power,
    quality,
    read_csv,
    read_outputs,
    report,
)
from ._errors import FileError, InputError, KaeAnalysisError
from ._questions import async_gain, speedup

__all__ = [
    "AnalysisWarning",
    "Answer",
    "Audit",
    "Check",
    "Comparison",
    "Figure",
    "FileError",
    "InputError",
    "KaeAnalysisError",
    "Report",
    "Runs",
    "__version__",
    "async_gain",
    "audit",
    "check",
    "compare",
    "datasets",
    "effects",
    "interaction",
    "plot",
    "power",
    "quality",
    "read_csv",
    "read_outputs",
    "report",
    "speedup",
]
