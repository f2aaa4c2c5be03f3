package redis

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A function is one that is one command of the server's: its words before the parameters, and what is made of the
// answer.
type function struct {
	name, params, words, doc string
	give                     func(value.Value) value.Value
}

func asIs(v value.Value) value.Value { return v }

func truth(v value.Value) value.Value {
	return value.Bool(v == value.Value(value.Int(1)) || v == value.Value(value.Str("OK")) ||
		v == value.Value(value.Str("PONG")))
}

// pairs makes a dict of names and values that follow each other.
func pairs(v value.Value) value.Value {
	d := value.NewDict(4)
	if l, ok := v.(*value.List); ok {
		for i := 0; i+1 < len(l.Items); i += 2 {
			d.SetStr(value.String(l.Items[i]), l.Items[i+1])
		}
	}
	return d
}

func first(v value.Value) value.Value {
	if l, ok := v.(*value.List); ok && len(l.Items) > 0 {
		n, _ := strconv.Atoi(value.String(l.Items[0]))
		return value.Int(n)
	}
	return value.None
}

// sequence is true: the server says in a sentence that it has begun.
func sequence(value.Value) value.Value { return value.Bool(true) }

func execs() []modules.ExecSpec {
	looks := []function{
		{"config_get", "pattern=*", "CONFIG GET", "Settings of the server whose names fit a pattern.", pairs},
		{"dbsize", "", "DBSIZE", "How many keys there are.", asIs},
		{"exists", "key", "EXISTS", "Whether there is a key, 1 or 0.", asIs},
		{"get_key", "key", "GET", "The text under a key.", asIs},
		{"hexists", "key field", "HEXISTS", "Whether a hash has a field.", truth},
		{"hget", "key field", "HGET", "A field of a hash.", asIs},
		{"hgetall", "key", "HGETALL", "All of a hash.", pairs},
		{"hlen", "key", "HLEN", "How many fields a hash has.", asIs},
		{"hvals", "key", "HVALS", "The values of a hash.", asIs},
		{"keys", "pattern=*", "KEYS", "The keys that fit a pattern.", asIs},
		{"key_type", "key", "TYPE", "What a key holds.", asIs},
		{"lastsave", "", "LASTSAVE", "When the data was saved, in seconds since 1970.", asIs},
		{"llen", "key", "LLEN", "How long a list is.", asIs},
		{"lrange", "key start:int stop:int", "LRANGE", "A part of a list.", asIs},
		{"smembers", "key", "SMEMBERS", "What a set holds.", asIs},
		{"time", "", "TIME", "The server's time, in seconds since 1970.", first},
		{"zcard", "key", "ZCARD", "How many members a sorted set has.", asIs},
		{"zrange", "key start:int stop:int", "ZRANGE", "A part of a sorted set.", asIs},
	}
	writes := []function{
		{"bgrewriteaof", "", "BGREWRITEAOF", "Writes the log of the server anew, beside its work.", sequence},
		{"bgsave", "", "BGSAVE", "Saves the data, beside the server's work.", sequence},
		{"config_set", "name value:text", "CONFIG SET", "Changes a setting of the server.", truth},
		{"expire", "key seconds:int", "EXPIRE", "Lets a key go after some seconds.", truth},
		{"expireat", "key timestamp:int", "EXPIREAT", "Lets a key go at a time.", truth},
		{"flushall", "", "FLUSHALL", "Deletes the keys of all databases.", truth},
		{"flushdb", "", "FLUSHDB", "Deletes the keys of the database.", truth},
		{"hset", "key field value:text", "HSET", "Sets a field of a hash.", asIs},
		{"hsetnx", "key field value:text", "HSETNX", "Sets a field that a hash lacks.", asIs},
		{"hincrby", "key field increment:int=1", "HINCRBY", "Adds to a field of a hash.", asIs},
		{"save", "", "SAVE", "Saves the data.", truth},
		{"set_key", "key value:text", "SET", "Sets the text under a key.", truth},
	}
	out := []modules.ExecSpec{
		spec("ping", "", "Whether the server answers.", ping),
		spec("info", "", "What the server says of itself.", infoOf),
		spec("get_master_ip", "", "Whose replica the server is.", masterOf),
		modules.NewExec("redis.sentinel_get_master_ip", "Where the master of a name is, as a sentinel has it.", sentinelOf,
			"master", "host=None", "port=None", "password=None"),
	}
	for _, f := range looks {
		out = append(out, f.spec(look))
	}
	var changes []modules.ExecSpec
	for _, f := range writes {
		changes = append(changes, f.spec(change))
	}
	changes = append(changes,
		modules.NewExec("redis.delete", "Deletes keys; how many there were.", deleteKeys, "*keys",
			"host=None", "port=None", "db=None", "password=None"),
		modules.NewExec("redis.slaveof", "Makes the server a replica, or a master where none is named.", slaveofCall,
			"master_host=None", "master_port=None", "host=None", "port=None", "db=None", "password=None"))
	return append(out, modules.Writing(changes...)...)
}

func spec(name, params, doc string, fn modules.ExecFunc) modules.ExecSpec {
	return modules.NewExec("redis."+name, doc, fn, append(strings.Fields(params), "host=None", "port=None", "db=None",
		"password=None")...)
}

func (f function) spec(by call) modules.ExecSpec {
	return spec(f.name, f.params, f.doc, func(ctx context.Context, c *modules.Call) (value.Value, error) {
		words := strings.Fields(f.words)
		for p := range strings.FieldsSeq(f.params) {
			words = append(words, c.Str(p[:strings.IndexAny(p+":", ":=")]))
		}
		v, err := by(ctx, c, words...)
		if err != nil {
			return nil, err
		}
		return f.give(v), nil
	})
}

func of(c *modules.Call) *Server {
	s := &Server{Host: c.Str("host"), Port: c.Str("port"), DB: c.Str("db"), Password: c.Str("password")}
	s.fill(c.Env)
	return s
}

// A call gives the server a command.
type call = func(ctx context.Context, c *modules.Call, words ...string) (value.Value, error)

func look(ctx context.Context, c *modules.Call, words ...string) (value.Value, error) {
	v, err := of(c).ask(ctx, c.Host, words...)
	return v, modules.Failed(err)
}

// change is a command that a preview refuses at its place.
func change(ctx context.Context, c *modules.Call, words ...string) (v value.Value, err error) {
	s := of(c)
	err = c.Host.Do(ctx, host.Deed{What: "redis " + words[0], On: host.Anything,
		Do: func(ctx context.Context) (err error) {
			v, err = s.ask(ctx, c.Host, words...)
			return err
		}})
	return v, modules.Failed(err)
}

func ping(ctx context.Context, c *modules.Call) (value.Value, error) {
	v, err := look(ctx, c, "PING")
	if host.IsUnknown(err) {
		return nil, err
	}
	return value.Bool(err == nil && v == value.Value(value.Str("PONG"))), nil
}

func infoOf(ctx context.Context, c *modules.Call) (value.Value, error) {
	fields, names, err := of(c).info(ctx, c.Host)
	d := value.NewDict(len(names))
	for _, n := range names {
		var v value.Value = value.Str(fields[n])
		if i, err := strconv.ParseInt(fields[n], 10, 64); err == nil {
			v = value.Int(i)
		} else if f, err := strconv.ParseFloat(fields[n], 64); err == nil {
			v = value.Float(f)
		}
		d.SetStr(n, v)
	}
	return d, modules.Failed(err)
}

func masterOf(ctx context.Context, c *modules.Call) (value.Value, error) {
	m, err := of(c).master(ctx, c.Host)
	return m.dict(), modules.Failed(err)
}

func sentinelOf(ctx context.Context, c *modules.Call) (value.Value, error) {
	m, err := sentinel(ctx, c.Env, c.Host, c.Str("master"), Server{Host: c.Str("host"), Port: c.Str("port"),
		Password: c.Str("password")})
	return m.dict(), modules.Failed(err)
}

func deleteKeys(ctx context.Context, c *modules.Call) (value.Value, error) {
	words := []string{"DEL"}
	for _, k := range c.Rest() {
		words = append(words, value.String(k))
	}
	if len(words) == 1 {
		return nil, modules.Failed(errors.New("wrong number of arguments for 'del' command"))
	}
	return change(ctx, c, words...)
}

func slaveofCall(ctx context.Context, c *modules.Call) (value.Value, error) {
	to, port := c.Str("master_host"), c.Str("master_port")
	switch {
	case to == "":
		to, port = "NO", "ONE"
	case port == "":
		port = "6379"
	}
	v, err := change(ctx, c, "SLAVEOF", to, port)
	if err != nil {
		return nil, err
	}
	return truth(v), nil
}
