"""Opening any file: packed or not, checked as text; and problems with file, line and remedy."""
