"""What keeps any page live: plots, texts, one change at a time, background work, notebooks."""
