"""``python -m tapviz``."""

import sys

from tapviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
