"""One verb a file: load, decide, record. Each runs inside one unit of work of the store."""
