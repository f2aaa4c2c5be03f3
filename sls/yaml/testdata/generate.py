#!/usr/bin/env python3
"""Write decode.json and emit.json: generated YAML texts and values with the answers of PyYAML (libyaml) under Salt's rules.

usage: generate.py [SEED] [COUNT]    in the testdata directory
"""
import json, random, re, sys
import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, SequenceNode


class Loader(yaml.CSafeLoader):
    """PyYAML's loader with Salt's rules for leading zeros, dates, duplicate keys and merging."""

    def construct_mapping(self, node, deep=False):
        if not isinstance(node, MappingNode):
            raise ConstructorError(None, None, "expected a mapping node", node.start_mark)
        self.flatten_mapping(node)
        out = {}
        for k_node, v_node in node.value:
            k = self.construct_object(k_node, deep=deep)
            try:
                hash(k)
            except TypeError:
                raise ConstructorError(None, None, "unacceptable key", k_node.start_mark)
            v = self.construct_object(v_node, deep=deep)
            if k in out:
                raise ConstructorError(None, None, f"found conflicting ID {k!r}", k_node.start_mark)
            out[k] = v
        return out

    def construct_yaml_map(self, node):
        data = {}
        yield data
        data.update(self.construct_mapping(node))

    def construct_scalar(self, node):
        if node.tag == "tag:yaml.org,2002:int" and node.value != "0":
            if node.value.startswith("0") and node.value[:2] not in ("0b", "0x"):
                node.value = node.value.lstrip("0") or "0"
        return super().construct_scalar(node)

    def flatten_mapping(self, node):
        own, merged = [], []
        values = [v for k, v in node.value if k.tag == "tag:yaml.org,2002:merge"]
        own = [(k, v) for k, v in node.value if k.tag != "tag:yaml.org,2002:merge"]
        if values:
            node.value = own
        for v in values:
            if isinstance(v, MappingNode):
                self.flatten_mapping(v)
                merged.extend(v.value)
            elif isinstance(v, SequenceNode):
                for sub in v.value:
                    if not isinstance(sub, MappingNode):
                        raise ConstructorError(None, None, "expected a mapping for merging", sub.start_mark)
                    self.flatten_mapping(sub)
                for sub in reversed(v.value):
                    merged.extend(sub.value)
            else:
                raise ConstructorError(None, None, "expected a mapping or list for merging", v.start_mark)
        for k, _ in own:
            if k.tag == "tag:yaml.org,2002:value":
                k.tag = "tag:yaml.org,2002:str"
        if merged:
            names = [k.value for k, _ in own]
            node.value = [x for x in merged if x[0].value not in names] + own


P = "tag:yaml.org,2002:"
Loader.add_constructor(P + "map", Loader.construct_yaml_map)
Loader.add_constructor(P + "timestamp", Loader.construct_scalar)
Loader.add_constructor(P + "python/unicode", lambda l, n: n.value)


def quote(s):
    """strconv.QuoteToASCII of Go."""
    out = []
    short = {7: "a", 8: "b", 12: "f", 10: "n", 13: "r", 9: "t", 11: "v", 34: '"', 92: "\\"}
    for c in s:
        o = ord(c)
        if o in short:
            out.append("\\" + short[o])
        elif 32 <= o < 127:
            out.append(c)
        elif o < 128:
            out.append("\\x%02x" % o)
        elif o < 0x10000:
            out.append("\\u%04x" % o)
        else:
            out.append("\\U%08x" % o)
    return '"' + "".join(out) + '"'


def gorepr(v, open_=()):
    """What the Go test prints for the value."""
    if isinstance(v, (dict, list)) and any(v is o for o in open_):
        return "{...}" if isinstance(v, dict) else "[...]"
    open_ = open_ + (v,)
    if v is None or isinstance(v, (bool, int)):
        return str(v)
    if isinstance(v, float):
        if v == v and abs(v) != float("inf") and not (v == int(v) and abs(v) < 1e16):
            return gofloat(v)
        return repr(v)
    if isinstance(v, str):
        return quote(v)
    if isinstance(v, bytes):
        return "b" + quote(v.decode("latin-1")) if all(b < 128 for b in v) else "b?"
    if isinstance(v, list):
        return "[" + ", ".join(gorepr(i, open_) for i in v) + "]"
    if isinstance(v, tuple):
        return "(" + ", ".join(gorepr(i, open_) for i in v) + ")"
    if isinstance(v, dict):
        return "{" + ", ".join(gorepr(k) + ": " + gorepr(i, open_) for k, i in v.items()) + "}"
    raise ValueError(type(v))


def gofloat(v):
    s = repr(v)
    if "e" in s:
        return s
    return s


SCALARS = """yes no on off y n true False null ~ Null 0 00 07 08 0644 -0644 +12 1_000 _1 0x1f -0x1F 0b101 0b 0x 0o17 12:30 12:30:45
1:60 190:20:30.15 1.5 1. .5 -.5 +.5 1e3 1e+3 1.0e+3 1.5E-2 .inf -.INF .nan -.nan . .. ... - -- --- -a a- ? ?a a? : :a a: a:b a::b ::
= << < > | >a |a ! !a & &a * *a @a `a % %a a% # #a a# a#b ' " 'a' "b" 'it''s' "q\\"q" "a\\nb" "\\x41\\u00e9" "\\z" [] {} [a] {a} [a,b] {a: 1} {a:1}
[a: 1] [a:1] {a: [1, {b: c}]} [[], {}] {} {? a : b} {? a} {a: , b: } [,] [a,,b] {,} {a,} 2001-12-14 2001-1-1 2001-12-14t21:59:43.10-05:00 é 日本 😀
a\tb foo,bar a,b {a a} ] } , &x a *x &y [a] *y !!str 5 !!int 5 !!int "07" !!float 1 !!float x !!null x !!bool yes !!bool x !!seq [] !!map {} !!set {a, b}
!!omap [a: 1] !!pairs [a: 1, a: 2] !!omap {a: 1} !!binary aGVsbG8= !!binary x !!foo x !foo x ! 5 ! !!str !!str, http://x:80/ c:\\x 10.0.0.1 1.2.3 v1 {{x}} {{ x }} "{{ x }}" {%x%}
'unclosed "unclosed [unclosed {unclosed x\u0085y x\u2028y a\u00a0b 18446744073709551616 -9223372036854775808 0_ 1__0 0.1 100.0 123456789.123
!!timestamp 2001-01-01 !!python/unicode x !!python/tuple [1] !<tag:yaml.org,2002:int> 3 !<x> y""".replace("\n", " ")
PARTS = [s for s in SCALARS.split(" ") if s] + ["&x a", "!!str 5", "!!int 5", "!!set {a, b}", "{a: 1}", "[a: 1]", "!!omap [a: 1, b: 2]", "! 5",
         "{ a: 1, b: [x, y] }", "a b", "a  b", "x # c", "x #c", "x# c", "*x ", "&y [1, *y]", "!!pairs [a: 1]", "{a: 1,\n b: 2}", "[a,\nb]", "'a\n b'",
         "|\n  lit\n   x\n", ">\n  fold\n  ed\n\n  x\n", "|-\n  a", "|+\n  a\n\n", "|2\n   a", ">-\n a\n\n\n b\n", "| # c\n  a", "|\n", "|x\n a", "a\n b", "a\n\n b"]


def scalar(r):
    return r.choice(PARTS)


def block(r, depth, indent):
    pad = " " * indent
    kind = r.random()
    lines = []
    n = r.randint(1, 3)
    if kind < 0.55:
        for _ in range(n):
            key = r.choice(["a", "b", "c", "d", "e f", "'q'", '"d"', "1", "yes", "<<", "? a", "=", "*x", "&k k", "!!str 7", "[a]", "~", "a.b", "a:b"]) \
                if r.random() < 0.6 else r.choice("abcdefgh") + r.choice("abcdefgh")
            sep = r.choice([": "] * 12 + [":", " : ", ":\t", ":  ", ": # c\n" + pad + " "])
            lines.append(pad + key + sep + child(r, depth, indent))
    else:
        for _ in range(n):
            lines.append(pad + r.choice(["- "] * 12 + ["-", "-   ", "-\t", "- # c\n" + pad + "  "]) + child(r, depth, indent))
    return "\n".join(lines)


def child(r, depth, indent):
    x = r.random()
    if depth > 0 and x < 0.45:
        step = r.choice([2, 2, 2, 4, 1, 0, 3])
        anchor = r.choice([""] * 6 + ["&x", "!!map", "# note", "&y # n"])
        return anchor + "\n" + block(r, depth - 1, indent + step)
    if depth > 0 and x < 0.55:
        return block(r, depth - 1, indent + 2).lstrip(" ")
    return scalar(r)


def document(r):
    t = block(r, r.randint(0, 3), 0)
    x = r.random()
    if x < 0.04:
        t = "---\n" + t
    elif x < 0.06:
        t = "%YAML 1.1\n---\n" + t
    elif x < 0.08:
        t += "\n...\n"
    elif x < 0.1:
        t += "\n---\nb: 1\n"
    elif x < 0.13:
        t = "# top\n\n" + t + "\n  # end\n"
    elif x < 0.15:
        t = t.replace("\n", "\r\n")
    elif x < 0.17:
        i = r.randrange(len(t) + 1)
        t = t[:i] + r.choice("\t :-#'\"[]{},&*!|>%@`\n\r\u0085\u2028\ufeff\x07") + t[i:]
    elif x < 0.2 and t:
        i = r.randrange(len(t))
        t = t[:i] + t[i + 1:]
    return t + r.choice(["\n", "\n", "\n\n", ""])


def decode_cases(r, count):
    out, seen = [], set()
    texts = [p for p in PARTS] + ["v: " + p for p in PARTS] + ["- " + p + "\n- b" for p in PARTS] + ["{a: " + p + ", b: 1}" for p in PARTS] + ["[" + p + "]" for p in PARTS]
    texts += [p + ": v" for p in PARTS] + ["? " + p + "\n: v" for p in PARTS]
    while len(texts) < count:
        texts.append(document(r))
    for i, t in enumerate(texts):
        if t in seen:
            continue
        seen.add(t)
        if re.search(r"!(\s|$)|![^ \n]*[,\]}]", t):
            continue  # a lone "!", and a tag right before a comma: see the package comment
        try:
            v = yaml.load(t, Loader=Loader)
            out.append({"id": i, "src": t, "want": {"ok": True, "go": gorepr(v)}})
        except ValueError as e:
            if "unprintable" in str(e) or "set" in str(e) and "class" in str(e):
                continue
            out.append({"id": i, "src": t, "want": {"ok": False, "err": str(e)[:80]}})
        except RecursionError:
            continue
        except (IndexError, KeyError, AttributeError, TypeError) as e:
            out.append({"id": i, "src": t, "want": {"ok": False, "err": repr(e)[:80]}})
        except yaml.YAMLError as e:
            mark = getattr(e, "problem_mark", None)
            out.append({"id": i, "src": t, "want": {"ok": False, "err": getattr(e, "problem", None) or str(e)[:80], "line": mark.line + 1 if mark else 0, "col": mark.column + 1 if mark else 0}})
    return out


if __name__ == "__main__":
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2500
    r = random.Random(seed)
    cases = decode_cases(r, count)
    with open("decode.json", "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(len(cases), sum(c["want"]["ok"] for c in cases))
