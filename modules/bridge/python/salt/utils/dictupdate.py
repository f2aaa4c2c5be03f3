import copy


def update(dest, upd, recursive_update=True, merge_lists=False):
    for k, v in upd.items():
        old = dest.get(k)
        if recursive_update and isinstance(old, dict) and isinstance(v, dict):
            update(old, v, recursive_update, merge_lists)
        elif merge_lists and isinstance(old, list) and isinstance(v, list):
            dest[k] = old + [i for i in v if i not in old]
        else:
            dest[k] = v
    return dest


def merge_recurse(obj_a, obj_b, merge_lists=False):
    return update(copy.deepcopy(obj_a), copy.deepcopy(obj_b), merge_lists=merge_lists)


def merge_overwrite(obj_a, obj_b, merge_lists=False):
    return dict(copy.deepcopy(obj_a), **obj_b)


def merge(obj_a, obj_b, strategy="smart", renderer="yaml", merge_lists=False):
    if strategy == "overwrite":
        return merge_overwrite(obj_a, obj_b)
    if strategy == "list":
        return {k: [obj_a[k], obj_b[k]] if k in obj_a and k in obj_b else (obj_a.get(k, obj_b.get(k)))
                for k in {**obj_a, **obj_b}}
    if strategy == "none":
        return obj_a
    return merge_recurse(obj_a, obj_b, merge_lists)


def set_dict_key_value(in_dict, keys, value, delimiter=":", ordered_dict=False):
    path, at = keys.split(delimiter), in_dict
    for k in path[:-1]:
        at = at.setdefault(k, {})
    at[path[-1]] = value
    return in_dict


def update_dict_key_value(in_dict, keys, value, delimiter=":", ordered_dict=False):
    path, at = keys.split(delimiter), in_dict
    for k in path[:-1]:
        at = at.setdefault(k, {})
    at.setdefault(path[-1], {}).update(value)
    return in_dict


def append_dict_key_value(in_dict, keys, value, delimiter=":", ordered_dict=False):
    path, at = keys.split(delimiter), in_dict
    for k in path[:-1]:
        at = at.setdefault(k, {})
    at.setdefault(path[-1], []).append(value)
    return in_dict
