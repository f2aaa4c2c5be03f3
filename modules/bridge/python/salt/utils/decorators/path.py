import functools

import salt.utils.path
from salt.exceptions import CommandNotFoundError


def which(exe):
    def decorate(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            if salt.utils.path.which(exe) is None:
                raise CommandNotFoundError("The '%s' binary was not found in $PATH." % exe)
            return func(*args, **kwargs)
        return wrapped
    return decorate


def which_bin(exes):
    def decorate(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            if salt.utils.path.which_bin(exes) is None:
                raise CommandNotFoundError("None of provided binaries(%s) was not found in $PATH." % exes)
            return func(*args, **kwargs)
        return wrapped
    return decorate
