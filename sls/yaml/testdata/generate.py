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


WORDS = """yes no null true ~ 1 0644 1.5 1e3 .inf 12:30 2001-12-14 2001-12-14t21:59:43.10-05:00 = << a b foo hello-world x:y :x x: # #x x#y & *a !t |
- -x ? ?x % @x ` ' " it's "q" a\\b {x} [y] , a,b --- ... ---x é 日本 😀 \u0085 \u2028 \ufeff \u00a0 \x07 \x1b tab\there 0x1f 0b1 +1 -0 1_000 http://host/?q=1 C:\\x ' ' {{x}} !!str""".split(" ")


def text(r):
    x = r.random()
    if x < 0.06:
        return ""
    if x < 0.5:
        return r.choice(WORDS)
    if x < 0.7:
        return " ".join(r.choice(WORDS) for _ in range(r.randint(2, 4)))
    if x < 0.82:
        return " ".join(r.choice(["lorem", "ipsum", "dolor:", "sit", "amet,", "it's", "é", "\"x\"", "", "a-b", "#c"]) for _ in range(r.randint(8, 40)))
    if x < 0.95:
        return r.choice(["\n", "", " "]) + r.choice(["\n", "\n\n", " \n", "\n ", "\n\n\n"]).join(r.choice(WORDS) for _ in range(r.randint(2, 4))) + r.choice(["", "\n", "\n\n", " "])
    return "x" * r.choice([20, 127, 128, 129, 200])


def leaf(r):
    x = r.random()
    if x < 0.6:
        return text(r)
    return r.choice([None, True, False, 0, 1, -5, 10**20, 1.5, 1e16, 1e-7, 1e300, -0.0, float("inf"), float("-inf"), float("nan"), 0.1, 123456789.125, b"abc", b"\x00\xff" * 50, b""])


def value(r, depth, pool):
    x = r.random()
    if pool and x < 0.08:
        return r.choice(pool)
    if depth == 0 or x < 0.4:
        return leaf(r)
    if x < 0.65:
        v = []
        pool.append(v)
        v.extend(value(r, depth - 1, pool) for _ in range(r.choice([0, 1, 2, 3, 12])))
    elif x < 0.7:
        v = tuple(value(r, depth - 1, []) for _ in range(r.randint(0, 2)))
    elif x < 0.73:
        v = set(text(r) for _ in range(r.randint(0, 3)))
    else:
        v = {}
        pool.append(v)
        for _ in range(r.choice([0, 1, 2, 3, 10])):
            k = text(r) if r.random() < 0.8 else r.choice([None, True, 1, 2.5, (1, 2), ("a", ("b",)), b"k", ()])
            v[k] = value(r, depth - 1, pool)
    return v


def pack(v, ids):
    if isinstance(v, bool):
        return ["b", v]
    if v is None:
        return ["n"]
    if isinstance(v, int):
        return ["i", str(v)]
    if isinstance(v, float):
        return ["f", repr(v)]
    if isinstance(v, str):
        return ["s", v]
    if isinstance(v, bytes):
        return ["y", v.hex()]
    if id(v) in ids:
        return ["r", ids[id(v)]]
    if v != ():
        ids[id(v)] = len(ids)
    if isinstance(v, tuple):
        return ["t", [pack(i, ids) for i in v]]
    if isinstance(v, list):
        return ["l", [pack(i, ids) for i in v]]
    if isinstance(v, set):
        return ["set", [pack(i, ids) for i in sorted(v)]]
    return ["d", [[pack(k, ids), pack(i, ids)] for k, i in v.items()]]


def emit_cases(r, count):
    out = []
    for i in range(count):
        v = value(r, r.randint(0, 4), []) if i > 400 else value(r, 1, [])
        o = {"default_flow_style": r.choice([False, False, True, None]), "allow_unicode": r.random() < 0.7, "sort_keys": r.random() < 0.4}
        if r.random() < 0.15:
            o["width"] = r.choice([20, 40, 4, 1000, 2**31 - 1])
        if r.random() < 0.1:
            o["indent"] = r.choice([1, 3, 4, 8, 12])
        if r.random() < 0.12:
            o["default_style"] = r.choice(["'", '"', "|", ">"])
        if r.random() < 0.06:
            o["explicit_start"] = True
        if r.random() < 0.04:
            o["explicit_end"] = True
        if r.random() < 0.04:
            o["canonical"] = True
        if "'set'" in repr(pack(v, {})):
            o["sort_keys"] = True
        try:
            t = yaml.dump(v, Dumper=yaml.CSafeDumper, **o)
        except UnicodeEncodeError:
            continue
        out.append({"id": i, "value": pack(v, {}), "opts": o, "want": t})
    return out


if __name__ == "__main__":
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2500
    r = random.Random(seed)
    cases = decode_cases(r, count)
    with open("decode.json", "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(len(cases), sum(c["want"]["ok"] for c in cases))
    cases = emit_cases(r, count // 3)
    with open("emit.json", "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
