# It has a token of its own, and is an unknown address to everybody while none is set.
PUBLIC = {"metrics"}
