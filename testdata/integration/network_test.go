//go:build integration

package integration

import "testing"

// TestInterfaces keeps an interface with the real ifupdown, in a network of its own.
func TestInterfaces(t *testing.T) {
	m := boot(t, "gs-interfaces")
	m.sh("apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends ifupdown " +
		"iproute2 " +
		">/dev/null 2>&1; echo '# ours' >>/etc/network/interfaces; " +
		"systemd-run -q --unit net unshare --map-root-user --net sleep infinity; sleep 0.3")
	in := "nsenter -t $(systemctl show -P MainPID net) --user --net --preserve-credentials "
	m.within = []string{"bash", "-c", in + `"$@"`, "in"}
	m.sh(in + "ip link add dum0 type veth peer name dum1; " + in + "ip link set dum1 up")
	m.write(map[string]string{
		"up": `the routes:
  network.routes:
    - name: dum0
    - require_reboot: true
    - routes: [{ipaddr: 10.0.0.0, netmask: 255.0.0.0, gateway: 192.0.2.254}]
dum0:
  network.managed:
    - proto: static
    - ipaddr: 192.0.2.10
    - netmask: 255.255.255.0
    - mtu: 1400
    - up_cmds: [ip link set dum0 alias managed]
`,
		"other": "dum0:\n  network.managed: [{proto: static}, {ipaddr: 192.0.2.11}, {netmask: 24}]\n",
		"down":  "dum0:\n  network.managed: [{enabled: false}, {proto: manual}]\n",
		"bad":   "dum9:\n  network.managed: [{proto: static}, {ipaddr: 192.0.2.12}, {netmask: 24}]\n",
	})
	show := in + "ip -br address show dum0 | awk '{print $2, $3}' | sed 's/UNKNOWN/UP/'; "
	m.converge("up")
	m.want(show+in+"ip route show 10.0.0.0/8 | awk '{print $3}'; "+in+
		"ip link show dum0 | grep -c -e managed -e 'mtu 1400'; "+
		"grep -c ours /etc/network/interfaces", "UP 192.0.2.10/24\n192.0.2.254\n2\n1")
	m.converge("other")
	m.want(show, "UP 192.0.2.11/24")
	m.converge("down")
	m.want(in+"ip link show dum0 | grep -c 'state DOWN'; grep -c -e auto -e 192 /etc/network/interfaces; true", "1\n0")
	if run, _, code := m.apply("tree", "sls", "bad"); code == 0 || len(run.failed()) != 1 {
		t.Errorf("exit code %d, failed %v", code, run.failed())
	}
}
