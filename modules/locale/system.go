package locale

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

// System keeps the machine's locale.
type System struct {
	Name string `arg:"name,required,word" doc:"The locale: en_US.UTF-8."`
}

func systemSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "locale.system",
		Doc:     "Keeps the machine's locale: LANG in /etc/default/locale, or /etc/locale.conf.",
		Example: "en_US.UTF-8:\n  locale.system: []",
		New:     func() modules.StateFunc { return &System{} },
	}
}

// file is systemd's, or Debian's where that is what is there. On newer Debian one is a link to the other.
func file(h host.Reader) string {
	_, debian := h.Stat("/etc/debian_version")
	_, old := h.Lstat("/etc/default/locale")
	if _, conf := h.Lstat("/etc/locale.conf"); debian == nil && (old == nil || conf != nil) {
		return "/etc/default/locale"
	}
	return "/etc/locale.conf"
}

// known is the error for a locale that the machine does not have; systemd refuses it.
func (s *System) known(ctx context.Context, h host.Reader) error {
	if _, err := h.Stat("/run/systemd/system"); err != nil || s.Name == "C" || s.Name == "POSIX" {
		return nil
	}
	if there, err := (&Present{Name: s.Name}).there(ctx, h); err != nil || there {
		return err
	}
	return host.Missing("Failed to set system locale to %s: it is not there, locale.present generates it", s.Name)
}

// Act sets it.
func (s *System) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	lines, err := modules.ReadLines(h, file(h))
	if err != nil {
		return state.Effect{}, err
	}
	want := "LANG=" + s.Name
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "LANG=") })
	switch {
	case i < 0:
		lines = append(lines, want)
	case strings.NewReplacer(`"`, "", "'", "").Replace(strings.TrimSpace(lines[i])) == want:
		return state.Settled(fmt.Sprintf("System locale %s already set", s.Name)), nil
	default:
		lines[i] = want
	}
	if err := s.known(ctx, h); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf("locale", value.Str(s.Name)),
		Comment: fmt.Sprintf("Set system locale %s", s.Name),
		Preview: fmt.Sprintf("System locale %s needs to be set", s.Name)}, modules.WriteLines(h, file(h), lines)
}
