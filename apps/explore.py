"""The explorer: panel serve apps/explore.py [--args FILE... --labels TABLE]."""

import sys

import panel as pn

from tapviz.cli import explore_app

pn.extension("filedropper", browser_info=False)
explore_app(sys.argv[1:]).servable(title="tapviz")
