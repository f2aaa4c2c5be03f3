package locale

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

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
	if _, ok := h.Fact(host.FactLocale, normal(p.Name)); ok {
		return state.Forecast{Comment: fmt.Sprintf("Locale %s is already present", p.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("locale", value.Str(p.Name)), Comment: fmt.Sprintf("Locale %s needs to be generated", p.Name),
		Effects: []host.Fact{{Kind: host.FactLocale, Name: normal(p.Name), Value: "present"}}}, nil
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
