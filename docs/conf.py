"""The documentation site: ``python -m sphinx -W --keep-going -b html docs docs/_build/html``."""

import os
import sys
from pathlib import Path

DOCS = Path(__file__).parent
# This tree is what is documented, here and in what is run for the pages; without one in it, the
# tapviz that is installed.
sys.path[:0] = [str(DOCS / "_ext"), str(DOCS.parent)]
os.environ["PYTHONPATH"] = os.pathsep.join(
    [*sys.path[:2], *filter(None, [os.environ.get("PYTHONPATH")])]
)

import commands  # noqa: E402

import tapviz  # noqa: E402

project = "tapviz"
author = "The tapviz developers"
project_copyright = author
version = release = tapviz.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "commands",
    "lesson",
    "mathml",
    "offline",
    "registries",
    "signatures",
]
exclude_patterns = [
    "_build",
    "_ext",
    "jupyter_execute",
    "_generated/parts",
    "**/.ipynb_checkpoints",
    "**/data",
    "upstream",  # patches and letters, for Bokeh
]
# A name in single backticks is a link if it is documented, and code if not.
default_role = "py:obj"
# The two hyphens of an option are two hyphens.
smartquotes = False

# Pages of one's own names are written by _ext/registries.py.
autosummary_generate = False
# Types of parameters are in the docstrings, with shapes; registries.py adds those of results.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 80
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
# Sections have known names, and describe parameters that there are.
numpydoc_validation_checks = {"GL06", "PR02", "PR05", "PR10"}

myst_enable_extensions = ["deflist", "dollarmath", "colon_fence"]
myst_heading_anchors = 3
# Code on the pages is executed among the files that the pages are about.
os.environ["TAPVIZ_EXAMPLES"] = str(commands.example_files())
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_output_stderr = "error"
nb_merge_streams = True

html_theme = "pydata_sphinx_theme"
html_title = "tapviz"
DRAW = Path(tapviz.__file__).parent / "draw"
html_css_files = ["tokens.css", "controls.css", "tapviz.css"]
html_static_path = [
    "_static",
    *(str(DRAW / name) for name in ("tokens.css", "controls.css", "fonts/inter.woff2")),
]
html_js_files = ["names.js"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navigation_with_keys": True,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "gallery": [], "data": []}
