"""What is read from the user's Python code and from the call stack."""
