package pkgrepo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Managed keeps a source of apt configured.
type Managed struct {
	Name      string      `arg:"name,required" doc:"The source, as in sources.list: deb URI DIST COMPS."`
	File      string      `arg:"file" doc:"The file that a new source is written to; /etc/apt/sources.list when not given."`
	HumanName string      `arg:"humanname" doc:"What people call it; no effect on apt."`
	Dist      string      `arg:"dist" doc:"The distribution, where it is not the one of the name."`
	Comps     Words       `arg:"comps" doc:"Components to add to those of the name."`
	Archs     Words       `arg:"architectures" doc:"The architectures it is for."`
	KeyURL    string      `arg:"key_url" doc:"Where its key is: salt:// or a URL."`
	KeyID     string      `arg:"keyid" doc:"The ID of its key, which keyserver has."`
	KeyServer string      `arg:"keyserver" doc:"The server that has its key."`
	KeyText   string      `arg:"key_text" doc:"Its key."`
	SignedBy  string      `arg:"signedby" alias:"signed_by?" doc:"The file of its key, for the option signed-by."`
	AptKey    value.Value `arg:"aptkey" doc:"No effect: keys are files."`
	Disabled  *bool       `arg:"disabled" doc:"Comment it out."`
	Enabled   *bool       `arg:"enabled" doc:"False comments it out."`
	Clean     bool        `arg:"clean_file" doc:"Remove whatever else is in its file."`
	Comments  Words       `arg:"comments" doc:"A comment behind the line."`
	PPA       string      `arg:"ppa" doc:"A personal package archive of Launchpad: user/name."`
	Refresh   *bool       `arg:"refresh" alias:"refresh_db" doc:"No effect: the next package state fetches the lists of sources that changed."`
	Consol    bool        `arg:"consolidate" doc:"No effect."`
	Yum       value.Value `arg:"baseurl" alias:"gpgkey,gpgcheck,mirrorlist,gpgautoimport,sslverify,priority,repo_gpgcheck,metadata_expire" doc:"Of other package managers; no effect on apt."`
}

// Words are words as a list or as text separated by commas or spaces.
type Words []string

// ArgType names the type in documentation.
func (*Words) ArgType() string { return "list of words" }

// BindValue reads the words.
func (w *Words) BindValue(v value.Value) error {
	texts, err := modules.Texts(v)
	*w = Words{}
	for _, t := range texts {
		*w = append(*w, strings.FieldsFunc(t, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	return err
}

func managedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "pkgrepo.managed",
		Doc:  "Keeps a source of packages configured, with its key.",
		Example: `docker:
  pkgrepo.managed:
    - name: deb [arch=amd64 signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/debian bookworm stable
    - file: /etc/apt/sources.list.d/docker.list
    - key_url: https://download.docker.com/linux/debian/gpg`,
		New:     func() modules.StateFunc { return &Managed{} },
		AnyArgs: true,
	}
}

// Validate refuses what is no source.
func (m *Managed) Validate() []modules.Fault {
	if m.PPA != "" {
		return []modules.Fault{{Arg: "ppa", Msg: "archives of Launchpad are not offered", Hint: "write the source itself: deb https://ppa.launchpadcontent.net/USER/NAME/ubuntu DIST main, with key_url"}}
	}
	if _, ok := parse(m.Name); !ok {
		return []modules.Fault{{Arg: "name", Msg: fmt.Sprintf("%q is no source of apt", m.Name), Hint: "a source is: deb URI DISTRIBUTION COMPONENT..."}}
	}
	return nil
}

// wanted is the line as it has to be.
func (m *Managed) wanted() source {
	s, _ := parse(m.Name)
	if m.Dist != "" {
		s.dist = m.Dist
	}
	for _, c := range m.Comps {
		if !slices.Contains(s.comps, c) {
			s.comps = append(s.comps, c)
		}
	}
	if len(m.Archs) > 0 {
		s.setOption("arch", strings.Join(m.Archs, ","))
	}
	if m.SignedBy != "" {
		s.setOption("signed-by", m.SignedBy)
	}
	if len(m.Comments) > 0 {
		s.comment = strings.Join(m.Comments, " ")
	}
	s.disabled = m.Disabled != nil && *m.Disabled || m.Enabled != nil && !*m.Enabled
	return s
}

// A plan is what has to change.
type plan struct {
	file  *list // with the lines as they have to be
	line  string
	new   bool
	write bool
	key   *key // nil when it is there
	diff  *value.Dict
}

func (m *Managed) plan(ctx context.Context, env *modules.Env, h host.Reader) (*plan, error) {
	want := m.wanted()
	p := &plan{line: want.String(), diff: value.NewDict(0)}
	all, err := lists(h)
	if err != nil {
		return nil, err
	}
	if err := m.planLine(h, all, want, p); err != nil {
		return nil, err
	}
	k, err := m.keyOf(ctx, env, want)
	if err != nil {
		return nil, err
	}
	missing, err := k.differs(h)
	if missing {
		p.key = k
		p.diff.SetStr("key", value.Str(k.file))
	}
	return p, err
}

func (m *Managed) planLine(h host.Reader, all []*list, want source, p *plan) error {
	l, i := find(all, want)
	if l == nil {
		file := m.File
		if file == "" {
			file = mainList
		}
		var err error
		if l, err = readList(h, file); err != nil {
			return err
		}
		p.new, p.write = true, true
		if m.Clean {
			l.lines = nil
		}
		l.lines = append(l.lines, p.line)
		p.file = l
		p.diff.SetStr("repo", value.Str(p.line))
		return nil
	}
	p.file = l
	now, _ := parse(l.lines[i])
	p.attributes(now, want)
	if p.diff.Len() > 0 {
		p.write = true
		l.lines[i] = p.line
	}
	if m.Clean && len(l.lines) > 1 && (m.File == "" || m.File == l.path) {
		p.write = true
		l.lines = []string{p.line}
		p.diff.SetStr("clean_file", value.Bool(true))
	}
	return nil
}

// attributes notes what differs between two lines about one source. Components that are there beside the wanted ones go.
func (p *plan) attributes(now, want source) {
	note := func(key, old, new string) {
		if old != new {
			p.diff.SetStr(key, value.DictOf("old", value.Str(old), "new", value.Str(new)))
		}
	}
	words := func(ws []string) string { return strings.Join(slices.Sorted(slices.Values(ws)), " ") }
	note("comps", words(now.comps), words(want.comps))
	note("options", words(now.options), words(want.options))
	note("disabled", fmt.Sprint(now.disabled), fmt.Sprint(want.disabled))
	if want.comment != "" {
		note("comments", now.comment, want.comment)
	} else if p.diff.Len() > 0 {
		want.comment = now.comment
		p.line = want.String()
	}
}

// Act writes the key first, so that the source is never there without it.
func (m *Managed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	p, err := m.plan(ctx, env, h)
	if err != nil || p.diff.Len() == 0 {
		return state.Settled(fmt.Sprintf("Package repo '%s' already configured", m.Name)), err
	}
	if p.key != nil {
		if err := p.key.write(h); err != nil {
			return state.Effect{}, err
		}
	}
	if p.write {
		if err := p.file.write(h); err != nil {
			return state.Effect{}, err
		}
	}
	return state.Effect{Changes: p.diff, Comment: fmt.Sprintf("Configured package repo '%s'", m.Name),
		Preview: fmt.Sprintf("Package repo '%s' would be configured", m.Name)}, nil
}
