"""Figures, as SVG in a notebook and as SVG or PNG in a file.

>>> import kaeanalysis as ka
>>> ka.plot.forest(ka.speedup(ka.datasets.vkae_vm()))
<Figure: Requests/s: accelerator vKAE against none>
"""

from ._core import bars, forest

__all__ = ["bars", "forest"]
