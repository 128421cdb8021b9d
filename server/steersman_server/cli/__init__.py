"""What a person types to run the server and to manage its tokens."""
