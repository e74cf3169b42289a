check = lambda word: word
