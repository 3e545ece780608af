"""Memories as other systems keep them: text and rows in, drafts of facts out."""
