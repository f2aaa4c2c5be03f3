package pkg

import (
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// listSources reads apt's one-line sources: {uri: [{type, uri, dist, comps, architectures, disabled, file, line}]}.
func listSources(h host.Reader) *value.Dict {
	files := []string{"/etc/apt/sources.list"}
	parts, _ := h.ReadDir("/etc/apt/sources.list.d")
	for _, p := range parts {
		if strings.HasSuffix(p.Path, ".list") {
			files = append(files, "/etc/apt/sources.list.d/"+p.Path)
		}
	}
	out := value.NewDict(0)
	for _, file := range files {
		data, err := h.ReadFile(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			if uri, repo := parseSource(file, line); repo != nil {
				l, ok := out.GetStr(uri)
				if !ok {
					l = value.NewList()
					out.SetStr(uri, l)
				}
				l.(*value.List).Items = append(l.(*value.List).Items, repo)
			}
		}
	}
	return out
}

// parseSource reads "deb [arch=amd64] URI DIST COMPS...", commented out or not; nil for any other line.
func parseSource(file, line string) (uri string, repo *value.Dict) {
	text := strings.TrimSpace(line)
	rest := strings.TrimSpace(strings.TrimLeft(text, "#"))
	disabled := rest != text
	kind, rest, ok := strings.Cut(rest, " ")
	if !ok || kind != "deb" && kind != "deb-src" {
		return "", nil
	}
	archs := value.NewList()
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "[") {
		var options string
		options, rest, _ = strings.Cut(strings.TrimPrefix(rest, "["), "]")
		for _, o := range strings.Fields(options) {
			if a, ok := strings.CutPrefix(o, "arch="); ok {
				for _, one := range strings.Split(a, ",") {
					archs.Items = append(archs.Items, value.Str(one))
				}
			}
		}
	}
	f := strings.Fields(rest)
	if len(f) < 2 || !strings.Contains(f[0], ":") {
		return "", nil
	}
	comps := value.NewList()
	for _, comp := range f[2:] {
		comps.Items = append(comps.Items, value.Str(comp))
	}
	return f[0], value.DictOf("file", value.Str(file), "comps", comps, "disabled", value.Bool(disabled), "dist",
		value.Str(f[1]),
		"type", value.Str(kind), "uri", value.Str(f[0]), "line", value.Str(text), "architectures", archs)
}
