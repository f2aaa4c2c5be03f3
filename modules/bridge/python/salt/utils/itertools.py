def split(orig, sep=None):
    yield from orig.split(sep)


def read_file(fh_, chunk_size=1048576):
    while True:
        chunk = fh_.read(chunk_size)
        if not chunk:
            return
        yield chunk
