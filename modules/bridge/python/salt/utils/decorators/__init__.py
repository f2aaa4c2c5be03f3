import functools


def depends(*dependencies, **kwargs):
    """The decorated function stays: what it misses it says itself when it is called."""
    if dependencies and callable(dependencies[0]):
        return dependencies[0]
    return lambda fun: fun


def memoize(func):
    return functools.lru_cache(maxsize=None)(func)


def timing(func):
    return func


def ignores_kwargs(*names):
    def decorate(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            return func(*args, **{k: v for k, v in kwargs.items() if k not in names})
        return wrapped
    return decorate


def is_deprecated(*args, **kwargs):
    return lambda func: func


with_deprecated = is_deprecated
