"""Render a template many times with CPython's Jinja: jinjaloop.py text|lines|parse N FILE."""

import sys

import jinja2

mode, times, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(file) as f:
    source = f.read()
variables = {"settings": {"port": 80, "user": "www"}}


def parse():
    extensions = ["jinja2.ext.do", "jinja2.ext.loopcontrols"]
    return jinja2.Environment(extensions=extensions, undefined=jinja2.StrictUndefined).from_string(source)


template = parse()
for _ in range(times):
    if mode == "parse":
        template = parse()
    template.render(**variables)
