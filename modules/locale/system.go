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
