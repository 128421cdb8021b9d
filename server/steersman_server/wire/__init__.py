"""Translation: request ⇄ command, value ⇄ resource, refusal ⇄ status. Nothing is decided here."""
