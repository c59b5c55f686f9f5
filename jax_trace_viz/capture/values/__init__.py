"""What Python values and JAX types are, told without running any code of the program."""
