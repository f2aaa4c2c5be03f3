# YAML is gostate's own, so that it is Salt's whether or not PyYAML is there.
import salt


class YAMLError(Exception):
    pass


def safe_load(stream, Loader=None):
    text = stream.read() if hasattr(stream, "read") else stream
    return salt.BRIDGE["WIRE"].ask(read=text if isinstance(text, str) else text.decode(), format="yaml")


load = safe_load


def safe_dump(data, stream=None, **options):
    text = salt.BRIDGE["WIRE"].ask(write=data, format="yaml", options=options)
    if stream is None:
        return text
    stream.write(text)
    return None


dump = safe_dump
