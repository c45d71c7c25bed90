"""Pictures: columns(...) makes named layers of arrays, draw(columns) a HoloViews element."""
