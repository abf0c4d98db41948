"""What functions are traced with: signatures that a person types, suggestions, arguments that are held static, objects."""
