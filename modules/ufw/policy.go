package ufw

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Policy keeps what becomes of packets that no rule takes.
type Policy struct {
	root
	Name    string `arg:"name,required,text" doc:"The name of the state."`
	Default string `arg:"default,required" choices:"allow|deny|reject" doc:"What becomes of packets that no rule takes."`

	way, key string
}

func policySpec(way, key string) modules.StateSpec {
	return modules.StateSpec{
		Name: "ufw.default_" + way, Doc: "Keeps what becomes of " + way + " packets that no rule takes.",
		Example: "closed:\n  ufw.default_" + way + ":\n    - default: deny",
		New:     func() modules.StateFunc { return &Policy{way: way, key: key} },
	}
}

// Act sets the policy.
func (p *Policy) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := installed(h); err != nil {
		return state.Effect{}, err
	}
	target := map[string]string{"allow": "ACCEPT", "deny": "DROP", "reject": "REJECT"}[p.Default]
	switch now, err := setting(h, policyFile, p.key); {
	case err != nil:
		return state.Effect{}, err
	case now == target:
		return state.Settled(fmt.Sprintf("%s was already set to %s", p.Name, p.Default)), nil
	}
	rule := fmt.Sprintf("default %s %s", p.Default, p.way)
	_, err := run(ctx, h, func(o host.Host) error { return set(o, policyFile, p.key, `"`+target+`"`) }, "default",
		p.Default, p.way)
	return changed(p.Name, " set to "+p.Default, value.DictOf("rule", value.Str(rule)), ": "+rule), err
}
