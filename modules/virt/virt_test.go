package virt

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func pillar(t *testing.T) *modules.Env {
	return &modules.Env{Pillar: modtest.Dict(t, `{"libvirt.serverkey.pem": "key\n", "libvirt.cacert.pem": "ca\n"}`),
		Progress: func(string) {}}
}

func TestConformance(t *testing.T) {
	s := modtest.Suite{Family: Family(), Env: pillar,
		Situations: modtest.Situations{"nothing": modtest.Memory(nil, nil),
			"other": modtest.Memory(nil, func(m *hosttest.Memory) {
				m.MustWrite("/etc/pki/CA/cacert.pem", "old\n", 0o640)
				m.MustWrite("/etc/pki/libvirt/private/serverkey.pem", "key\n", 0o640)
			}),
			"in the way": modtest.Memory(nil, func(m *hosttest.Memory) { m.MustWrite("/etc/pki", "", 0o644) })},
		Deeds: []modtest.Deed{modtest.State("virt.keys", "keys"),
			modtest.State("virt.keys", "keys", "basepath", "/srv", "country", "US")},
	}
	s.Run(t)
	h := s.Situations["nothing"](t)
	e, err := s.One(t, h, s.Deeds[0])
	if err != nil || value.Repr(e.Changes) != `{'serverkey': 'new', 'cacert': 'new'}` || e.Foretold.Len() != 0 {
		t.Errorf("%s, %v", value.Repr(e.Changes), err)
	}
	if i, err := h.Stat("/etc/pki/libvirt/private/serverkey.pem"); err != nil || i.Perm() != 0o600 {
		t.Errorf("%v, %v", i.Mode, err)
	}
	if len((&Keys{BasePath: "x"}).Validate()) != 1 {
		t.Error("x is taken for a path")
	}
}
