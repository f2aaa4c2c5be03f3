import collections.abc


def traverse_dict(data, key, default=None, delimiter=":"):
    for part in key.split(delimiter):
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return default
    return data


def traverse_dict_and_list(data, key, default=None, delimiter=":"):
    for part in key.split(delimiter) if isinstance(key, str) else [key]:
        if isinstance(data, list):
            if str(part).lstrip("-").isdigit():
                try:
                    data = data[int(part)]
                    continue
                except IndexError:
                    return default
            data = next((d[part] for d in data if isinstance(d, dict) and part in d), traverse_dict_and_list)
            if data is traverse_dict_and_list:
                return default
        else:
            try:
                data = data[part]
            except (KeyError, TypeError, IndexError):
                return default
    return data


def is_true(value=None):
    if isinstance(value, str):
        return value.lower() in ("true", "1") if not value.isdigit() else int(value) > 0
    return bool(value)


def is_list(value):
    return isinstance(value, list)


def is_iter(thing, ignore=(str,)):
    return isinstance(thing, collections.abc.Iterable) and not isinstance(thing, tuple(ignore))


def is_dictlist(data):
    return isinstance(data, list) and bool(data) and all(isinstance(d, dict) and len(d) == 1 for d in data)


def repack_dictlist(data, strict=False, recurse=False, key_cb=None, val_cb=None):
    out = {}
    for item in data if isinstance(data, list) else [data]:
        for k, v in item.items() if isinstance(item, dict) else [(item, None)]:
            if recurse and is_dictlist(v):
                v = repack_dictlist(v, strict, recurse)
            k = key_cb(k) if key_cb else k
            out[k] = val_cb(k, v) if val_cb else v
    return out


def decode(data, *args, **kwargs):
    if isinstance(data, bytes):
        return data.decode("utf-8", "replace" if not kwargs.get("keep") else "strict")
    if isinstance(data, dict):
        return {decode(k): decode(v) for k, v in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)(decode(v) for v in data)
    return data


def compare_dicts(old=None, new=None):
    old, new = old or {}, new or {}
    return {k: {"old": old.get(k, ""), "new": new.get(k, "")}
            for k in list(old) + [k for k in new if k not in old] if old.get(k) != new.get(k)}


def compare_lists(old=None, new=None):
    out = {}
    added, gone = [i for i in new or () if i not in (old or ())], [i for i in old or () if i not in (new or ())]
    if added:
        out["new"] = added
    if gone:
        out["old"] = gone
    return out


def filter_falsey(data, recurse_depth=None, ignore_types=()):
    def keep(v):
        return type(v) in ignore_types or bool(v)
    if isinstance(data, dict):
        return type(data)((k, v) for k, v in data.items() if keep(v))
    return [v for v in data if keep(v)] if isinstance(data, (list, tuple)) else data


def flatten(data, levels=None, preserve_nulls=False, _ids=None):
    out = []
    for v in data:
        if v is None and not preserve_nulls:
            continue
        if isinstance(v, list) and levels != 0:
            out.extend(flatten(v, None if levels is None else levels - 1, preserve_nulls))
        else:
            out.append(v)
    return out


def stringify(data):
    return [str(v) for v in data]


def sorted_ignorecase(to_sort):
    return sorted(to_sort, key=lambda x: x.lower())
