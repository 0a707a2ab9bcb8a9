"""What can go wrong, with the same text as on the command line."""

__all__ = ["FileError", "InputError", "KaeAnalysisError"]


class KaeAnalysisError(Exception):
    """Base of all errors of this package."""


class InputError(KaeAnalysisError, ValueError):
    """Data or arguments that do not make sense; the message says where and what would be right."""


class FileError(KaeAnalysisError, OSError):
    """A file that cannot be read or written, or that exists already."""


for _error in (KaeAnalysisError, InputError, FileError):
    _error.__module__ = "kaeanalysis"
