"""What went wrong, in words: an exception of the paste as a diagnostic, and what to do about it."""
