"""Compare scores with those of the last release: python gate.py NEW OLD."""

import json
import sys

MOST = 0.01  # loss of TAP-k that is still accepted


def load(path):
    """TAP at each threshold of each program, in a file of `tapviz score --output json`."""
    with open(path, encoding="utf-8") as file:
        scores = json.load(file)
    return {
        (one["algorithm"], at["name"]): at
        for one in scores["algorithms"]
        for at in one["thresholds"]
    }


new, old = load(sys.argv[1]), load(sys.argv[2])
worse = False
for name, at in new.items():
    before = old[name]["tap"]
    if at["tap"] is None:
        print(*name, "is undefined:", at["reason"])
        worse = True
    else:
        print(*name, f"{at['tap']:.3f}, was {before:.3f}")
        worse |= at["tap"] < before - MOST
sys.exit(worse)
