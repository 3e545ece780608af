"""How moments are written where a page does not say."""
