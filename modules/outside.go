package modules

import "strings"

// outside says what to do with a state module of Salt's that gostate leaves out on purpose; "" for any other name. The
// names end in * where they are a beginning.
func outside(module string) string {
	for _, o := range [...]struct{ names, hint string }{
		{"win_* chocolatey reg rdp winrepo certutil dism lgpo lgpo_reg license powercfg shortcut system wua wusa",
			"it is for Windows, and gostate is for Linux: put it in a branch on " +
				"grains.kernel, which Linux does not take"},
		{"mac_* macdefaults macpackage assistive keychain xattr",
			"it is for macOS, and gostate is for Linux: put it in a branch on " +
				"grains.kernel, which Linux does not take"},
		{"sysrc pkgng", "it is for FreeBSD, and gostate is for Linux: put it in a branch on grains.os_family, which " +
			"Linux does not take; service.enabled and file.keyvalue are for Linux"},
		{"smartos zone logadm rbac_solaris powerpath esx* dvs cimc cisconso nxos* netconfig netntp netsnmp netusers netacl " +
			"net_napalm_yang junos panos bigip dellchassis drac ipmi restconf infoblox_*", "it is for another system than " +
			"Linux, or for a device behind a proxy minion: keep it in Salt's own tree"},
		{"qvm", "it is of Qubes OS, which applies it in dom0 with its own Salt: qubesctl state.apply"},
		{"boto* aws_sqs azurearm_* libcloud_* cloud heat pyrax_queues glance_image keystone* neutron_* openstack_config",
			"gostate works on the machine that it runs on, not on a cloud's interface: keep that in OpenTofu or Terraform, " +
				"or call the cloud's own tool with cmd.run and unless"},
		{"salt saltmod salt_proxy ansiblegate chef idem", "orchestration over machines is no state of one machine: " +
			"gostate orchestrate NAME carries out an SLS with salt.state and salt.function"},
		{"saltutil", "gostate reads the tree where it is, so that there is nothing to sync: leave the state out"},
		{"beacon schedule event telemetry_alert status", "it is of a minion that keeps running, which gostate does not: " +
			"cron.present or a systemd timer runs things on time"},
		{"acme apt artifactory at augeas bower btrfs cabal ceph composer consul cryptdev csf cyg ddns elasticsearch* eselect " +
			"etcd ethtool firewall github glassfish glusterfs gnomedesktop gpg grafana* helm icinga2 ifttt incron influxdb* " +
			"ipset jboss7 jenkins kapacitor kernelpkg keyboard keystore kubernetes layman ldap acl loop lvs_* lxc " +
			"lxd* " +
			"makeconf marathon_app chronos_job raid memcached modjk* mongodb_* monit mssql_* msteams nexus ntp " +
			"openvswitch_* opsgenie pagerduty* pbm pcs pdbedit pecl pkgbuild portage_config ports probes process pushover pyenv " +
			"rbac rbenv rvm serverdensity_device slack smtp snapper solrcloud splunk* sqlite3 statuspage sysfs " +
			"syslog_ng testinfra tls tomcat trafficserver uptime vagrant vault vbox_guest victorops wordpress xml xmpp " +
			"zabbix_* buildout zenoss zfs zk_concurrency zookeeper zpool", "Salt has it, and gostate does not: cmd.run with " +
			"unless or creates does the work, or a state of your own in the tree's _states, which may be Salt's file " +
			"(docs/bridge.md)"},
	} {
		for name := range strings.FieldsSeq(o.names) {
			begin, open := strings.CutSuffix(name, "*")
			if module == name || open && strings.HasPrefix(module, begin) {
				return o.hint
			}
		}
	}
	return ""
}
