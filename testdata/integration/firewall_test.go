//go:build integration

package integration

import "testing"

// TestFirewall keeps rules with the real iptables, in a network of its own: a host shares that of this machine, and may
// not set it up.
func TestFirewall(t *testing.T) {
	m := boot(t, "gs-firewall")
	m.sh("apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends iptables " +
		">/dev/null 2>&1; systemd-run -q --unit fw unshare --map-root-user --net sleep infinity; sleep 0.3")
	in := "nsenter -t $(systemctl show -P MainPID fw) --user --net --preserve-credentials "
	m.within = []string{"bash", "-c", in + `"$@"`, "in"}
	m.write(map[string]string{
		"rules": `lo:
  iptables.append: [{chain: INPUT}, {if: lo}, {jump: ACCEPT}]
web:
  iptables.append:
    - chain: INPUT
    - protocol: tcp
    - match: [conntrack, comment]
    - ctstate: NEW
    - dport: 80
    - comment: The web
    - jump: ACCEPT
    - save: true
ports:
  iptables.insert:
    - position: 1
    - chain: INPUT
    - proto: tcp
    - dports: [22, 443]
    - source: '!192.0.2.0/24'
    - jump: ACCEPT
logging:
  iptables.chain_present: [{name: LOGGING}]
log:
  iptables.append: [{chain: LOGGING}, {jump: LOG}, {log-prefix: 'no: '}]
to log:
  iptables.append: [{chain: INPUT}, {jump: LOGGING}]
closed:
  iptables.set_policy: [{chain: INPUT}, {policy: DROP}]
nat:
  iptables.append: [{table: nat}, {chain: POSTROUTING}, {of: eth9}, {jump: MASQUERADE}]
six:
  iptables.append: [{family: ipv6}, {chain: INPUT}, {protocol: icmpv6}, {jump: ACCEPT}, {save: /etc/six}]
`,
		"less": `to log:
  iptables.delete: [{chain: INPUT}, {jump: LOGGING}]
logging:
  iptables.chain_absent: [{name: LOGGING}]
lo:
  iptables.delete: [{chain: INPUT}, {if: lo}, {jump: ACCEPT}, {save: true}]
open:
  iptables.set_policy: [{chain: INPUT}, {policy: ACCEPT}]
`,
		"bad": `unknown option:
  iptables.append: [{chain: INPUT}, {bogus: 1}, {jump: ACCEPT}]
unknown chain:
  iptables.append: [{chain: NONE}, {jump: ACCEPT}]
too far:
  iptables.insert: [{chain: INPUT}, {position: 99}, {source: 192.0.2.9}, {jump: ACCEPT}]
in use:
  iptables.chain_absent: [{name: INPUT}]
`,
	})
	rules := in + "iptables-save | grep -v '^[#:]'"
	m.converge("rules")
	m.want(rules, `*filter
-A INPUT ! -s 192.0.2.0/24 -p tcp -m multiport --dports 22,443 -j ACCEPT
-A INPUT -i lo -j ACCEPT
-A INPUT -p tcp -m conntrack --ctstate NEW -m comment --comment "The web" -m tcp --dport 80 -j ACCEPT
-A INPUT -j LOGGING
-A LOGGING -j LOG --log-prefix "no: "
COMMIT
*nat
-A POSTROUTING -o eth9 -j MASQUERADE
COMMIT`)
	m.want("grep -c 'The web' /etc/iptables/rules.v4; grep -c icmp /etc/six", "1\n1")
	m.converge("less")
	m.want(rules+" | grep -c -e LOGGING -e ' lo '; grep -c ' lo ' /etc/iptables/rules.v4; true", "0\n0")
	preview, _, _ := m.apply("tree", "--test", "sls", "bad")
	run, _, code := m.apply("tree", "sls", "bad")
	if code == 0 || len(preview.failed()) != 4 || len(run.failed()) != 4 {
		t.Errorf("exit code %d, preview failed %v, run %v", code, preview.failed(), run.failed())
	}
}

// TestNftables keeps tables, chains, rules and a policy with the real nft, in a network of its own: a rule that nft
// writes otherwise is there all the same, and one that a longer rule ends in is not.
func TestNftables(t *testing.T) {
	m := boot(t, "gs-nftables")
	m.sh("apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends nftables " +
		">/dev/null 2>&1; systemd-run -q --unit fw unshare --map-root-user --net sleep infinity; sleep 0.3")
	in := "nsenter -t $(systemctl show -P MainPID fw) --user --net --preserve-credentials "
	m.within = []string{"bash", "-c", in + `"$@"`, "in"}
	m.write(map[string]string{
		"rules": `fw:
  nftables.table_present: [{family: inet}]
input:
  nftables.chain_present: [{table: fw}, {family: inet}, {table_type: filter}, {hook: input}, {priority: -5}]
own:
  nftables.chain_present: [{table: fw}, {family: inet}]
lo:
  nftables.append: [{table: fw}, {family: inet}, {chain: input}, {if: lo}, {jump: accept}]
ports:
  nftables.append:
    - table: fw
    - family: inet
    - chain: input
    - connstate: new,established
    - proto: tcp
    - dports: 22,443
    - counter: true
    - saddr: 192.0.2.0/24
    - jump: accept
log:
  nftables.append: [{table: fw}, {family: inet}, {chain: own}, {jump: 'log prefix "no: " drop'}]
to own:
  nftables.append: [{table: fw}, {family: inet}, {chain: input}, {jump: goto own}]
drop:
  nftables.append: [{table: fw}, {family: inet}, {chain: own}, {jump: drop}]
first:
  nftables.insert: [{table: fw}, {family: inet}, {chain: input}, {saddr: 192.0.2.9}, {jump: drop}]
closed:
  nftables.set_policy: [{table: fw}, {family: inet}, {chain: input}, {policy: drop}, {save: true}]
nat:
  nftables.table_present: []
pre:
  nftables.chain_present: [{table: nat}, {table_type: nat}, {hook: prerouting}, {priority: dstnat}]
forward:
  nftables.append: [{table: nat}, {chain: pre}, {proto: tcp}, {dport: 80}, {jump: dnat}, {to-destination: 'to 192.0.2.1:8080'}]
`,
		"less": `to own:
  nftables.delete: [{table: fw}, {family: inet}, {chain: input}, {jump: goto own}]
own:
  nftables.chain_absent: [{table: fw}, {family: inet}]
open:
  nftables.set_policy: [{table: fw}, {family: inet}, {chain: input}, {policy: accept}]
nat:
  nftables.table_absent: []
`,
		"bad": `no rule:
  nftables.append: [{table: fw}, {family: inet}, {chain: input}, {jump: bogus}]
no chain:
  nftables.append: [{table: fw}, {family: inet}, {chain: none}, {jump: drop}]
no handle:
  nftables.insert: [{table: fw}, {family: inet}, {chain: input}, {position: 9999}, {saddr: 192.0.2.7}, {jump: drop}]
used:
  nftables.chain_present: [{table: fw}, {family: inet}]
user:
  nftables.append: [{table: fw}, {family: inet}, {chain: input}, {jump: jump used}]
in use:
  nftables.chain_absent: [{name: used}, {table: fw}, {family: inet}]
`,
	})
	rules := in + "nft list ruleset"
	m.converge("rules")
	m.want(rules+` | grep '[a-z]'`, `table inet fw {
	chain input {
		type filter hook input priority filter - 5; policy drop;
		ip saddr 192.0.2.9 drop
		iifname "lo" accept
		ct state { established, new } counter packets 0 bytes 0 ip saddr 192.0.2.0/24 tcp dport { 22, 443 } accept
		goto own
	chain own {
		log prefix "no: " drop
		drop
table ip nat {
	chain pre {
		type nat hook prerouting priority dstnat; policy accept;
		tcp dport 80 dnat to 192.0.2.1:8080`)
	m.want("grep -c 'goto own' /etc/nftables", "1")
	m.converge("less")
	m.want(rules+" | grep -c -e own -e nat -e 'policy drop'; true", "0")
	preview, _, _ := m.apply("tree", "--test", "sls", "bad")
	run, _, code := m.apply("tree", "sls", "bad")
	if code == 0 || len(preview.failed()) != 4 || len(run.failed()) != 4 {
		t.Errorf("exit code %d, preview failed %v, run %v", code, preview.failed(), run.failed())
	}
}

// TestFirewalld keeps zones and services with the real firewalld, in a network of its own.
func TestFirewalld(t *testing.T) {
	m := boot(t, "gs-firewalld")
	m.sh("mkdir -p /etc/systemd/system/firewalld.service.d; printf '[Service]\\nExecStart=\\nExecStart=/usr/bin/unshare " +
		"--map-root-user --net /usr/sbin/firewalld --nofork --nopid\\n' >/etc/systemd/system/firewalld.service.d/own.conf; " +
		"apt-get -qq update; apt-get -qq install netbase >/dev/null 2>&1") // firewalld wants /etc/protocols
	m.write(map[string]string{
		"all": `firewalld:
  pkg.installed: []
  service.running: []
app:
  firewalld.service: [{ports: [4505/tcp, 4506/tcp]}, {protocols: [gre]}, {require: [{service: firewalld}]}]
inside:
  firewalld.present: [{services: [app]}, {sources: [10.9.0.0/16]}, {ports: [1/tcp]}, {default: true}]
public:
  firewalld.present:
    - ports: [443/tcp, 8080/udp]
    - masquerade: true
    - services: [app, http]
    - prune_services: true
    - block_icmp: [echo-request]
    - port_fwd: ['80:8080:tcp', '81:81:udp:192.0.2.7']
    - rich_rules: ['rule family="ipv4" source address="192.0.2.0/24" drop']
`,
		"less": `app:
  firewalld.service: [{ports: [4505/tcp]}]
public:
  firewalld.present: [{ports: [443/tcp]}, {prune_ports: true}, {prune_rich_rules: true}, {prune_port_fwd: true}]
`,
		"bad": "unknown service:\n  firewalld.present: [{name: public}, {services: [none]}]\n",
	})
	m.converge("all")
	m.want("firewall-cmd --get-default-zone; firewall-cmd --zone=inside --list-sources; firewall-cmd --zone=public "+
		"--list-all | sed -n '/services/,/ports/p;/forward-ports/,$p'", "inside\n10.9.0.0/16\n  services: app http\n"+
		"  ports: 443/tcp 8080/udp\n  forward-ports: \n\tport=80:proto=tcp:toport=8080:toaddr=\n"+
		"\tport=81:proto=udp:toport=81:toaddr=192.0.2.7\n  source-ports: \n  icmp-blocks: echo-request\n  rich rules: \n"+
		"\trule family=\"ipv4\" source address=\"192.0.2.0/24\" drop")
	m.converge("less")
	m.want("firewall-cmd --zone=public --list-ports; firewall-cmd --zone=public --list-rich-rules; firewall-cmd "+
		"--permanent --service=app --get-ports", "443/tcp\n\n4505/tcp")
	preview, _, _ := m.apply("tree", "--test", "sls", "bad")
	if run, _, code := m.apply("tree", "sls", "bad"); code == 0 || len(preview.failed()) != 1 || len(run.failed()) != 1 {
		t.Errorf("exit code %d, preview failed %v, run %v", code, preview.failed(), run.failed())
	}
}
