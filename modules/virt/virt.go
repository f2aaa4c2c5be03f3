// Package virt keeps the keys and certificates of libvirt, which the pillar holds.
package virt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "virt", States: []modules.StateSpec{{
		Name: "virt.keys",
		Doc: "Keeps the keys and certificates of libvirt that the pillar has: libvirt.serverkey.pem, " +
			"libvirt.servercert.pem, libvirt.clientkey.pem, libvirt.clientcert.pem and libvirt.cacert.pem.",
		Example: "libvirt keys:\n  virt.keys: []", New: func() modules.StateFunc { return &Keys{} }, AnyArgs: true,
	}}}
}

// Keys keeps the files.
type Keys struct {
	Name     string `arg:"name,required" doc:"The name of the state."`
	BasePath string `arg:"basepath,line" default:"/etc/pki" doc:"The directory above those of libvirt and of the authority."`
}

// Validate wants a path.
func (k *Keys) Validate() []modules.Fault {
	if !path.IsAbs(k.BasePath) {
		return []modules.Fault{{Arg: "basepath", Msg: fmt.Sprintf("'%s' is not an absolute path", k.BasePath)}}
	}
	return nil
}

// Act writes the files that differ.
//
// Salt differs: anybody may read the keys that it writes, and its test mode makes directories.
func (k *Keys) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e := state.Effect{Changes: value.NewDict(5), Foretold: value.NewDict(0), Comment: "Updated libvirt certs and keys",
		Preview: "Libvirt keys are set to be updated"}
	for _, f := range []struct {
		key, file string
		mode      uint32
	}{{"serverkey", "libvirt/private/serverkey.pem", 0o600}, {"servercert", "libvirt/servercert.pem", 0o644},
		{"clientkey", "libvirt/private/clientkey.pem", 0o600}, {"clientcert", "libvirt/clientcert.pem", 0o644},
		{"cacert", "CA/cacert.pem", 0o644}} {
		text := env.Pillar.Text("libvirt." + f.key + ".pem")
		if text == "" {
			continue
		}
		file, attr := path.Join(k.BasePath, f.file), host.KeepAttr()
		old, err := h.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			e.Changes.SetStr(f.key, value.Str("new"))
			attr.Mode, attr.HasMode = f.mode, true
		case err != nil:
			return e, err
		case string(old) == text:
			continue
		default:
			e.Changes.SetStr(f.key, value.Str("update"))
		}
		if err := modules.MakeDirs(h, path.Dir(file), host.KeepAttr()); err != nil {
			return e, err
		}
		if err := h.WriteFile(file, strings.NewReader(text), attr); err != nil {
			return e, err
		}
	}
	if e.Changes.Len() == 0 {
		return state.Settled("All keys are correct"), nil
	}
	return e, nil
}
