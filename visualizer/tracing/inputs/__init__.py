"""What a person pasted or opened, by its kind: Python that is cleaned and mended, printed jaxprs, exported files."""
