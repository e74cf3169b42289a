def connect():
    raise ConnectionError("no server")


connect()
