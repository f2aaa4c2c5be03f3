import types


def namespaced_function(function, global_dict, defaults=None, preserve_context=None):
    out = types.FunctionType(function.__code__, global_dict, function.__name__,
                             defaults or function.__defaults__, function.__closure__)
    out.__dict__.update(function.__dict__)
    return out


def alias_function(fun, name, doc=None):
    out = types.FunctionType(fun.__code__, fun.__globals__, name, fun.__defaults__, fun.__closure__)
    out.__dict__.update(fun.__dict__)
    out.__doc__ = doc or fun.__doc__
    return out
