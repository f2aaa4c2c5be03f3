import fnmatch
import re


def to_str(s, encoding=None, errors="strict", normalize=False):
    return s.decode(encoding or "utf-8", errors) if isinstance(s, (bytes, bytearray)) else s


to_unicode = to_str


def to_bytes(s, encoding=None, errors="strict"):
    return s.encode(encoding or "utf-8", errors) if isinstance(s, str) else bytes(s)


def to_num(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def to_none(text):
    return None if str(text).strip() == "" else text


def is_hex(value):
    try:
        int(value, 16)
        return True
    except (TypeError, ValueError):
        return False


def expr_match(line, expr):
    if line == expr or fnmatch.fnmatch(line, expr):
        return True
    try:
        return re.match(r"\A{}\Z".format(expr), line) is not None
    except re.error:
        return False


def contains_whitespace(text):
    return any(c.isspace() for c in text)


def dequote(value):
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value
