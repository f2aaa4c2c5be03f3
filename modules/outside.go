package modules

import "strings"

// outside says what to do with a state module of Salt's that gostate leaves out on purpose; "" for any other name. The
// names end in * where they are a beginning.
func outside(module string) string {
	for _, o := range [...]struct{ names, hint string }{
		{"win_* chocolatey reg rdp winrepo", "it is for Windows, and gostate is for Linux: put it in a branch on " +
			"grains.kernel, which Linux does not take"},
		{"mac_* macdefaults macpackage", "it is for macOS, and gostate is for Linux: put it in a branch on " +
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
			"apply the SLS on each of them, in the order of a script"},
		{"saltutil", "gostate reads the tree where it is, so that there is nothing to sync: leave the state out"},
		{"beacon schedule event telemetry_alert status", "it is of a minion that keeps running, which gostate does not: " +
			"cron.present or a systemd timer runs things on time"},
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
