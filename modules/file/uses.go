package file

import "github.com/gostate/gostate/modules"

// UsesSources names the sources of file.managed.
func (m *Managed) UsesSources() []modules.SourceUse {
	use := modules.SourceUse{Arg: "source"}
	for _, r := range m.Source.list {
		use.Any = append(use.Any, r.url)
	}
	return []modules.SourceUse{use}
}

// UsesSources names the sources of file.append and file.prepend.
func (t *Texts) UsesSources() []modules.SourceUse {
	var out []modules.SourceUse
	if t.Source != "" {
		out = append(out, modules.SourceUse{Arg: "source", Any: []string{t.Source}})
	}
	for _, s := range t.Sources {
		out = append(out, modules.SourceUse{Arg: "sources", Any: []string{s}})
	}
	return out
}

// UsesSources names the source directories of file.recurse.
func (r *Recurse) UsesSources() []modules.SourceUse {
	return []modules.SourceUse{{Arg: "source", Any: r.Source, Dir: true}}
}
