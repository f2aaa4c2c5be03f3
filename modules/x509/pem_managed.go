package x509

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// PEM keeps a file with an entry.
type PEM struct {
	Name string `arg:"name,required,path" doc:"The file."`
	Text string `arg:"text,required,text" doc:"The entry, or a file with it; its line breaks may be lost."`
	Placed
}

func pemSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "x509.pem_managed", Doc: "Keeps a key or certificate in a file, in the layout that all programs read.",
		Example: "/etc/ssl/ca.crt:\n  x509.pem_managed:\n    - text: /srv/ca.crt",
		New:     func() modules.StateFunc { return &PEM{} }, AnyArgs: true,
	}
}

// Act writes the entry. A key is not shown, and a new file with one can be read by its owner only.
func (p *PEM) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	text, err := textOf(h, p.Text)
	if err != nil {
		return state.Effect{}, err
	}
	one, err := entry(text, "")
	if err != nil {
		return state.Effect{}, err
	}
	secret := strings.Contains(one, "PRIVATE KEY")
	placed := p.Placed
	if _, ok, err := there(h, p.Name); err == nil && !ok && secret && !placed.Mode.Given {
		placed.Mode = modules.Mode{Given: true, Bits: 0o400}
	}
	return placed.write(ctx, env, h, p.Name, one, secret)
}
