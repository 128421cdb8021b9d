"""Harnesses: what answers a turn. Links, frames and processes never live here."""
