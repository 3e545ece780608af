"""What seals the values of the vault."""
