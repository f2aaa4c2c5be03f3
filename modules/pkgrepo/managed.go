package pkgrepo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Managed keeps a source of packages configured: a line of apt's, or a section of a file of dnf, yum or zypper, whose
// options are further arguments.
type Managed struct {
	Name      string      `arg:"name,required" doc:"The source, as in sources.list: deb URI DIST COMPS."`
	File      string      `arg:"file,path" not:".." doc:"The file that a new source is written to; /etc/apt/sources.list when not given."`
	HumanName string      `arg:"humanname" doc:"What people call it, on dnf, yum and zypper; the name where it is not given."`
	Dist      string      `arg:"dist" doc:"The distribution, where it is not the one of the name."`
	Comps     Words       `arg:"comps" doc:"The components, in place of those of the name."`
	Archs     Words       `arg:"architectures" doc:"The architectures it is for."`
	KeyURL    string      `arg:"key_url,path" doc:"Where its key is: salt:// or a URL."`
	KeyID     string      `arg:"keyid" doc:"The ID of its key, which keyserver has."`
	KeyServer string      `arg:"keyserver" doc:"The server that has its key."`
	KeyText   string      `arg:"key_text,text" doc:"Its key."`
	SignedBy  string      `arg:"signedby,path" alias:"signed_by?" doc:"The file of its key, for the option signed-by."`
	AptKey    value.Value `arg:"aptkey" doc:"No effect: keys are files."`
	Disabled  *bool       `arg:"disabled" doc:"Comment it out."`
	Enabled   *bool       `arg:"enabled" doc:"False comments it out."`
	Clean     bool        `arg:"clean_file" doc:"Remove whatever else is in its file."`
	Comments  Lines       `arg:"comments" doc:"Comments: behind the line on apt, below its options elsewhere."`
	PPA       string      `arg:"ppa" doc:"A personal package archive of Launchpad: user/name."`
	PPAAuth   string      `arg:"ppa_auth,secret" doc:"The user:password of a private archive of Launchpad."`
	Refresh   *bool       `arg:"refresh" alias:"refresh_db" doc:"Whether to fetch the lists when something changed, which is the default."`
	Repo      value.Value `arg:"repo" doc:"An error: the argument is called name."`
	Consol    bool        `arg:"consolidate" doc:"No effect."`
	// Rest are options of a source of dnf, yum or zypper.
	Rest *value.Dict `arg:"**,env"`
}

// Lines are texts, as a list or one alone.
type Lines []string

// ArgType names the type in documentation.
func (*Lines) ArgType() string { return "list of texts" }

// BindValue reads the texts.
func (l *Lines) BindValue(v value.Value) error {
	texts, err := modules.Texts(v)
	*l = texts
	return err
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
		Doc: "Keeps a source of packages configured: a line of apt's, with its key, or a source of dnf, yum or zypper, " +
			"whose options (baseurl, mirrorlist, gpgcheck, gpgkey, priority, ...) are further arguments.",
		Example: `docker:
  pkgrepo.managed:
    - name: deb [arch=amd64 signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/debian bookworm stable
    - file: /etc/apt/sources.list.d/docker.list
    - key_url: https://download.docker.com/linux/debian/gpg`,
		New: func() modules.StateFunc { return &Managed{Rest: value.NewDict(0)} },
	}
}

// Validate refuses arguments that contradict each other.
func (m *Managed) Validate() []modules.Fault {
	var faults []modules.Fault
	for _, f := range []struct {
		both bool
		arg  string
		msg  string
	}{
		{m.Disabled != nil && m.Enabled != nil, "disabled", "only one of enabled and disabled is allowed"},
		{m.Repo != nil, "repo", "the argument repo does not exist"},
	} {
		if f.both {
			faults = append(faults, modules.Fault{Arg: f.arg, Msg: f.msg})
		}
	}
	return faults
}

// wanted is the line as it has to be. Salt differs: it writes a line that is none, and on Debian takes
// no notice of disabled, nor of a line that is commented out, nor of the options of a line that is there but for arch
// and signed-by.
func (m *Managed) wanted() (source, error) {
	s, ok := parse(m.Name)
	if !ok {
		return s, host.Sure(fmt.Errorf("%q is no source of apt, which is: deb URI DISTRIBUTION COMPONENT...", m.Name))
	}
	if m.Dist != "" {
		s.dist = m.Dist
	}
	if m.Comps != nil {
		s.comps = m.Comps
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
	return s, nil
}

// A plan is what has to change.
type plan struct {
	file  *list // with the lines as they have to be
	write bool
	key   *key // nil when it is there
	diff  *value.Dict
}

func (m *Managed) plan(ctx context.Context, env *modules.Env, h host.Reader) (*plan, error) {
	want, err := m.wanted()
	if err != nil {
		return nil, err
	}
	p := &plan{diff: value.NewDict(0)}
	if err := m.planLine(h, want, p); err != nil {
		return nil, err
	}
	k, err := m.keyOf(ctx, env, want)
	if err != nil {
		return nil, err
	}
	missing, err := k.differs(h)
	if missing {
		if p.key = k; p.diff.Len() == 0 {
			p.diff.SetStr("key", value.Str(k.file))
		}
	}
	return p, err
}

func (m *Managed) planLine(h host.Reader, want source, p *plan) error {
	all, err := lists(h)
	if err != nil {
		return err
	}
	l, i := find(all, want)
	if l == nil {
		if l, err = readList(h, cmp.Or(m.File, mainList)); err != nil {
			return err
		}
		if m.Clean {
			l.lines = nil
		}
		l.lines = append(l.lines, want.String())
		p.file, p.write = l, true
		p.diff.SetStr("repo", value.Str(m.Name))
		return nil
	}
	now, _ := parse(l.lines[i])
	if want.comment == "" {
		want.comment = now.comment
	}
	if p.compare(now, want); now.uri != want.uri { // for Salt, a slash at its end makes it another
		p.diff = value.DictOf("repo", value.Str(m.Name))
	}
	if p.diff.Len() == 0 {
		return nil
	}
	p.file, p.write = l, true
	if l.lines[i] = want.String(); m.Clean && l.path == m.File {
		l.lines = []string{want.String()}
	}
	return nil
}

// compare notes what differs between two lines about one source, in Salt's words. Components that are there beside the
// wanted ones go; the order of words does not count.
func (p *plan) compare(now, want source) {
	words := func(s source) []string { return slices.Sorted(slices.Values(strings.Fields(s.String()))) }
	if slices.Equal(words(now), words(want)) {
		return
	}
	note := func(key string, now, want value.Value) {
		if !value.Equal(now, want) {
			p.diff.SetStr(key, value.DictOf("new", want, "old", now))
		}
	}
	note("comps", value.From(now.comps), value.From(want.comps))
	note("disabled", value.Bool(now.disabled), value.Bool(want.disabled))
	note("line", value.Str(now.String()), value.Str(want.String()))
	note("architectures", value.From(now.architectures()), value.From(want.architectures()))
	note("signedby", value.Str(now.option("signed-by")), value.Str(want.option("signed-by")))
}

// Act writes the key first, so that the source is never there without it, then the line, and has the lists fetched: a
// source that cannot be had is a failure, in the run that wrote it.
func (m *Managed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	tool, err := manager(env)
	switch {
	case err != nil:
		return state.Effect{}, err
	case tool != "apt":
		return m.section(ctx, env, h, tool)
	}
	one := *m
	if err := one.launch(ctx, env); err != nil {
		return state.Effect{}, err
	}
	p, err := one.plan(ctx, env, h)
	if err != nil || p.diff.Len() == 0 {
		return state.Effect{Comment: fmt.Sprintf("Package repo '%s' already configured", m.Name), Warnings: m.unknown()}, err
	}
	if p.key != nil {
		if err := p.key.write(h); err != nil {
			return state.Effect{}, err
		}
	}
	if p.write {
		err = p.file.write(h)
	}
	if err == nil && (m.Refresh == nil || *m.Refresh) {
		err = refresh(ctx, env)
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to configure repo '%s': %w", m.Name, err) //nolint:staticcheck // Salt's words
	}
	return state.Effect{Changes: p.diff, Comment: fmt.Sprintf("Configured package repo '%s'", m.Name),
		Preview: fmt.Sprintf("Package repo '%s' would be configured", m.Name), Warnings: m.unknown()}, nil
}
