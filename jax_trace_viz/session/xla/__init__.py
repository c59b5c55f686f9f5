"""What XLA made of a trace's equations, read from the optimised HLO of the executable that the program compiled."""
