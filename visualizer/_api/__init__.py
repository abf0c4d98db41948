"""What `import visualizer` gives, loaded when it is first asked for."""
