#!/usr/bin/env python3
"""Writes python.json: what CPython 3.11 makes of the expressions in expressions.txt, and of random formatting.

Each case is [expression, tree, result]: the tree is what the Go test evaluates, the result the repr, or "!Class: text".
"""
import ast, json, random, sys, os

OPS = {ast.Add: '+', ast.Sub: '-', ast.Mult: '*', ast.Div: '/', ast.FloorDiv: '//', ast.Mod: '%', ast.Pow: '**',
       ast.BitAnd: '&', ast.BitOr: '|', ast.BitXor: '^', ast.LShift: '<<', ast.RShift: '>>',
       ast.USub: '-', ast.UAdd: '+', ast.Invert: '~',
       ast.Lt: '<', ast.LtE: '<=', ast.Gt: '>', ast.GtE: '>=', ast.Eq: '==', ast.NotEq: '!=', ast.In: 'in', ast.NotIn: 'not in'}


def const(v):
    if isinstance(v, bytes):
        return ['bytes', v.hex()]
    if isinstance(v, bool) or v is None or isinstance(v, str):
        return ['const', v]
    return ['int' if isinstance(v, int) else 'float', repr(v)]


def tree(n):
    t = type(n)
    if t is ast.Constant:
        return const(n.value)
    if t in (ast.List, ast.Tuple, ast.Set):
        return [t.__name__.lower()] + [tree(e) for e in n.elts]
    if t is ast.Dict:
        return ['dict'] + [[tree(k), tree(v)] for k, v in zip(n.keys, n.values)]
    if t is ast.BinOp:
        return ['bin', OPS[type(n.op)], tree(n.left), tree(n.right)]
    if t is ast.UnaryOp:
        return ['un', OPS[type(n.op)], tree(n.operand)]
    if t is ast.Compare:
        return ['cmp', OPS[type(n.ops[0])], tree(n.left), tree(n.comparators[0])]
    if t is ast.Subscript and type(n.slice) is ast.Slice:
        s = n.slice
        return ['slice', tree(n.value)] + [tree(x) if x else ['const', None] for x in (s.lower, s.upper, s.step)]
    if t is ast.Subscript:
        return ['item', tree(n.value), tree(n.slice)]
    if t is ast.Call:
        args, kw = [tree(a) for a in n.args], [[k.arg, tree(k.value)] for k in n.keywords]
        if type(n.func) is ast.Attribute:
            return ['method', tree(n.func.value), n.func.attr, args, kw]
        return ['call', n.func.id, args, kw]
    raise SystemExit('cannot write ' + ast.dump(n))


def after(v, name, *a, **k):
    getattr(v, name)(*a, **k)
    return v


def show(v):
    if isinstance(v, (set, frozenset)):
        return 'set' + repr(sorted(map(repr, v)))
    return repr(v)


NAMES = {'after': after, 'dumps': json.dumps, 'loads': json.loads}


def case(e):
    try:
        out = show(eval(e, dict(NAMES)))
    except Exception as x:
        out = '!%s: %s' % (type(x).__name__, x)
    return [e, tree(ast.parse(e, mode='eval').body), out]


def random_cases(rnd):
    nums = ['0', '1', '-1', '7', '255', '-1234567', '10**25', '0.0', '-0.0', '1.5', '-2.25', '1234567.891', '1e-7', '1e22',
            '0.1', '2.675', '1e100', '123456.0', '9.995', '99999.5', '0.00012345', "float('inf')", "float('nan')", 'True']
    texts = ["'a'", "'héé'", "''"]
    for _ in range(700):
        spec = ''.join(rnd.choice(p) for p in (
            ['', '', '', '<', '>', '^', '=', '*<', 'é^', '0='], ['', '', '+', '-', ' '], ['', '', '', 'z'], ['', '', '#'],
            ['', '', '0'], ['', '', '5', '12', '20'], ['', '', '', ',', '_'], ['', '', '.0', '.1', '.3', '.10'],
            ['', '', 'd', 'f', 'e', 'g', 'G', '%', 'x', 's', 'b', 'n', 'E', 'o', 'c']))
        yield 'format(%s, %r)' % (rnd.choice(nums + texts), spec)
    for _ in range(700):
        directive = '%' + ''.join(rnd.choice(p) for p in (
            ['', '', '', '-', '+', ' ', '#', '0', '-0', '+#', '0+', '0 #'], ['', '', '1', '8', '15'],
            ['', '', '.0', '.', '.1', '.4', '.12'], list('diouxXeEfFgGcrsa%')))
        yield '%r %% (%s,)' % (directive, rnd.choice(nums + texts))
    ints = ['0', '1', '-1', '2', '-3', '7', '-8', '64', '2**31', '-2**63', '2**63 - 1', '2**64', '-10**20', '1.5', '-2.5', '1e10', 'True']
    for _ in range(300):
        a, b = rnd.choice(ints), rnd.choice(ints)
        yield '(%s) %s (%s)' % (a, rnd.choice(['+', '-', '*', '/', '//', '%', '&', '|', '^', '<', '<=', '==']), b)
    for _ in range(150):
        yield repr(rnd.choice([rnd.random(), rnd.uniform(-1e6, 1e6), rnd.random() * 10 ** rnd.randint(-20, 20)]))
    for _ in range(200):
        ends = [rnd.choice(['', str(rnd.randint(-8, 8))]) for _ in range(3)]
        ends[2] = '' if ends[2] == '0' else ends[2]
        yield '%s[%s]' % (rnd.choice(["'héllo'", '[1, 2, 3, 4, 5]', "'hello'", 'range(2, 20, 3)']), ':'.join(ends))
    for _ in range(200):
        s = ''.join(rnd.choice('ab, éX') for _ in range(rnd.randint(0, 9)))
        sep = rnd.choice(["'a'", "', '", 'None', "'X'"])
        name = rnd.choice(['split', 'rsplit', 'split', 'rsplit', 'partition', 'rpartition', 'find', 'rfind', 'count', 'strip'])
        extra = ', %d' % rnd.randint(-1, 3) if name in ('split', 'rsplit', 'find', 'rfind', 'count') and rnd.random() < .6 else ''
        yield '%r.%s(%s%s)' % (s, name, sep, extra)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    lines = [l.rstrip('\n') for l in open(os.path.join(here, 'expressions.txt'), encoding='utf-8')]
    todo = [l for l in lines if l and not l.startswith('#')] + list(random_cases(random.Random(1)))
    import warnings
    warnings.simplefilter('ignore')
    with open(os.path.join(here, 'python.json'), 'w') as f:
        f.write('[\n' + ',\n'.join(json.dumps(case(e)) for e in dict.fromkeys(todo)) + '\n]\n')


main()
