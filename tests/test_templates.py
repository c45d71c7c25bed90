"""HTML from templates: what is put in is escaped, and nothing may be missing."""

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from tapviz.explorer.score_table import plain, subscripts
from tapviz.live.templates import Markup, render


def test_text_is_escaped_and_markup_is_not():
    text = render("method.html", words="<b>&", plain='"x"')
    assert "&lt;b&gt;&amp;" in text
    assert "<b>" not in text
    assert "&#34;x&#34;" in text
    assert "<sub>5</sub>" in render("method.html", words=Markup("E<sub>5</sub>"), plain="")


def test_what_is_missing_is_an_error():
    with pytest.raises(UndefinedError, match="plain"):
        render("method.html", words="")
    with pytest.raises(TemplateNotFound):
        render("nothing.html")


def test_subscripts_are_set_and_names_left_alone():
    text = "E_20, pooled ROC_50 of MMseqs2_iter3 <i>, E_k"
    assert str(subscripts(text)) == (
        "E<sub>20</sub>, pooled ROC<sub>50</sub> of MMseqs2_iter3 &lt;i&gt;, E<sub>k</sub>"
    )
    assert plain(text) == "E₂₀, pooled ROC₅₀ of MMseqs2_iter3 <i>, Eₖ"
