import contextlib
import fcntl
import os
import shutil
import stat
import tempfile


def fopen(*args, **kwargs):
    mode = kwargs.get("mode", args[1] if len(args) > 1 else "r")
    if "b" not in mode:
        kwargs.setdefault("encoding", "utf-8")
    return open(*args, **kwargs)


@contextlib.contextmanager
def flopen(*args, **kwargs):
    with fopen(*args, **kwargs) as f:
        fcntl.flock(f.fileno(), fcntl.LOCK_SH)
        yield f


@contextlib.contextmanager
def fpopen(*args, **kwargs):
    uid, gid, mode = (kwargs.pop(k, -1) for k in ("uid", "gid", "mode"))
    with fopen(*args, **kwargs) as f:
        path = args[0]
        if mode not in (-1, None):
            os.chmod(path, mode)
        os.chown(path, -1 if uid is None else uid, -1 if gid is None else gid)
        yield f


def mkstemp(*args, **kwargs):
    close = kwargs.pop("close_fd", True)
    kwargs.setdefault("prefix", "__salt.tmp.")
    fd, path = tempfile.mkstemp(*args, **kwargs)
    if not close:
        return fd, path
    os.close(fd)
    return path


def copyfile(source, dest, backup_mode="", cachedir=""):
    shutil.copyfile(source, dest)
    shutil.copymode(source, dest)


def rename(src, dst):
    os.rename(src, dst)


def remove(path):
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


safe_rm = remove


def rm_rf(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        remove(path)


def is_empty(filename):
    try:
        return os.stat(filename).st_size == 0
    except OSError:
        return False


def list_files(directory):
    out = {directory}
    for root, dirs, files in os.walk(directory):
        out.update(os.path.join(root, name) for name in dirs + files)
    return list(out)


def normalize_mode(mode):
    if mode is None:
        return None
    text = str(mode).replace("0o", "0").strip("'\"").lstrip("0")
    return (text or "0").zfill(4)


def st_mode_to_octal(mode):
    return "%04o" % stat.S_IMODE(mode)


@contextlib.contextmanager
def set_umask(mask):
    old = os.umask(mask) if mask is not None else None
    try:
        yield
    finally:
        if old is not None:
            os.umask(old)


def is_binary(path):
    with open(path, "rb") as f:
        return b"\0" in f.read(2048)
