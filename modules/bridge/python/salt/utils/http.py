import salt


def query(url, method="GET", **kwargs):
    kwargs.pop("opts", None)
    return salt.BRIDGE["SALT"]["http.query"](url, method=method, **kwargs)
