"""An MLIR module as plain data, whoever made it: operations, places in its text, where its values come from."""
