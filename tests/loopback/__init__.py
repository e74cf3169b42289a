"""A model server on this machine, scripted by the test that starts it, for tests and benchmarks."""
