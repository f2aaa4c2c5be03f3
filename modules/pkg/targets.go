package pkg

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// A Target is one package that a state is about.
type Target struct {
	Name    string
	Version string // as written
	Source  string // where its file is, "" for the package manager's sources
}

// Targets are packages as Salt users write them: a list of names, a list of maps name: version, or one map.
type Targets []Target

// ArgType names the type in documentation.
func (*Targets) ArgType() string { return "list of packages" }

// BindValue reads the packages.
func (t *Targets) BindValue(v value.Value) error {
	*t = Targets{}
	items := []value.Value{v}
	switch v := v.(type) {
	case *value.List:
		items = v.Items
	case *value.Tuple:
		items = v.Items
	case *value.Dict:
	default:
		return fmt.Errorf("takes a list of packages, not %s", modules.Describe(v))
	}
	for i, it := range items {
		if err := t.add(it); err != nil {
			return fmt.Errorf("takes packages, but item %d %w", i+1, err)
		}
	}
	return nil
}

func (t *Targets) add(v value.Value) error {
	d, ok := v.(*value.Dict)
	if !ok {
		name, err := modules.Text(v)
		if err != nil || strings.TrimSpace(name) == "" {
			return fmt.Errorf("is %s", modules.Describe(v))
		}
		*t = append(*t, Target{Name: strings.TrimSpace(name)})
		return nil
	}
	for k, val := range d.All() {
		name, err := modules.Text(k)
		if err != nil {
			return fmt.Errorf("has the name %s", modules.Describe(k))
		}
		version, err := modules.Text(val)
		if err != nil {
			return fmt.Errorf("gives %s %s as its version", name, modules.Describe(val))
		}
		*t = append(*t, Target{Name: strings.TrimSpace(name), Version: version})
	}
	return nil
}

// Sources are packages given as files: a list of maps name: place.
type Sources []Target

// ArgType names the type in documentation.
func (*Sources) ArgType() string { return "list of name: file" }

// BindValue reads the sources.
func (s *Sources) BindValue(v value.Value) error {
	var t Targets
	if err := t.BindValue(v); err != nil {
		return err
	}
	*s = Sources{}
	for _, one := range t {
		if one.Version == "" {
			return fmt.Errorf("takes a list of name: file, but %s has no file", one.Name)
		}
		*s = append(*s, Target{Name: one.Name, Source: one.Version})
	}
	return nil
}

// names are the names of the targets.
func names(ts []Target) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = t.Name
	}
	return out
}
