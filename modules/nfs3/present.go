package nfs3

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

// Present keeps an export.
type Present struct {
	root
	Name    string      `arg:"name,required,word" doc:"The path that is exported."`
	Clients *value.List `arg:"clients" doc:"Who may mount it and how: a list of maps of hosts and options."`
	Hosts   string      `arg:"hosts,word" doc:"Who may mount it: an address, a network, a name with * in it, or *."`
	Options []string    `arg:"options,word" doc:"How they may mount it: rw, ro, no_subtree_check, ..."`
	Exports string      `arg:"exports,path" default:"/etc/exports" doc:"The file."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "nfs_export.present", Doc: "Keeps a path exported by the NFS server, to these clients alone.",
		Example: "/srv/nfs:\n  nfs_export.present:\n    - clients:\n        - hosts: 10.0.2.0/24\n          options: [rw, " +
			"no_subtree_check]\n        - hosts: '*.example.com'\n          options: [ro, no_subtree_check]",
		New: func() modules.StateFunc { return &Present{} },
	}
}

// Validate refuses clients that exportfs would not read.
func (p *Present) Validate() []modules.Fault {
	if _, err := p.wanted(); err != nil {
		return []modules.Fault{{Arg: "clients", Msg: err.Error(), Hint: "hosts: 10.0.2.0/24 and options: [rw]"}}
	}
	return nil
}

// wanted are the clients that the path is to have.
func (p *Present) wanted() ([]client, error) {
	if p.Clients == nil || len(p.Clients.Items) == 0 {
		if p.Hosts == "" {
			return nil, fmt.Errorf("Either 'clients' or 'hosts' must be defined")
		}
		return []client{{p.Hosts, p.Options}}, nil
	}
	var out []client
	for _, v := range p.Clients.Items {
		d, err := modules.Map(v)
		if err != nil {
			return nil, fmt.Errorf("a client %w", err)
		}
		hosts, _ := d.GetStr("hosts")
		options, ok := d.GetStr("options")
		c := client{}
		if c.hosts, err = modules.Text(modules.OrElse(hosts, hosts != nil, value.Value(value.None))); err == nil && ok {
			c.options, err = modules.Texts(options)
		}
		if err != nil || c.hosts == "" || strings.ContainsAny(c.String(), " \t\n#\\") {
			return nil, fmt.Errorf("%s is no client", value.Repr(v))
		}
		out = append(out, c)
	}
	return out, nil
}

// Act exports the path.
//
// Salt differs: it loses comments and what lines have after a backslash, does not read a client without options, and
// fails for a mere warning of exportfs after the change is made.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	want, err := p.wanted()
	if err == nil {
		err = installed(h)
	}
	if err != nil {
		return state.Effect{}, err
	}
	entries, err := read(h, p.Exports)
	if err != nil {
		return state.Effect{}, err
	}
	was, there := of(entries, p.Name)
	if there && same(was, want) {
		return state.Settled(fmt.Sprintf("Export %s already configured", p.Name)), nil
	}
	old, preview := value.Value(value.None), fmt.Sprintf("Export %s would be added", p.Name)
	if there {
		old, preview = dicts(was), fmt.Sprintf("Export %s would be changed", p.Name)
	}
	if err := write(h, p.Exports, put(entries, p.Name, want)); err != nil {
		return state.Effect{}, err
	}
	said, err := reload(ctx, h)
	return state.Effect{Changes: value.DictOf("old", old, "new", dicts(want)), Preview: preview, Comment: said}, err
}

func same(a, b []client) bool {
	return slices.EqualFunc(a, b, func(x, y client) bool {
		return x.hosts == y.hosts &&
			slices.Equal(x.options, y.options)
	})
}
