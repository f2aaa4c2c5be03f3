import ipaddress
import re

from salt.utils.network import is_ipv4 as ipv4_addr
from salt.utils.network import is_ipv6 as ipv6_addr


def ip_addr(addr):
    return ipv4_addr(addr) or ipv6_addr(addr)


def mac(addr):
    return re.match(r"^([0-9a-fA-F]{1,2}[:-]){5}[0-9a-fA-F]{1,2}$", addr) is not None


def netmask(mask):
    try:
        ipaddress.ip_network("0.0.0.0/%s" % mask)
        return mask.count(".") == 3
    except (ValueError, AttributeError):
        return False
