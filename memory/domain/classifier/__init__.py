"""The classifier: decides what the rules are unsure of, from labelled messages, without a model."""
