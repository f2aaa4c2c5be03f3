import os
import shutil

islink, readlink = os.path.islink, os.readlink


def which(exe=None):
    return shutil.which(exe) if exe else None


def which_bin(exes):
    for exe in exes or ():
        found = which(exe)
        if found:
            return found
    return None


def join(*parts, **kwargs):
    parts = [str(p) for p in parts]
    if not parts:
        return ""
    return os.path.normpath(os.path.join(parts[0], *[p.lstrip("/") for p in parts[1:]]))


def os_walk(top, *args, **kwargs):
    return os.walk(top, *args, **kwargs)


def expand(path):
    return os.path.expanduser(os.path.expandvars(path))


def check_or_die(command):
    from salt.exceptions import CommandNotFoundError
    if command is None:
        raise CommandNotFoundError("'None' is not a valid command.")
    if not which(command):
        raise CommandNotFoundError("'%s' is not in the path" % command)
