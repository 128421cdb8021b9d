"""Things that run by themselves: dispatcher, lease reaper, interrupt grace, housekeeping."""
