"""Runs of the user's Python bodies: two ways to watch them, and what each leaves."""
