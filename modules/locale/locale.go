// Package locale keeps locales generated, and the machine's own locale.
package locale

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

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "locale", States: []modules.StateSpec{presentSpec(), systemSpec()}}
}

// normal spells a locale as `locale -a` does: en_US.UTF-8 is en_US.utf8.
func normal(name string) string {
	name, _, _ = strings.Cut(name, " ")
	lang, charset, ok := strings.Cut(name, ".")
	if !ok {
		return name
	}
	charset, mod, has := strings.Cut(charset, "@")
	charset = strings.ToLower(strings.ReplaceAll(charset, "-", ""))
	if has {
		return lang + "." + charset + "@" + mod
	}
	return lang + "." + charset
}

// Present keeps a locale generated.
type Present struct {
	Name string `arg:"name,required" doc:"the locale: en_US.UTF-8"`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "locale.present",
		Doc:     "Keeps a locale generated.",
		Example: "en_US.UTF-8:\n  locale.present: []",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Locks keeps other changes of locales out.
func (*Present) Locks() []string { return []string{"locale"} }

// NeedsRoot is true: only root may generate locales.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

// Check says whether the locale would be generated.
func (p *Present) Check(ctx context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"locale", "-a"}, Env: []string{"LC_ALL=C"}})
	if err != nil {
		return state.Forecast{}, fmt.Errorf("ask for the locales: %w", err)
	}
	for line := range strings.Lines(string(out.Stdout)) {
		if normal(strings.TrimSpace(line)) == normal(p.Name) {
			return state.Forecast{Comment: fmt.Sprintf("Locale %s is already present", p.Name)}, nil
		}
	}
	if _, ok := h.Fact("locale", normal(p.Name)); ok {
		return state.Forecast{Comment: fmt.Sprintf("Locale %s is already present", p.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("locale", value.Str(p.Name)), Comment: fmt.Sprintf("Locale %s needs to be generated", p.Name),
		Effects: []host.Fact{{Kind: "locale", Name: normal(p.Name), Value: "present"}}}, nil
}

// Apply notes the locale in /etc/locale.gen and generates it.
func (p *Present) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	const file = "/etc/locale.gen"
	data, err := h.ReadFile(file)
	if err != nil {
		return state.Applied{}, fmt.Errorf("the package locales is needed: %w", err)
	}
	want := p.Name
	if !strings.Contains(want, " ") {
		_, charset, ok := strings.Cut(want, ".")
		if !ok {
			charset = "ISO-8859-1"
		}
		charset, _, _ = strings.Cut(charset, "@")
		if strings.EqualFold(strings.ReplaceAll(charset, "-", ""), "utf8") {
			charset = "UTF-8"
		}
		want += " " + charset
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	found := false
	for i, l := range lines {
		if strings.TrimSpace(strings.TrimLeft(l, "# ")) == want {
			lines[i], found = want, true
		}
	}
	if !found {
		lines = append(lines, want)
	}
	if err := h.WriteFile(file, strings.NewReader(strings.Join(lines, "\n")+"\n"), host.KeepAttr()); err != nil {
		return state.Applied{}, fmt.Errorf("write %s: %w", file, err)
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{"locale-gen"}})
	if err != nil {
		return state.Applied{}, fmt.Errorf("run locale-gen: %w", err)
	}
	if out.Code != 0 {
		return state.Applied{}, errors.New("locale-gen: " + strings.TrimSpace(string(out.Stderr)))
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Generated locale %s", p.Name)}, nil
}

// System keeps the machine's locale.
type System struct {
	Name string `arg:"name,required" doc:"the locale: en_US.UTF-8"`
}

func systemSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "locale.system",
		Doc:     "Keeps the machine's locale: LANG in /etc/default/locale, or /etc/locale.conf.",
		Example: "en_US.UTF-8:\n  locale.system: []",
		New:     func() modules.StateFunc { return &System{} },
	}
}

// OnlyFiles: the locale is a file.
func (*System) OnlyFiles() {}

// Locks keeps other changes of locales out.
func (*System) Locks() []string { return []string{"locale"} }

// file is Debian's, or systemd's on other systems. On newer Debian one is a link to the other.
func file(h host.Reader) string {
	if _, err := h.Stat("/etc/debian_version"); err == nil {
		return "/etc/default/locale"
	}
	return "/etc/locale.conf"
}

func (s *System) lines(h host.Reader) (lines []string, same bool, err error) {
	data, err := h.ReadFile(file(h))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("read %s: %w", file(h), err)
	}
	if text := strings.TrimSuffix(string(data), "\n"); text != "" {
		lines = strings.Split(text, "\n")
	}
	found := false
	for i, l := range lines {
		v, ok := strings.CutPrefix(strings.TrimSpace(l), "LANG=")
		if !ok {
			continue
		}
		found, same = true, strings.Trim(v, `"'`) == s.Name
		lines[i] = "LANG=" + s.Name
	}
	if !found {
		lines = append(lines, "LANG="+s.Name)
	}
	return lines, same, nil
}

// Check says whether the locale would be set.
func (s *System) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	_, same, err := s.lines(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if same {
		return state.Forecast{Comment: fmt.Sprintf("System locale %s already set", s.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("locale", value.Str(s.Name)), Comment: fmt.Sprintf("System locale %s needs to be set", s.Name)}, nil
}

// Apply sets it.
func (s *System) Apply(_ context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	lines, _, err := s.lines(h)
	if err != nil {
		return state.Applied{}, err
	}
	a := host.KeepAttr()
	target := file(h)
	if to, err := h.Readlink(target); err == nil { // a link stays one
		if !strings.HasPrefix(to, "/") {
			to = "/etc/" + strings.TrimPrefix(strings.TrimPrefix(to, "../"), "./")
		}
		target = to
	}
	if _, err := h.Stat(target); err != nil {
		a = host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
	}
	if err := h.WriteFile(target, strings.NewReader(strings.Join(lines, "\n")+"\n"), a); err != nil {
		return state.Applied{}, fmt.Errorf("write %s: %w", target, err)
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Set system locale %s", s.Name)}, nil
}
