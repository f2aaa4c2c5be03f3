# The far side of gostate's bridge: loads the Python of a tree and runs it for gostate. docs/bridge.md says what goes over
# the wire. This file is read from the pipe that starts it; it writes nothing to the disk.
import atexit
import base64
import collections
import datetime
import importlib.abc
import importlib.util
import inspect
import functools
import json
import logging
import os
import sys
import threading
import traceback
import types

PREFIX = "gostate.loaded.ext."
TAGS = {"modules": "module", "states": "states", "grains": "grains", "renderers": "renderers", "pillar": "pillar",
        "utils": "utils"}


# --- the wire ---------------------------------------------------------------------------------------------------------

def encode(v):
    """v as JSON holds it; what JSON has not is {"$": KIND, "v": ...}."""
    if v is None or isinstance(v, (bool, int, str)):
        return v
    if isinstance(v, float):
        if v == v and v not in (float("inf"), float("-inf")):
            return v
        return {"$": "float", "v": str(v)}
    if isinstance(v, tuple):
        return {"$": "tuple", "v": [encode(i) for i in v]}
    if isinstance(v, (set, frozenset)):
        return {"$": "set", "v": [encode(i) for i in sorted(v, key=repr)]}
    if isinstance(v, (bytes, bytearray)):
        return {"$": "bytes", "v": base64.b64encode(bytes(v)).decode()}
    if isinstance(v, collections.abc.Mapping):
        if all(isinstance(k, str) for k in v) and "$" not in v:
            return {k: encode(i) for k, i in v.items()}
        return {"$": "dict", "v": [[encode(k), encode(i)] for k, i in v.items()]}
    if isinstance(v, (list, collections.abc.Sequence, collections.abc.KeysView, collections.abc.ValuesView,
                      collections.abc.ItemsView, types.GeneratorType, map, filter, range)):
        return [encode(i) for i in v]
    if isinstance(v, (datetime.datetime, datetime.date)):
        return v.isoformat()
    return str(v)


def decode(v):
    if isinstance(v, list):
        return [decode(i) for i in v]
    if not isinstance(v, dict):
        return v
    kind = v.get("$")
    if kind is None:
        return {k: decode(i) for k, i in v.items()}
    v = v["v"]
    if kind == "tuple":
        return tuple(decode(i) for i in v)
    if kind == "set":
        return {decode(i) for i in v}
    if kind == "bytes":
        return base64.b64decode(v)
    if kind == "float":
        return float(v)
    return {decode(k): decode(i) for k, i in v}


class Wire:
    """Lines to gostate and back. What modules print goes to standard error."""

    def __init__(self):
        self.inp = sys.stdin.buffer
        self.out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self.lock = threading.RLock()

    def read(self):
        line = self.inp.readline()
        if not line:
            atexit._run_exitfuncs()  # what modules have registered; threads of theirs are not waited for
            os._exit(0)
        return decode(json.loads(line))

    def write(self, message):
        self.out.write(json.dumps(encode(message)).encode() + b"\n")
        self.out.flush()

    def ask(self, **message):
        """Asks gostate, which may have questions of its own before it answers."""
        with self.lock:
            self.write(message)
            while True:
                answer = self.read()
                if "op" not in answer:
                    break
                self.write(answer_to(answer))
        if "error" in answer:
            raise raised(answer["error"])
        return answer["ok"]


def raised(error):
    import builtins
    import salt.exceptions
    kind = getattr(salt.exceptions, error["type"], None) or getattr(builtins, error["type"], None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = salt.exceptions.CommandExecutionError
    return kind(error["message"])


# --- what modules are given -------------------------------------------------------------------------------------------

class Fetched(dict):
    """A dict that gostate has; it is fetched when it is first looked into."""

    def __init__(self, name):
        super().__init__()
        self.name, self.fetched = name, None

    def fetch(self):
        if self.fetched != STATE.turn:
            self.fetched = STATE.turn
            fresh = WIRE.ask(get=self.name)
            dict.clear(self)
            dict.update(self, fresh)


def fetching(method):
    original = getattr(dict, method)

    @functools.wraps(original)
    def wrapped(self, *args, **kwargs):
        self.fetch()
        return original(self, *args, **kwargs)
    return wrapped


for _m in ("__getitem__", "__contains__", "__iter__", "__len__", "__eq__", "__ne__", "__repr__", "__setitem__",
           "__delitem__", "__or__", "__ror__", "get", "keys", "values", "items", "copy", "pop", "popitem", "setdefault",
           "update"):
    setattr(Fetched, _m, fetching(_m))


class Functions(collections.abc.Mapping):
    """__salt__: the functions of the tree, and behind them gostate's own."""

    def __init__(self, kind):
        self.kind = kind

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise KeyError(name)
        fun = function(self.kind, name)
        if fun is not None:
            return fun
        if self.kind == "modules" and (name in known("modules") or name.partition(".")[0] in known("programs")):
            return functools.partial(remote, name)
        if self.kind == "states" and name in known("states"):
            return functools.partial(state, name)
        raise KeyError(name)

    def __contains__(self, name):
        try:
            self[name]
        except KeyError:
            return False
        return True

    def __iter__(self):
        names = [n for m in loaded(self.kind) for n in m.functions]
        own = sorted(known(self.kind)) if self.kind in ("modules", "states") else []
        return iter(names + [n for n in own if n not in names])

    def __len__(self):
        return len(list(iter(self)))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Part(self, name)


class Part:
    """salt.cmd.run: the functions of one module as attributes."""

    def __init__(self, functions, module):
        self.functions, self.module = functions, module

    def __getattr__(self, name):
        try:
            return self.functions[self.module + "." + name]
        except KeyError:
            raise AttributeError(name) from None


@functools.lru_cache(maxsize=None)
def known(what):
    return frozenset(WIRE.ask(get=what))


def remote(name, /, *args, **kwargs):
    kwargs = {k: v for k, v in kwargs.items() if not k.startswith("__pub_")}
    return WIRE.ask(call=name, args=list(args), kwargs=kwargs)


def state(name, /, *args, **kwargs):
    if args:
        kwargs["name"] = args[0]
    return WIRE.ask(state=name, kwargs=kwargs)


class Opts(dict):
    """__opts__: what gostate has, with what modules put into it."""


class State:
    """What changes from one question of gostate's to the next."""
    turn = 0
    sources = {}
    context = {}


STATE = State()
OPTS = Opts()


# --- loading ----------------------------------------------------------------------------------------------------------

class Module:
    """A loaded module of the tree: the functions by their full names, or why it has none."""

    def __init__(self, kind, name, python, functions, missing=None):
        self.kind, self.name, self.python, self.functions, self.missing = kind, name, python, functions, missing


LOADED = {}


class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the tree's modules, by which they import each other, and what stands in for Salt's own."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] == "salt":
            return self.of("salt", fullname, fullname)
        for kind in TAGS:
            spec = self.of(kind, fullname, fullname)
            if spec is not None:
                return spec
        return None

    def of(self, kind, name, fullname):
        """The module or package of a kind, to be known by its full name."""
        rel = name.replace(".", "/")
        for file, package in ((rel + "/__init__.py", True), (rel + ".py", False)):
            if file in STATE.sources.get(kind, {}):
                return self.spec(fullname, kind, file, package)
        return None

    def spec(self, fullname, kind, file, package):
        path = STATE.sources[kind][file]["path"]
        spec = importlib.util.spec_from_loader(fullname, self, origin=path, is_package=package)
        spec.loader_state = (kind, file)
        spec.has_location = True
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        kind, file = module.__spec__.loader_state
        source = STATE.sources[kind][file]
        module.__file__ = module.__spec__.origin
        if kind != "salt":
            give(module, kind)
        exec(compile(source["text"], module.__file__, "exec"), module.__dict__)


def give(module, kind):
    """Sets the names that Salt's loader puts into a module."""
    own = module.__dict__.get("__opts__")
    module.__opts__ = OPTS
    if isinstance(own, dict):
        for k, v in own.items():
            OPTS.setdefault(k, v)
    module.__salt__ = SALT
    module.__utils__ = UTILS
    module.__states__ = STATES
    module.__grains__ = GRAINS
    module.__pillar__ = PILLAR
    module.__context__ = STATE.context
    module.__proxy__ = {}
    module.__serializers__ = {}
    for name in ("__env__", "__sls__", "__id__", "__low__", "__lowstate__", "__running__", "__instance_id__",
                 "__run_num__"):
        module.__dict__.setdefault(name, None)


def entries(kind):
    """The modules of a kind: the names of files and of packages."""
    names = []
    for file in STATE.sources.get(kind, {}):
        top, _, rest = file.partition("/")
        if not rest and top.endswith(".py") and top != "__init__.py":
            names.append(top[:-3])
        elif rest == "__init__.py":
            names.append(top)
    return sorted(names)


def load(kind, name):
    key = (kind, name)
    if key not in LOADED:
        LOADED[key] = Module(kind, name, None, {}, "it imports itself")
        LOADED[key] = load_new(kind, name)
    return LOADED[key]


def load_new(kind, name):
    fullname = PREFIX + TAGS[kind] + "." + name
    spec = FINDER.of(kind, name, fullname)
    module = importlib.util.module_from_spec(spec)
    module.__name__ = fullname
    sys.modules[fullname] = module
    try:
        FINDER.exec_module(module)
        give(module, kind)
        if inspect.isfunction(module.__dict__.get("__init__")):
            module.__init__(OPTS)
        ok, called, why, aliases = virtual(module, name)
    except Exception as e:
        return Module(kind, name, module, {}, told(e))
    if not ok:
        return Module(kind, name, module, {}, why)
    return Module(kind, called, module, public(module, [called] + aliases))


def virtual(module, name):
    """What __virtual__ says: whether the module loads, its name, why not, its other names."""
    called = getattr(module, "__virtualname__", name)
    aliases = [a for a in getattr(module, "__virtual_aliases__", ())]
    fun = module.__dict__.get("__virtual__")
    if not inspect.isfunction(fun):
        return True, called, None, aliases
    said, why = fun(), None
    if isinstance(said, tuple):
        said, why = said[0], said[1]
    if not said:
        return False, called, why or "its __virtual__ function said %r" % (said,), aliases
    if isinstance(said, str):
        called = said
    return True, called, None, aliases


def public(module, names):
    out = {}
    listed = getattr(module, "__load__", None) or getattr(module, "__all__", None) or dir(module)
    for attr in listed:
        fun = getattr(module, attr)
        if attr.startswith("_") or not (inspect.isfunction(fun) or isinstance(fun, functools.partial)):
            continue
        if not (getattr(fun, "__module__", None) or "").startswith(PREFIX):
            continue
        called = getattr(module, "__func_alias__", {}).get(attr, attr)
        for name in names:
            out[name + "." + called] = fun
    return out


def loaded(kind):
    return [load(kind, name) for name in entries(kind)]


def function(kind, name):
    """A function of the tree: of the file that has the module's name, or of one that says it is called so."""
    wanted = name.partition(".")[0]
    if wanted in entries(kind) and name in load(kind, wanted).functions:
        return load(kind, wanted).functions[name]
    for m in loaded(kind):
        if name in m.functions:
            return m.functions[name]
    return None


# --- answers ----------------------------------------------------------------------------------------------------------

def told(e):
    """An exception in one line, with the place in the tree's file that it comes from."""
    text = "%s: %s" % (type(e).__name__, e)
    frames = [f for f in traceback.extract_tb(e.__traceback__) if not f.filename.startswith(("<", "gostate:"))]
    if isinstance(e, SyntaxError) and e.filename:
        return text
    if frames:
        text += " (%s:%d)" % (frames[-1].filename, frames[-1].lineno)
    return text


def failed(e):
    frames = [f for f in traceback.extract_tb(e.__traceback__) if not f.filename.startswith(("<", "gostate:"))]
    error = {"type": type(e).__name__, "message": str(e), "trace": traceback.format_exc()}
    if isinstance(e, SyntaxError) and e.filename:
        error.update(file=e.filename, line=e.lineno or 0, message=e.msg)
    elif frames:
        error.update(file=frames[-1].filename, line=frames[-1].lineno)
    return {"error": error}


def answer_to(q):
    try:
        return {"ok": OPERATIONS[q["op"]](q)}
    except SystemExit as e:
        return {"error": {"type": "SystemExit", "message": "the module called exit(%s)" % e.code}}
    except Exception as e:
        return failed(e)


def begin(q):
    STATE.sources = q["sources"]
    sys.meta_path.insert(0, FINDER)
    sys.path[:] = [p for p in sys.path if p]  # not the directory that gostate was called in
    logging.getLogger().addHandler(Log())
    logging.getLogger().setLevel(logging.DEBUG)
    OPTS.update(q["opts"])
    import salt
    salt.bridge(globals())
    return {"protocol": 1}


def describe(q):
    """The functions of a module: parameters as NAME, NAME=, *NAME, **NAME, and the docstring."""
    if q.get("name"):
        modules = [load(q["kind"], q["name"])] if q["name"] in entries(q["kind"]) else []
    else:
        modules = loaded(q["kind"])
    return [{"name": m.name, "file": n, "missing": str(m.missing) if m.missing is not None else None,
             "functions": {f: {"params": params(fun), "doc": inspect.getdoc(fun) or ""}
                           for f, fun in m.functions.items()}}
            for n, m in zip([q["name"]] if q.get("name") else entries(q["kind"]), modules)]


def params(fun):
    out = []
    for p in inspect.signature(fun).parameters.values():
        name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        if p.default is not p.empty and not name.startswith("*"):
            name += "="
        out.append(name)
    return out


def about(q):
    """Sets what Salt tells of the state that runs."""
    told = q.get("about") or {}
    for m in LOADED.values():
        if m.python is not None:
            for name, value in told.items():
                setattr(m.python, "__%s__" % name, value)


def call(q):
    STATE.turn += 1
    before = OPTS.get("test")
    if "test" in q:
        OPTS["test"] = q["test"]
    try:
        fun = function(q["kind"], q["fun"])
        if fun is None:
            raise KeyError(q["fun"])
        about(q)
        return fun(*q.get("args", []), **q.get("kwargs", {}))
    finally:
        OPTS["test"] = before


def grains(q):
    """All that the tree's grains say, merged in the order of the modules' names."""
    out = {}
    for m in loaded("grains"):
        if m.missing is not None:
            logging.getLogger(__name__).debug("grains of %s: %s", m.name, m.missing)
        for name, fun in sorted(m.functions.items()):
            try:
                takes = params(fun)
                said = fun(**({"grains": GRAINS} if "grains" in [t.strip("=") for t in takes] else {}))
            except Exception as e:
                logging.getLogger(__name__).error("grain function %s failed: %s", name, told(e))
                continue
            if isinstance(said, dict):
                out.update(said)
    return out


def run(q):
    """#!py: a module with a function run, whose result is the data."""
    STATE.turn += 1
    name = PREFIX + "sls." + (q.get("sls") or "file").replace(".", "_")
    module = types.ModuleType(name)
    module.__file__ = q["file"]
    give(module, "sls")
    told = {"__env__": q["saltenv"], "saltenv": q["saltenv"], "__sls__": q["sls"], "sls": q["sls"], "salt": SALT,
            "grains": GRAINS, "pillar": PILLAR, "opts": OPTS}
    told.update(q.get("vars") or {})
    module.__dict__.update(told)
    sys.modules[name] = module
    exec(compile(q["text"], q["file"], "exec"), module.__dict__)
    if not callable(module.__dict__.get("run")):
        raise SyntaxError("a #!py file needs a function run()", (q["file"], 1, 0, ""))
    return module.run()


def pyobjects(q):
    """#!pyobjects: a file whose calls are states."""
    from salt.utils import pyobjects as objects
    STATE.turn += 1
    return objects.render(q["text"], q["file"], q["sls"], q["saltenv"])


class Log(logging.Handler):
    def emit(self, record):
        try:
            WIRE.ask(log=record.levelname.lower(), text=record.getMessage())
        except Exception:
            pass


OPERATIONS = {"begin": begin, "describe": describe, "call": call, "grains": grains, "run": run,
              "pyobjects": pyobjects}
WIRE = Wire()
FINDER = Sources()
GRAINS, PILLAR = Fetched("grains"), Fetched("pillar")
SALT, STATES, UTILS = Functions("modules"), Functions("states"), Functions("utils")


def main(question):
    while True:
        WIRE.write(answer_to(question))
        question = WIRE.read()


main(decode(first))  # the line that this program came in
