"""The command line: one file a group of commands. The library never imports it."""
