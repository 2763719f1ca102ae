// The baseline: a program that does nothing.
