# The renderer pyobjects: SLS files as Python, whose states are calls (https://docs.saltproject.io, "pyobjects").
import os
import re

import salt

REQUISITES = ("listen", "onchanges", "onfail", "require", "watch", "use", "listen_in", "onchanges_in", "onfail_in",
              "require_in", "watch_in", "use_in")
IMPORT = re.compile(r"^(?:from\s+(?P<source>salt://\S+)\s+import\s+(?P<names>.+)|import\s+(?P<whole>salt://\S+))\s*$")


class StateError(Exception):
    """What a file says that is no state."""


class Rendering:
    """The states of one file, in the order in which they were called."""

    def __init__(self):
        self.states, self.extends, self.includes, self.within = {}, {}, [], []
        self.counts = True

    def add(self, state, to):
        if not self.counts:
            return
        for requisite in self.within:
            state.args.setdefault(requisite.kind, []).append(requisite.target())
        functions = to.setdefault(state.id, {})
        if state.function in functions:
            raise StateError("the ID %r has %s twice" % (state.id, state.function))
        functions[state.function] = [{k: state.args[k]} for k in sorted(state.args)]

    def data(self):
        out = dict(self.states)
        if self.includes:
            out["include"] = self.includes
        if self.extends:
            out["extend"] = self.extends
        return out


class Requisite:
    """Names a state: Pkg("nginx"). In a with statement all states in it get it, as the kind of requisite says."""

    def __init__(self, rendering, module, id_, kind="require"):
        if kind not in REQUISITES:
            raise StateError("%r is no requisite: one of %s" % (kind, ", ".join(REQUISITES)))
        self.rendering, self.module, self.id, self.kind = rendering, module, id_, kind

    def target(self):
        return {self.module: self.id}

    def __enter__(self):
        self.rendering.within.append(self)
        return self

    def __exit__(self, *raised):
        self.rendering.within.pop()


class State:
    """A state: Pkg.installed("nginx", ...)."""

    def __init__(self, rendering, module, function, id_, args):
        self.rendering, self.module, self.id, self.function = rendering, module, id_, module + "." + function
        self.args = {}
        for name, value in args.items():
            if name in REQUISITES:
                value = [v.target() if isinstance(v, (Requisite, State)) else v
                         for v in (value if isinstance(value, (list, tuple)) else [value])]
            self.args[name] = value

    def target(self):
        return {self.module: self.id}

    def __enter__(self):
        self.rendering.within.append(Requisite(self.rendering, self.module, self.id))
        return self

    def __exit__(self, *raised):
        self.rendering.within.pop()


class Factory:
    """A state module: Pkg."""

    def __init__(self, rendering, module, functions):
        self._rendering, self._module, self._functions = rendering, module, functions

    def __call__(self, id_, requisite="require"):
        return Requisite(self._rendering, self._module, id_, requisite)

    def __getattr__(self, function):
        if function not in self._functions:
            raise StateError("%s has no function %r" % (self._module, function))

        def made(id_, *args, **kwargs):
            if args:
                raise StateError("%s.%s takes its arguments by name" % (self._module, function))
            to = self._rendering.states
            if isinstance(id_, Extension):
                id_, to = id_.id, self._rendering.extends
            state = State(self._rendering, self._module, function, id_, kwargs)
            self._rendering.add(state, to)
            return state
        return made


class Extension:
    """extend("ID"), in the place of an ID: the state is one of another file, that is changed."""

    def __init__(self, id_):
        self.id = id_


class Modules:
    """salt.cmd.run(...)"""

    def __getattr__(self, module):
        return _Module(module)


class _Module:
    def __init__(self, module):
        self.module = module

    def __getattr__(self, function):
        return salt.BRIDGE["SALT"][self.module + "." + function]


class MapMeta(type):
    """Map classes choose their attributes by grains: a class inside is named as the value of the grain os_family, or says
    __grain__ and __match__; `priority` orders the grains, the pillar that `merge` names wins."""

    def __init__(cls, name, bases, attributes):
        super().__init__(name, bases, attributes)
        found = []
        for key, inner in attributes.items():
            if key.startswith("_") or not isinstance(inner, type):
                continue
            found.append((getattr(inner, "__grain__", "os_family"), getattr(inner, "__match__", key),
                          {k: v for k, v in vars(inner).items() if not k.startswith("_")}))
        order = list(attributes.get("priority", ()))
        found.sort(key=lambda f: order.index(f[0]) if f[0] in order else len(order))
        chosen = {}
        for grain, match, values in found:
            if salt.BRIDGE["SALT"]["grains.get"](grain) == match:
                chosen.update(values)
        if "merge" in attributes:
            chosen.update(salt.BRIDGE["SALT"]["pillar.get"](attributes["merge"]) or {})
        for key, value in chosen.items():
            setattr(cls, key, value)


class Map(metaclass=MapMeta):
    pass


def snake(name):
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def camel(module):
    return "".join(part.capitalize() for part in module.split("_"))


def functions_of():
    out = {}
    for name in salt.BRIDGE["STATES"]:
        module, _, function = name.partition(".")
        out.setdefault(module, set()).add(function)
    return out


def names(rendering, sls):
    out = {camel(m): Factory(rendering, m, functions) for m, functions in functions_of().items()}
    call = salt.BRIDGE["SALT"].__getitem__
    out.update(include=lambda *sls: rendering.includes.extend(sls), extend=Extension, Map=Map,
               salt=Modules(), pillar=call("pillar.get"), grains=call("grains.get"), mine=call("mine.get"),
               config=call("config.get"), __salt__=salt.BRIDGE["SALT"], __pillar__=salt.BRIDGE["PILLAR"],
               __grains__=salt.BRIDGE["GRAINS"], __opts__=salt.BRIDGE["OPTS"], __sls__=sls)
    return out


def execute(text, file, scope, saltenv, rendering):
    """Runs a file; its lines that import from salt:// are taken out, and give it names."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        m = IMPORT.match(line)
        if m is None:
            continue
        lines[i] = ""
        counts, rendering.counts = rendering.counts, False  # what is imported brings names, no states
        try:
            imported(m, scope, saltenv, rendering)
        finally:
            rendering.counts = counts
    exec(compile("\n".join(lines), file, "exec"), scope)


def imported(m, scope, saltenv, rendering):
    source = m.group("source") or m.group("whole")
    text = salt.BRIDGE["SALT"]["cp.get_file_str"](source, saltenv)
    if text is False:
        raise ImportError("there is no file %s" % source)
    inner = dict(scope)
    execute(text, source, inner, saltenv, rendering)
    if m.group("whole"):
        module = type("Module", (), {k: v for k, v in inner.items() if not k.startswith("_")})
        scope[os.path.splitext(os.path.basename(source))[0]] = module
        return
    for part in m.group("names").split(","):
        name, _, alias = (p.strip() for p in part.partition(" as "))
        if name not in inner:
            raise ImportError("%s has no %r" % (source, name))
        scope[alias or name] = inner[name]


def render(text, file, sls, saltenv):
    rendering = Rendering()
    execute(text, file, names(rendering, sls), saltenv, rendering)
    return rendering.data()
