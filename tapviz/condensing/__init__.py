"""Results of any size, condensed exactly to what scores and plots ask of them.

Files are read a part at a time (`parts`), rows go into buckets by their query, each bucket becomes
retrieval lists (`buckets`), and these are cut where nothing is asked of them any more (`run`).
"""

from tapviz.condensing.cluster import Workers, workers_of
from tapviz.condensing.run import CondenseProgress, condense

__all__ = ["CondenseProgress", "Workers", "condense", "workers_of"]
