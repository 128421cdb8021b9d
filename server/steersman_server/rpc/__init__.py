"""The gRPC door: thin servicers that translate, call and translate; and the watches."""
