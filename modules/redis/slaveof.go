package redis

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Slaveof keeps a server a replica of the master that a sentinel names.
type Slaveof struct {
	Name             string `arg:"name,required" doc:"The name of the master at the sentinel."`
	SentinelHost     string `arg:"sentinel_host" doc:"The sentinel: redis_sentinel.host, else localhost."`
	SentinelPort     string `arg:"sentinel_port,word" doc:"Its port: redis_sentinel.port, else 26379."`
	SentinelPassword string `arg:"sentinel_password,secret" doc:"Its password: redis_sentinel.password."`
	Server
}

func slaveofSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "redis.slaveof", Doc: "Keeps a Redis server a replica of the master that a sentinel names.",
		Example: "mymaster:\n  redis.slaveof:\n    - sentinel_host: sentinel.example.com",
		New:     func() modules.StateFunc { return &Slaveof{} },
	}
}

// A master is where one listens; nothing for a server that is one itself.
type master struct{ host, port string }

// dict is a master in Salt's shape.
func (m master) dict() *value.Dict {
	var port value.Value = value.Str(m.port)
	if n, err := strconv.Atoi(m.port); err == nil {
		port = value.Int(n)
	}
	return value.DictOf("master_host", value.Str(m.host), "master_port", port)
}

// sentinel is the master that a sentinel names.
func sentinel(ctx context.Context, env *modules.Env, h host.Reader, name string, at Server) (master, error) {
	at.Host = cmp.Or(at.Host, env.Setting("redis_sentinel.host"), "localhost")
	at.Port = cmp.Or(at.Port, env.Setting("redis_sentinel.port"), "26379")
	at.Password = cmp.Or(at.Password, env.Setting("redis_sentinel.password"))
	v, err := at.ask(ctx, h, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", name)
	if err != nil {
		return master{}, err
	}
	l, ok := v.(*value.List)
	if !ok || len(l.Items) != 2 {
		return master{}, errors.New("the sentinel knows no master " + name)
	}
	return master{value.String(l.Items[0]), value.String(l.Items[1])}, nil
}

// info are the fields that INFO gives.
func (s *Server) info(ctx context.Context, h host.Reader) (map[string]string, []string, error) {
	v, err := s.ask(ctx, h, "INFO")
	text, _ := v.(value.Str)
	out, names := map[string]string{}, []string(nil)
	for line := range strings.Lines(string(text)) {
		if name, is, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(name, "#") {
			out[name], names = is, append(names, name)
		}
	}
	return out, names, err
}

// master is whose replica the server is.
func (s *Server) master(ctx context.Context, h host.Reader) (master, error) {
	network, address := s.address()
	if f, ok := h.Fact(host.FactDatabase, "redis "+network+" "+address+"\nmaster"); ok {
		return master{f.Attrs["host"], f.Attrs["port"]}, nil
	}
	fields, _, err := s.info(ctx, h)
	return master{fields["master_host"], fields["master_port"]}, err
}

// Act makes the server a replica.
//
// Salt differs: its test mode fails, and it gives the password for the number of the database.
func (s *Slaveof) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	on := s.Server
	on.fill(env)
	goal, err := sentinel(ctx, env, h, s.Name, Server{Host: s.SentinelHost, Port: s.SentinelPort,
		Password: s.SentinelPassword})
	if err != nil {
		return state.Effect{}, err
	}
	own, err := env.Exec.Call(ctx, "network.ip_addrs", nil, nil)
	if err != nil {
		return state.Effect{}, err
	}
	if all, err := modules.Texts(own); err == nil && slices.Contains(all, goal.host) {
		return state.Settled("Minion is the master: " + s.Name), nil
	}
	was, err := on.master(ctx, h)
	if err != nil || was == goal {
		return state.Settled("Minion already slave of master: " + s.Name), err
	}
	network, address := on.address()
	err = on.do(ctx, h, []host.Fact{{Kind: host.FactDatabase, Name: "redis " + network + " " + address + "\nmaster",
		Value: "present", Attrs: map[string]string{"host": goal.host, "port": goal.port}}}, "SLAVEOF", goal.host, goal.port)
	return state.Effect{Changes: value.DictOf("old", was.dict(), "new", goal.dict()), Foretold: value.NewDict(0),
		Comment: "Minion successfully connected to master: " + s.Name,
		Preview: "Minion will be made a slave of " + s.Name + ": " + goal.host}, err
}
