import ipaddress
import socket

import salt


def _ask(fun, *args, **kwargs):
    return salt.BRIDGE["SALT"]["network." + fun](*args, **kwargs)


def ip_addrs(interface=None, include_loopback=False, interface_data=None):
    return _ask("ip_addrs", interface=interface, include_loopback=include_loopback)


def ip_addrs6(interface=None, include_loopback=False, interface_data=None):
    return _ask("ip_addrs6", interface=interface, include_loopback=include_loopback)


def interfaces():
    return _ask("interfaces")


def get_fqhostname():
    return socket.getfqdn()


def get_hostname():
    return socket.gethostname()


def in_subnet(cidr, addr=None):
    net = ipaddress.ip_network(cidr, strict=False)
    addrs = [addr] if isinstance(addr, str) else addr or (ip_addrs() + ip_addrs6())
    return any(ipaddress.ip_address(a) in net for a in addrs)


def is_ip(ip_addr):
    return is_ipv4(ip_addr) or is_ipv6(ip_addr)


is_ip_filter = is_ip


def is_ipv4(ip_addr):
    try:
        return ipaddress.ip_address(ip_addr).version == 4
    except ValueError:
        return False


def is_ipv6(ip_addr):
    try:
        return ipaddress.ip_address(ip_addr).version == 6
    except ValueError:
        return False


def calc_net(ip_addr, netmask=None):
    return str(ipaddress.ip_network("%s/%s" % (ip_addr, netmask) if netmask else ip_addr, strict=False))


def sanitize_host(host, underscore_ok=False):
    keep = "-._" if underscore_ok else "-."
    return "".join(c for c in host if c.isascii() and (c.isalnum() or c in keep))


def mac2eui64(mac, prefix=None):
    eui = "".join(c for c in mac if c in "0123456789abcdefABCDEF").lower()
    eui = eui[:6] + "fffe" + eui[6:]
    eui = "%02x" % (int(eui[:2], 16) ^ 2) + eui[2:]
    if prefix is None:
        return ":".join(eui[i:i + 4] for i in range(0, 16, 4))
    net = ipaddress.ip_network(prefix, strict=False)
    return "%s/%d" % (net[int(eui, 16)], net.prefixlen)
