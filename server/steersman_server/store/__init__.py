"""The store: what is durable. SQL lives here and nowhere else; decisions never do."""
