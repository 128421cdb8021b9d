"""Turns as a runner holds them. Sockets and streams never live here."""
