"""Pictures drawn: layers and axes to Bokeh, to matplotlib and to HoloViews."""
