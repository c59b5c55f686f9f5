"""A session in other forms, one file per form."""
