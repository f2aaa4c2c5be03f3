def is_linux():
    return True


def _no():
    return False


is_windows = is_darwin = is_sunos = is_smartos = is_freebsd = is_openbsd = is_netbsd = is_aix = is_proxy = _no
is_fedora = is_photonos = is_aarch64 = _no
