"""`offline`: the model without a key, a network or a language model; it chooses by words alone."""
