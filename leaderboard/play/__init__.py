"""Games against the compiler: a state of a program, and what each action would give from there."""
