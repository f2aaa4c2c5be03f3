class DeserializationError(RuntimeError):
    pass


class SerializationError(RuntimeError):
    pass
