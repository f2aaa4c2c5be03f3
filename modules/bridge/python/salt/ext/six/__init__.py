PY2, PY3 = False, True
string_types, integer_types, text_type, binary_type, class_types = (str,), (int,), str, bytes, (type,)
MAXSIZE = 2 ** 63 - 1
unichr, int2byte = chr, lambda i: bytes((i,))


def iteritems(d, **kwargs):
    return iter(d.items())


def itervalues(d, **kwargs):
    return iter(d.values())


def iterkeys(d, **kwargs):
    return iter(d.keys())


def b(s):
    return s.encode("latin-1")


def u(s):
    return s


def reraise(tp, value, tb=None):
    raise value.with_traceback(tb)


def add_metaclass(metaclass):
    return lambda cls: metaclass(cls.__name__, cls.__bases__, dict(cls.__dict__))


def ensure_str(s, encoding="utf-8", errors="strict"):
    return s.decode(encoding, errors) if isinstance(s, bytes) else s


ensure_text = ensure_str
