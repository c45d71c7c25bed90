"""The lesson "Why pooled ROC_n misleads": panel serve apps/lesson.py."""

import sys

import panel as pn

from tapviz.cli import app

pn.extension("filedropper", browser_info=False)
app(sys.argv[1:], learn=True).servable(title="tapviz: why pooled ROC_n misleads")
