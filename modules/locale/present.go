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

// Present keeps a locale generated.
type Present struct {
	Name string `arg:"name,required" doc:"The locale: en_US.UTF-8."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "locale.present",
		Doc:     "Keeps a locale generated.",
		Example: "en_US.UTF-8:\n  locale.present: []",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// NeedsRoot is true: only root may generate locales.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

const generated = "/etc/locale.gen"

// Act notes the locale in /etc/locale.gen and generates it.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	there, err := p.there(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	if there {
		return state.Settled(fmt.Sprintf("Locale %s is already present", p.Name)), nil
	}
	want, err := p.supported(h)
	if err != nil {
		return state.Effect{}, err
	}
	if _, err := h.Stat(generated); err != nil {
		return state.Effect{}, fmt.Errorf("the package locales is needed: %w", err)
	}
	lines, err := modules.ReadLines(h, generated)
	if err != nil {
		return state.Effect{}, err
	}
	i := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(strings.TrimLeft(l, "# ")) == want })
	if i < 0 {
		lines = append(lines, want)
	} else {
		lines[i] = want
	}
	if err := modules.WriteLines(h, generated, lines); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf("locale", value.Str(p.Name)),
			Comment: fmt.Sprintf("Generated locale %s", p.Name),
			Preview: fmt.Sprintf("Locale %s needs to be generated", p.Name)},
		modules.Tool{On: host.FactLocale, Args: []string{"locale-gen"},
			Foretell: func(o host.Host) error {
				o.Promise(host.Fact{Kind: host.FactLocale, Name: normal(p.Name), Value: "present"})
				return nil
			}}.Run(ctx, h)
}

// there says whether the locale is generated.
func (p *Present) there(ctx context.Context, h host.Reader) (bool, error) {
	if _, ok := h.Fact(host.FactLocale, normal(p.Name)); ok {
		return true, nil
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"locale", "-a"}, Env: []string{"LC_ALL=C"}})
	if err != nil {
		return false, fmt.Errorf("ask for the locales: %w", err)
	}
	for line := range strings.Lines(string(out.Stdout)) {
		if normal(strings.TrimSpace(line)) == normal(p.Name) {
			return true, nil
		}
	}
	return false, nil
}

// supported is the line of /etc/locale.gen for the locale, which has to be one that can be generated.
func (p *Present) supported(h host.Reader) (string, error) {
	for _, dir := range []string{"/usr/local/share/i18n/", "/usr/share/i18n/"} {
		lines, err := modules.ReadLines(h, dir+"SUPPORTED")
		if err != nil {
			return "", err
		}
		for _, l := range lines {
			if l == p.Name || !strings.Contains(p.Name, " ") && normal(l) == normal(p.Name) {
				return l, nil
			}
		}
	}
	return "", host.Missing("the locale %s is not known: /usr/share/i18n/SUPPORTED does not have it", p.Name)
}
