import re


class LooseVersion:
    def __init__(self, text):
        self.vstring = str(text)
        self.version = [int(p) if p.isdigit() else p for p in re.split(r"(\d+|[a-z]+|\.)", self.vstring) if p and p != "."]

    def key(self):
        return [(0, p, "") if isinstance(p, int) else (1, 0, p) for p in self.version]

    def __str__(self):
        return self.vstring

    def other(self, other):
        return other.key() if isinstance(other, LooseVersion) else LooseVersion(other).key()

    def __eq__(self, other):
        return self.key() == self.other(other)

    def __lt__(self, other):
        return self.key() < self.other(other)

    def __le__(self, other):
        return self.key() <= self.other(other)

    def __gt__(self, other):
        return self.key() > self.other(other)

    def __ge__(self, other):
        return self.key() >= self.other(other)


StrictVersion = LooseVersion


def version_cmp(pkg1, pkg2, ignore_epoch=False):
    a, b = LooseVersion(pkg1), LooseVersion(pkg2)
    return (a > b) - (a < b)


def compare(ver1="", oper="==", ver2="", cmp_func=None, ignore_epoch=False):
    c = (cmp_func or version_cmp)(ver1, ver2)
    return {"<": c < 0, "<=": c <= 0, "==": c == 0, "!=": c != 0, ">=": c >= 0, ">": c > 0}[oper]


def warn_until(*args, **kwargs):
    pass


kwargs_warn_until = warn_until
