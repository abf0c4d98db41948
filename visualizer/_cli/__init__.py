"""What the commands do, one module each; imported only when the command runs."""
