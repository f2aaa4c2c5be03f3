import salt


def get(key, default=""):
    return salt.BRIDGE["SALT"]["config.get"](key, default)
