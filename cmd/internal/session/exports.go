package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/sls/puppet/compile"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/state/value"
)

// Exports are the exported resources that manifests collect, kept in a file of the state directory: by machine, those
// of its last catalog that was applied. A fleet gives its own in its place.
type Exports struct{ file string }

// Exports is the local store of exported resources.
func (s *Session) Exports() Exports {
	return Exports{filepath.Join(s.StateDir(), "puppet-exports.json")}
}

// An exported list is what a run will keep for its machine; of no machine it is none.
type exported struct {
	node string
	list []compile.Exported
}

// Export notes what the machine exports, which is kept when the run begins: one that is refused leaves all as it was.
func (s *Session) Export(node string, list []compile.Exported) {
	s.exported = exported{node, append(s.exported.list, list...)}
}

// keepExports keeps it, unless nothing is to be done.
func (s *Session) keepExports() error {
	if s.exported.node == "" || s.preview() || s.noop() {
		return nil
	}
	return s.Exports().Keep(s.exported.node, s.exported.list)
}

// Find gives the resources of a type.
func (x Exports) Find(typeName string) (out []compile.Exported, err error) {
	all, err := x.read()
	if err != nil {
		return nil, err
	}
	for node, list := range all.All() {
		l, _ := list.(*value.List)
		if l == nil {
			continue
		}
		for _, it := range l.Items {
			if e, ok := exportedOf(value.String(node), it); ok && strings.EqualFold(e.Type, typeName) {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

func exportedOf(node string, v value.Value) (compile.Exported, bool) {
	d, ok := v.(*value.Dict)
	if !ok {
		return compile.Exported{}, false
	}
	text := func(key string) string {
		v, _ := d.GetStr(key)
		s, _ := v.(value.Str)
		return string(s)
	}
	e := compile.Exported{Node: node, Type: text("type"), Title: text("title")}
	params, _ := d.GetStr("parameters")
	if e.Params, ok = params.(*value.Dict); !ok {
		return e, false
	}
	tags, _ := d.GetStr("tags")
	if l, isList := tags.(*value.List); isList {
		for _, t := range l.Items {
			e.Tags = append(e.Tags, value.String(t))
		}
	}
	return e, e.Type != ""
}

// Keep puts what a machine exports in the place of what it did before.
func (x Exports) Keep(node string, list []compile.Exported) error {
	all, err := x.read()
	if err != nil || len(list) == 0 && !all.Has(value.Str(node)) {
		return err
	}
	l := value.NewList()
	for _, e := range list {
		tags := value.NewList()
		for _, t := range slices.Sorted(slices.Values(e.Tags)) {
			tags.Items = append(tags.Items, value.Str(t))
		}
		l.Items = append(l.Items, value.DictOf("type", value.Str(e.Type), "title", value.Str(e.Title), "parameters", e.Params,
			"tags", tags))
	}
	all.SetStr(node, l)
	return KeepData(x.file, all)
}

func (x Exports) read() (*value.Dict, error) {
	text, err := os.ReadFile(x.file)
	if errors.Is(err, fs.ErrNotExist) {
		return value.NewDict(1), nil
	}
	if err != nil {
		return nil, err
	}
	v, err := serial.Deserialize("json", string(text))
	d, ok := v.(*value.Dict)
	if err != nil || !ok {
		return nil, errors.New(x.file + " holds no exported resources: remove it, and apply the manifests again")
	}
	return d, nil
}

// KeepData writes data to a file as a whole, for the owner only: it holds what is secret, too.
func KeepData(file string, data value.Value) error {
	text, err := serial.Serialize("json", data, nil)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return disk.WriteFile(file, []byte(text), 0o600)
}
