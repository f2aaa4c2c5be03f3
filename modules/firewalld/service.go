package firewalld

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Service keeps a service of firewalld.
type Service struct {
	root
	Name      string   `arg:"name,required,word" doc:"The service."`
	Ports     []string `arg:"ports,word" doc:"The ports of the service, as 443/tcp; all others are removed."`
	Protocols []string `arg:"protocols,word" doc:"The protocols of the service; all others are removed."`
}

func serviceSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "firewalld.service",
		Doc:  "Keeps a service that zones can let in, with exactly these ports and protocols. firewalld has to run.",
		Example: "app:\n  firewalld.service:\n    - ports: [4505/tcp, 4506/tcp]\n\npublic:\n  firewalld.present:\n" +
			"    - services: [app]\n    - require:\n        - firewalld: app",
		New: func() modules.StateFunc { return &Service{} },
	}
}

// Validate refuses ports that firewalld would not read.
func (s *Service) Validate() []modules.Fault {
	var out []modules.Fault
	for _, port := range s.Ports {
		out = append(out, portFault("ports", port)...)
	}
	return out
}

// Act makes the service, then its ports and protocols.
//
// Salt differs: it makes the service in test mode, too, and does not load one that it made without ports.
func (s *Service) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	e := state.NewEffect()
	made, err := s.make(ctx, h)
	for _, l := range [...]struct {
		name, option string
		want         []string
	}{{"ports", "port", s.Ports}, {"protocols", "protocol", s.Protocols}} {
		if err == nil {
			err = s.keep(ctx, h, l.name, l.option, l.want, e.Changes)
		}
	}
	switch {
	case err != nil:
		return state.Effect{}, fmt.Errorf("Error: %w", err) //nolint:staticcheck // Salt's words
	case e.Changes.Len() == 0 && !made:
		return state.Settled(fmt.Sprintf("'%s' is already in the desired state.", s.Name)), nil
	}
	e.Pending = true
	e.Comment = fmt.Sprintf("'%s' was configured.", s.Name)
	e.Preview = fmt.Sprintf("Configuration for '%s' will change.", s.Name)
	return e, reload(ctx, h)
}

func (s *Service) make(ctx context.Context, h host.Host) (bool, error) {
	all, err := services(ctx, h)
	if err != nil || slices.Contains(all, s.Name) {
		return false, err
	}
	return true, change(ctx, h, []string{"--new-service=" + s.Name, "--permanent"},
		leaving("firewalld services", append(all, s.Name)...), leaving(s.fact("ports")), leaving(s.fact("protocols")))
}

func (s *Service) fact(list string) string { return "firewalld service " + s.Name + " " + list }

// keep makes a list of the service what is wanted.
func (s *Service) keep(ctx context.Context, h host.Host, name, option string, want []string,
	changes *value.Dict) error {
	was, err := words(ctx, h, s.fact(name), "--permanent", "--service="+s.Name, "--get-"+name)
	if err != nil {
		return err
	}
	now := slices.Clone(was)
	put := func(verb, item string) error {
		return change(ctx, h, []string{"--permanent", "--service=" + s.Name, "--" + verb + "-" + option + "=" + item},
			leaving(s.fact(name), now...))
	}
	for _, item := range lacking(want, was) {
		now = append(now, item)
		if err := put("add", item); err != nil {
			return err
		}
	}
	for _, item := range lacking(was, want) {
		now = slices.DeleteFunc(now, func(n string) bool { return n == item })
		if err := put("remove", item); err != nil {
			return err
		}
	}
	if !slices.Equal(was, now) {
		changes.SetStr(name, value.DictOf("old", texts(was), "new", texts(want)))
	}
	return nil
}
