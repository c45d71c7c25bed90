"""Opening any file, compressed or not, as checked text; problems with file, line and remedy."""
