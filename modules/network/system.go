package network

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// System keeps the settings of the network as a whole.
type System struct {
	root
	Name          string      `arg:"name,required,text" doc:"The name of the state."`
	Enabled       *bool       `arg:"enabled" doc:"Has networking set up at boot."`
	Hostname      string      `arg:"hostname,word" doc:"The name of the machine. Its domain goes to /etc/resolv.conf."`
	Search        string      `arg:"search" doc:"The domains in which names are looked up, in /etc/resolv.conf."`
	ApplyHostname bool        `arg:"apply_hostname" doc:"Sets the name of the machine now, too."`
	Rest          *value.Dict `arg:"**"`
	apply
}

func systemSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "network.system",
		Doc: "Keeps whether networking is set up at boot (Debian's /etc/default/networking), and domain and search list of " +
			"/etc/resolv.conf. Settings of other systems (gateway, nozeroconf, ...) are left out, as in Salt.",
		Example: "network:\n  network.system:\n    - enabled: true\n    - hostname: web1.example.com\n" +
			"    - apply_hostname: true\n    - require_reboot: true",
		New: func() modules.StateFunc { return &System{} },
	}
}

const (
	defaultFile = "/etc/default/networking"
	resolvFile  = "/etc/resolv.conf"
)

// A global is what the state keeps.
type global struct{ networking, hostname, domain, search string }

// lines are the settings as Salt shows them.
func (g global) lines() []string {
	var out []string
	for _, l := range [...][2]string{{"NETWORKING", g.networking}, {"HOSTNAME", g.hostname}, {"DOMAIN", g.domain},
		{"SEARCH", g.search}} {
		if l[1] != "" {
			out = append(out, l[0]+"="+l[1]+"\n")
		}
	}
	return out
}

// readIf are the lines of a file, none where it is not there.
func readIf(h host.Reader, file string) ([]string, error) {
	lines, err := modules.ReadLines(h, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return lines, err
}

// globals are the settings as they are.
func globals(h host.Reader) (g global, err error) {
	defaults, err := readIf(h, defaultFile)
	name, nameErr := readIf(h, nameFile)
	resolv, resolvErr := readIf(h, resolvFile)
	for _, l := range defaults {
		if v, ok := strings.CutPrefix(l, "CONFIGURE_INTERFACES="); ok {
			g.networking = strings.TrimSpace(v)
		}
	}
	if len(name) > 0 {
		g.hostname = strings.TrimSpace(name[0])
	}
	for _, l := range resolv {
		w := strings.Fields(l)
		switch {
		case len(w) > 1 && w[0] == "domain":
			g.domain = w[1]
		case len(w) > 1 && w[0] == "search":
			g.search = strings.Join(w[1:], " ")
		}
	}
	return g, errors.Join(err, nameErr, resolvErr)
}

// wanted are the settings that the state asks for.
func (s *System) wanted(now global) (global, error) {
	want := now
	switch {
	case s.Enabled != nil && *s.Enabled:
		want.networking = "yes"
	case s.Enabled != nil:
		want.networking = "no"
	case switched(value.Str(now.networking)) == "":
		return want, fmt.Errorf("Invalid network setting -- Setting: networking, Expected: [%s]", onOffWords)
	}
	if s.Hostname != "" {
		name, domain, ok := strings.Cut(s.Hostname, ".")
		if want.hostname = name; ok {
			want.domain = domain
		}
	}
	want.hostname, _, _ = strings.Cut(want.hostname, ".")
	if want.hostname == "" {
		return want, fmt.Errorf("Invalid network setting -- Setting: hostname, Expected: [server1.example.com]")
	}
	if s.Search != "" {
		want.search = strings.Join(strings.Fields(s.Search), " ")
	}
	return want, nil
}

// Act writes the settings, then restarts networking.
//
// Salt differs: it replaces /etc/default/networking by a text of its own, compares in test mode what it would write
// with something else, so that it always foretells a change, and writes /etc/hostname never, so that a new name is a
// change in each run; with apply_hostname we write it.
func (s *System) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if err := debian(env); err != nil {
		return state.Effect{}, err
	}
	now, err := globals(h)
	if err != nil {
		return state.Effect{}, err
	}
	want, err := s.wanted(now)
	if err != nil {
		return state.Effect{}, err
	}
	if now.hostname, _, _ = strings.Cut(now.hostname, "."); !s.ApplyHostname {
		want.hostname = now.hostname
	}
	if now == want {
		return state.Settled("Global network settings are up to date."), nil
	}
	if err := s.write(ctx, h, now, want); err != nil {
		return state.Effect{}, err
	}
	diff := difference(strings.Join(now.lines(), ""), strings.Join(want.lines(), ""))
	return state.Effect{Changes: value.DictOf("network_settings", value.Str(diff)), Foretold: value.NewDict(0),
		Comment: "Global network settings are up to date.", Preview: "Global network settings are set to be updated:\n" +
			diff}, s.restart(ctx, h)
}

func (s *System) write(ctx context.Context, h host.Host, now, want global) error {
	if now.networking != want.networking {
		if err := setLine(h, defaultFile, "CONFIGURE_INTERFACES=", want.networking); err != nil {
			return err
		}
	}
	if now.domain != want.domain {
		if err := setLine(h, resolvFile, "domain ", want.domain); err != nil {
			return err
		}
	}
	if now.search != want.search {
		if err := setLine(h, resolvFile, "search ", want.search); err != nil {
			return err
		}
	}
	if now.hostname == want.hostname {
		return nil
	}
	if err := modules.WriteLines(h, nameFile, []string{want.hostname}); err != nil {
		return err
	}
	return modules.Tool{On: host.Kernel, Args: []string{"hostname", want.hostname}}.Run(ctx, h)
}

// setLine sets what follows a word at the start of a line, in the place of that line or of the comment that it is, or
// at the start of the file.
func setLine(h host.Host, file, word, text string) error {
	lines, err := readIf(h, file)
	if err != nil {
		return err
	}
	for i, l := range lines {
		plain := strings.Join(strings.Fields(l), " ")
		if strings.HasPrefix(plain+" ", word) || strings.HasPrefix(plain, "#"+word) && strings.HasSuffix(word, "=") {
			lines[i] = word + text
			return modules.WriteLines(h, file, lines)
		}
	}
	return modules.WriteLines(h, file, append([]string{word + text}, lines...))
}
