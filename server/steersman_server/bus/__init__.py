"""The bus: who is told what. It is the doorbell; the store holds the letter."""
