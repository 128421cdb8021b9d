"""The hub: one link a runner stream, the leases, and the text that streams through."""
