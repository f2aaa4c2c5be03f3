import json

JSONDecodeError = json.JSONDecodeError


def loads(s, **kwargs):
    return json.loads(s, **{k: v for k, v in kwargs.items() if k not in ("_json_module", "encoding")})


def load(fp, **kwargs):
    return loads(fp.read(), **kwargs)


def dumps(obj, **kwargs):
    kwargs.setdefault("ensure_ascii", False)
    return json.dumps(obj, **{k: v for k, v in kwargs.items() if k != "_json_module"})


def dump(obj, fp, **kwargs):
    fp.write(dumps(obj, **kwargs))


def find_json(raw):
    for start, c in enumerate(raw):
        if c in "[{":
            try:
                return json.JSONDecoder().raw_decode(raw[start:])[0]
            except ValueError:
                continue
    raise ValueError
