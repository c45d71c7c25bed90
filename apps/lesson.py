"""The lesson "Why pooled ROC_n misleads": panel serve apps/lesson.py."""

import sys

import panel as pn

from tapviz.cli import lesson_app

pn.extension("filedropper", browser_info=False)
lesson_app(sys.argv[1:]).servable(title="tapviz: why pooled ROC_n misleads")
