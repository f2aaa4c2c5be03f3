import inspect
import shlex


def clean_kwargs(**kwargs):
    return {k: v for k, v in kwargs.items() if not k.startswith("__")}


def invalid_kwargs(invalid, raise_exc=True):
    from salt.exceptions import SaltInvocationError
    text = "The following keyword arguments are not valid: " + ", ".join("%s=%s" % i for i in invalid.items())
    if raise_exc:
        raise SaltInvocationError(text)
    return text


def get_function_argspec(func, is_class_method=None):
    return inspect.getfullargspec(func)


def split_input(val, mapper=None):
    mapper = mapper or (lambda x: x)
    parts = val if isinstance(val, list) else str(val).split(",")
    return [mapper(p.strip() if isinstance(p, str) else p) for p in parts]


def shlex_split(s, **kwargs):
    return shlex.split(s, **kwargs) if isinstance(s, str) else s


def test_mode(**kwargs):
    return any(v for k, v in kwargs.items() if k.lower() in ("test", "dry_run"))


def yamlify_arg(arg):
    from salt.utils import yaml
    return yaml.safe_load(arg) if isinstance(arg, str) else arg
