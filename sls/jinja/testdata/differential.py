#!/usr/bin/env python3
"""Record what CPython's Jinja makes of snippets: differential.py RECORDED.json SNIPPETS.txt > differential/NAME.json

The context and the templates to load are those of a recorded file. A file of snippets has sections "## category
[option=json ...]", and snippets between lines of "---". A snippet whose last line is a single backslash ends with a newline.
"""
import json, re, sys, traceback
import jinja2
from jinja2 import DictLoader, StrictUndefined, Undefined
from jinja2.sandbox import SandboxedEnvironment

ENV = {"trim": "trim_blocks", "lstrip": "lstrip_blocks", "keep": "keep_trailing_newline",
       "line": "line_statement_prefix", "linecomment": "line_comment_prefix"}


def run(case, context, templates):
    opts = {v: case[k] for k, v in ENV.items() if k in case}
    env = SandboxedEnvironment(loader=DictLoader(templates), extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
                               undefined=StrictUndefined if case.get("strict", True) else Undefined, **opts)
    try:
        return {"ok": True, "out": env.from_string(case["src"]).render(**json.loads(json.dumps(context)))}
    except jinja2.TemplateSyntaxError as e:
        return {"ok": False, "err": type(e).__name__, "msg": e.message, "line": e.lineno}
    except Exception as e:
        line = 0
        for f in traceback.extract_tb(e.__traceback__):
            if f.filename == "<template>" or f.filename in templates:
                line = f.lineno
        return {"ok": False, "err": type(e).__name__, "msg": str(e), "line": line}


def main():
    data = json.load(open(sys.argv[1]))
    cases, seen, n = [], set(), 0
    for path in sys.argv[2:]:
        cat, opts = "misc", {}
        for part in re.sub(r"\n(## .*\n)", r"\n---\n\1", open(path).read()).split("\n---\n"):
            while part.startswith("## ") or part.startswith("\n"):
                head, _, part = part.partition("\n")
                if head.startswith("## "):
                    words = head[3:].split()
                    cat, opts = words[0], dict((w.split("=")[0], json.loads(w.split("=")[1])) for w in words[1:])
            if not part.strip():
                continue
            if part.endswith("\n\\"):
                part = part[:-1]
            case = {"id": f"{cat}-{n:03d}", "cat": cat, "src": part, **opts}
            key = json.dumps({**case, "id": 0, "cat": 0})
            if key in seen:
                continue
            seen.add(key)
            n += 1
            case["want"] = run(case, data["context"], data["templates"])
            if " at 0x" in json.dumps(case["want"]):
                print("address:", part, case["want"], file=sys.stderr)
                continue
            cases.append(case)
    print('{"context": %s,\n"templates": %s,\n"cases": [' % (json.dumps(data["context"]), json.dumps(data["templates"])))
    print(",\n".join(json.dumps(c) for c in cases))
    print("]}")


main()
