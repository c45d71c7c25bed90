"""The explorer: panel serve apps/explore.py [--args FILE... --labels TABLE]."""

import sys

import panel as pn

from tapviz.cli import app

pn.extension("filedropper", browser_info=False)
app(sys.argv[1:]).servable(title="tapviz")
