"""Compare the scores of a search with those of the last release: python gate.py NEW OLD."""

import json
import sys

MOST = 0.01  # loss of TAP-k that is still accepted

new, old = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
failed = False
for now, before in zip(new["algorithms"], old["algorithms"], strict=True):
    for at, was in zip(now["thresholds"], before["thresholds"], strict=True):
        if at["tap"] is None:
            print(f"{now['algorithm']}: {at['name']} is undefined: {at['reason']}")
            failed = True
        elif at["tap"] < was["tap"] - MOST:
            print(f"{now['algorithm']}: {at['name']} fell from {was['tap']:.3f} to {at['tap']:.3f}")
            failed = True
        else:
            print(f"{now['algorithm']}: {at['name']} {at['tap']:.3f}, was {was['tap']:.3f}")
sys.exit(failed)
