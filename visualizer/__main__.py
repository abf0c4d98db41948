"""`python -m visualizer` is `jaxpr-visualizer`."""

from visualizer.cli import main

if __name__ == "__main__":
    main(prog_name="jaxpr-visualizer")
