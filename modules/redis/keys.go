package redis

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// String keeps a key.
type String struct {
	Name     string `arg:"name,required" doc:"The key."`
	Value    string `arg:"value,required,text" doc:"The text that it holds."`
	Expire   int    `arg:"expire" doc:"After how many seconds it goes, counted anew in each run."`
	ExpireAt int    `arg:"expireat" doc:"When it goes, in seconds since 1970, in place of expire."`
	Server
}

// Absent keeps keys away.
type Absent struct {
	Name string   `arg:"name,required" doc:"The key, where no others are given."`
	Keys []string `arg:"keys" doc:"The keys."`
	Server
}

func stringSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "redis.string", Doc: "Keeps a text under a key of a Redis server.",
		Example: "motd:\n  redis.string:\n    - value: hello\n    - host: localhost",
		New:     func() modules.StateFunc { return &String{} },
	}
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "redis.absent", Doc: "Keeps keys out of a Redis server.",
		Example: "old keys:\n  redis.absent:\n    - keys: [motd, session]",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// fact is the name under which a preview notes a key.
func (s *Server) fact(key string) string {
	network, address := s.address()
	return strings.Join([]string{"redis " + network + " " + address, "key", s.DB, key}, "\n")
}

// get is what a key holds; ok is false where there is none. What is no text is an error, as it is for Redis.
func (s *Server) get(ctx context.Context, h host.Reader, key string) (text string, ok bool, err error) {
	if f, ok := h.Fact(host.FactDatabase, s.fact(key)); ok {
		return f.Attrs["value"], f.Value == "present", nil
	}
	v, err := s.ask(ctx, h, "GET", key)
	if err != nil {
		return "", false, err
	}
	said, ok := v.(value.Str)
	return string(said), ok, nil
}

// do makes a change, and promises in a preview what the key holds then.
func (s *Server) do(ctx context.Context, h host.Host, leaves []host.Fact, words ...string) error {
	return h.Do(ctx, host.Deed{What: "redis " + words[0], On: host.FactDatabase, Do: func(ctx context.Context) error {
		_, err := s.ask(ctx, h, words...)
		return err
	}, Foretell: func(o host.Host) error {
		o.Promise(leaves...)
		return nil
	}})
}

// Act sets the key.
//
// Salt differs: it takes a number for another value each time, and sets keys in test mode.
func (s *String) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	on := s.Server
	on.fill(env)
	was, ok, err := on.get(ctx, h, s.Name)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.NewDict(2), Comment: "Key already set to defined value"}
	if !ok || was != s.Value {
		e.Changes.SetStr(s.Name, value.Str("Value updated"))
		e.Comment = "Key updated to new value"
		if err := on.do(ctx, h, []host.Fact{{Kind: host.FactDatabase, Name: on.fact(s.Name), Value: "present",
			Attrs: map[string]string{"value": s.Value}}}, "SET", s.Name, s.Value); err != nil {
			return state.Effect{}, err
		}
	}
	switch {
	case s.ExpireAt != 0:
		e.Once = true
		e.Changes.SetStr("expireat", value.Str(fmt.Sprintf("Key expires at %d", s.ExpireAt)))
		err = on.do(ctx, h, nil, "EXPIREAT", s.Name, fmt.Sprint(s.ExpireAt))
	case s.Expire != 0:
		e.Once = true
		e.Changes.SetStr("expire", value.Str(fmt.Sprintf("TTL set to %d seconds", s.Expire)))
		err = on.do(ctx, h, nil, "EXPIRE", s.Name, fmt.Sprint(s.Expire))
	}
	return e, err
}

// Act deletes the keys that are there.
//
// Salt differs: it deletes in test mode.
func (a *Absent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	on := a.Server
	on.fill(env)
	keys, comment := a.Keys, "Keys deleted"
	if len(keys) == 0 {
		keys, comment = []string{a.Name}, "Key deleted"
	}
	var there []string
	var leaves []host.Fact
	for _, key := range keys {
		ok, err := on.has(ctx, h, key)
		if err != nil {
			return state.Effect{}, err
		}
		if ok {
			there = append(there, key)
			leaves = append(leaves, host.Fact{Kind: host.FactDatabase, Name: on.fact(key), Value: "absent"})
		}
	}
	if len(there) == 0 {
		return state.Settled("Key(s) specified already absent"), nil
	}
	return state.Effect{Changes: value.DictOf("deleted", modules.TextList(there)), Comment: comment},
		on.do(ctx, h, leaves, append([]string{"DEL"}, there...)...)
}

func (s *Server) has(ctx context.Context, h host.Reader, key string) (bool, error) {
	if f, ok := h.Fact(host.FactDatabase, s.fact(key)); ok {
		return f.Value == "present", nil
	}
	v, err := s.ask(ctx, h, "EXISTS", key)
	return v == value.Value(value.Int(1)), err
}
