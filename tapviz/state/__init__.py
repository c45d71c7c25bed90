"""The one place of state: what the person chose, and what follows from it. No Panel here."""

from tapviz.state.choices import *
from tapviz.state.query_filter import *
from tapviz.state.settings import *
