"""Values, transitions and decisions. No await, SQL, protobuf or clock lives here."""
