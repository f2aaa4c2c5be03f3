package main

import (
	"strings"
	"testing"
)

func TestCommandLine(t *testing.T) {
	for _, tt := range [][2]string{
		{"/usr/bin/gostate sls web", "sls web"},
		{"/run/bin/salt-call test.ping", "call test.ping"},
		{"salt-call --local file.copy /a /b remove_existing=true /c", "call file.copy /a /b remove_existing=true /c"},
		{"salt-call -l debug --out=json --retcode-passthrough grains.get os",
			"call --log-level=debug --out=json grains.get os"},
		{"salt-call --out txt --output=yaml pillar.items", "call --out=yaml pillar.items"},
		{"salt-call -c /etc/salt --id=web1 --log-file /dev/null --no-color state.apply x test=True",
			"call --config-dir=/etc/salt --id=web1 --no-color state.apply x test=True"},
	} {
		got := strings.Join(commandLine(strings.Fields(tt[0])), " ")
		if got != tt[1] {
			t.Errorf("%s: %s, want %s", tt[0], got, tt[1])
		}
	}
}
