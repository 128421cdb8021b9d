"""The Steersman server: keeps sessions, turns and interrupts, and talks to runners and watchers."""
