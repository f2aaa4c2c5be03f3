# What stands in for Salt's own package: the part that modules of trees import. What is not here is not there.
BRIDGE = {}


def bridge(names):
    BRIDGE.update(names)
