package rabbitmq

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

// Plugin keeps a plugin enabled, or disabled.
type Plugin struct {
	Name  string `arg:"name,required,word" doc:"The plugin."`
	RunAs string `arg:"runas,word" doc:"Who runs rabbitmq-plugins."`

	on bool
}

func pluginSpec(on bool) modules.StateSpec {
	s := modules.StateSpec{Name: "rabbitmq_plugin.disabled", Doc: "Keeps a plugin of RabbitMQ disabled.",
		Example: "rabbitmq_management:\n  rabbitmq_plugin.disabled: []",
		New:     func() modules.StateFunc { return &Plugin{on: on} }}
	if on {
		s.Name, s.Doc = "rabbitmq_plugin.enabled", "Keeps a plugin of RabbitMQ enabled."
		s.Example = "rabbitmq_management:\n  rabbitmq_plugin.enabled: []"
	}
	return s
}

// Validate finds what is no plugin.
func (p *Plugin) Validate() []modules.Fault { return dashed("name", p.Name) }

// plugins are those that are enabled, or all.
func (b *broker) plugins(ctx context.Context, enabled bool) ([]string, error) {
	if _, err := b.h.LookPath("rabbitmq-plugins"); err != nil {
		return nil, modules.Unreached(b.h, err, "rabbitmq-server")
	}
	words := []string{"rabbitmq-plugins", "list", "-q", "-m"}
	if enabled {
		words = append(words, "-e")
	}
	out, err := b.h.Query(ctx, b.command("", words...))
	if err == nil && out.Code != 0 {
		err = modules.Unreached(b.h, complaint(out), "rabbitmq-server")
	}
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out.Stdout)), nil
}

// Act enables or disables the plugin.
func (p *Plugin) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b := &broker{h, p.RunAs}
	all, err := b.plugins(ctx, true)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Error: %w", err) //nolint:staticcheck // Salt's words
	}
	word, verb, then, changes := "disabled", "disable", "absent", oldNew(value.Str(p.Name), value.Str(""))
	if p.on {
		word, verb, then, changes = "enabled", "enable", "present", oldNew(value.Str(""), value.Str(p.Name))
	}
	if there(h, "plugin "+p.Name, slices.Contains(all, p.Name)) == p.on {
		return state.Settled(fmt.Sprintf("Plugin '%s' is already %s.", p.Name, word)), nil
	}
	e := state.Effect{Changes: changes, Comment: fmt.Sprintf("Plugin '%s' was %s.", p.Name, word),
		Preview: fmt.Sprintf("Plugin '%s' is set to be %s.", p.Name, word)}
	return done(&e, deed(ctx, h, "plugin "+p.Name, then, func(ctx context.Context) error {
		_, err := b.run(ctx, h, "", "rabbitmq-plugins", verb, p.Name)
		return err
	}))
}
