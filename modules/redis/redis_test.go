package redis

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// store is where the fake server keeps the keys of its databases, a file each, and its master.
const store = "/var/redis"

// serve answers on one connection.
func serve(m *hosttest.Memory, address string, c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	line := func() string { s, _ := r.ReadString('\n'); return strings.TrimSpace(s) }
	locked, db := address == "secret:6379", "0"
	for {
		n, err := strconv.Atoi(strings.TrimPrefix(line(), "*"))
		if err != nil {
			return
		}
		words := make([]string, n)
		for i := range words {
			size, _ := strconv.Atoi(strings.TrimPrefix(line(), "$"))
			raw := make([]byte, size+2)
			_, _ = io.ReadFull(r, raw)
			words[i] = string(raw[:size])
		}
		switch {
		case words[0] == "AUTH" && words[1] == "pass":
			locked = false
			_, err = io.WriteString(c, "+OK\r\n")
		case locked:
			_, err = io.WriteString(c, "-NOAUTH Authentication required.\r\n")
		default:
			if words[0] == "SELECT" {
				db = words[1]
			}
			_, err = io.WriteString(c, answer(m, path.Join(store, address, db), words))
		}
		if err != nil {
			return
		}
	}
}

func answer(m *hosttest.Memory, store string, words []string) string {
	text := func(s string) string { return fmt.Sprintf("$%d\r\n%s\r\n", len(s), s) }
	key := store
	if len(words) > 1 {
		key = path.Join(store, words[1])
	}
	raw, missing := m.ReadFile(key)
	switch words[0] {
	case "GET":
		if missing != nil {
			return "$-1\r\n"
		}
		return text(string(raw))
	case "SET":
		m.MustWrite(key, words[2], 0o644)
		return "+OK\r\n"
	case "EXISTS":
		if missing != nil {
			return ":0\r\n"
		}
		return ":1\r\n"
	case "DEL":
		gone := 0
		for _, k := range words[1:] {
			if m.Remove(path.Join(store, k)) == nil {
				gone++
			}
		}
		return fmt.Sprintf(":%d\r\n", gone)
	case "EXPIRE", "EXPIREAT":
		return ":1\r\n"
	case "PING":
		return "+PONG\r\n"
	case "SELECT":
		return "+OK\r\n"
	case "SENTINEL":
		if words[2] == "none" {
			return "*-1\r\n"
		}
		return "*2\r\n" + text(words[2]) + text("6379")
	case "INFO":
		of, _ := m.ReadFile(store + "/master")
		return text("# Server\r\nredis_version:7.0.15\r\nmem:1.5\r\n" + string(of))
	case "SLAVEOF":
		m.MustWrite(store+"/master", "master_host:"+words[1]+"\r\nmaster_port:"+words[2]+"\r\n", 0o644)
		return "+OK\r\n"
	case "HGETALL":
		return "*2\r\n" + text("f") + text("v")
	case "TIME":
		return "*2\r\n" + text("12") + text("5")
	}
	return "-ERR unknown command '" + words[0] + "'\r\n"
}

func with(keys ...string) func(*testing.T) host.Host {
	return modtest.Memory(nil, func(m *hosttest.Memory) {
		m.MustMkdir(store)
		for i := 0; i+1 < len(keys); i += 2 {
			m.MustWrite(path.Join(store, "localhost:6379/0", keys[i]), keys[i+1], 0o644)
		}
		m.Dialer = func(_ context.Context, _, address string) (net.Conn, error) {
			if address == "down:6379" {
				return nil, errors.New("connection refused")
			}
			here, there := net.Pipe()
			go serve(m, address, there)
			return here, nil
		}
	})
}

// addresses are the machine's own.
type addresses struct{ modules.Exec }

func (addresses) Call(context.Context, string, []value.Value, *value.Dict) (value.Value, error) {
	return value.NewList(value.Str("192.0.2.9")), nil
}

func env(*testing.T) *modules.Env { return &modules.Env{Exec: addresses{}, Progress: func(string) {}} }

func suite() modtest.Suite {
	key := func(name string, args ...any) modtest.Deed { return modtest.State("redis.string", name, args...) }
	gone := func(args ...any) modtest.Deed { return modtest.State("redis.absent", "k", args...) }
	of := func(name string, args ...any) modtest.Deed { return modtest.State("redis.slaveof", name, args...) }
	return modtest.Suite{
		Family: Family(), Env: env, Beyond: []string{store},
		Situations: modtest.Situations{"empty": with(), "some": with("k", "v", "other", "x"),
			"replica": with("master", "master_host:192.0.2.1\r\nmaster_port:6379\r\n")},
		Deeds: []modtest.Deed{key("k", "value", "v"), key("k", "value", 5), key("k", "value", "a\r\nb", "db", 2),
			key("k", "value", "v", "expire", 60), key("k", "value", "v", "expireat", 1893456000),
			key("k", "value", "v", "host", "secret"), key("k", "value", "v", "host", "secret", "password", "pass"),
			key("k", "value", "v", "host", "down"), gone(), gone("keys", []string{"k", "other", "none"}),
			gone("host", "down"), of("192.0.2.1"), of("192.0.2.9"), of("none")},
	}
}

func TestConformance(t *testing.T) { suite().Run(t) }

func TestEffects(t *testing.T) {
	s := suite()
	for _, c := range []struct {
		deed             int
		comment, changes string
	}{
		{0, "Key already set to defined value", `{}`}, {1, "Key updated to new value", `{'k': 'Value updated'}`},
		{3, "Key already set to defined value", `{'expire': 'TTL set to 60 seconds'}`},
		{8, "Key deleted", `{'deleted': ['k']}`}, {9, "Keys deleted", `{'deleted': ['k', 'other']}`},
		{11, "Minion successfully connected to master: 192.0.2.1", `{'old': {'master_host': '', 'master_port': ''}, ` +
			`'new': {'master_host': '192.0.2.1', 'master_port': 6379}}`},
		{12, "Minion is the master: 192.0.2.9", `{}`},
	} {
		e, err := s.One(t, with("k", "v", "other", "x")(t), s.Deeds[c.deed])
		if got := value.Repr(e.Changes); err != nil || e.Comment != c.comment || got != c.changes {
			t.Errorf("%v: %q %s %v", s.Deeds[c.deed], e.Comment, got, err)
		}
	}
}

// TestComing: a server that a state of the run starts cannot be asked yet.
func TestComing(t *testing.T) {
	over := host.NewOverlay(with()(t))
	over.Promise(host.Fact{Kind: host.FactService, Name: "redis-server", Value: "running"})
	_, err := suite().One(t, over, modtest.State("redis.string", "k", "value", "v", "host", "down"))
	if !host.IsUnknown(err) {
		t.Error(err)
	}
}

func TestExecs(t *testing.T) {
	(modtest.Execs{Family: Family(), Host: with("k", "v")(t)}).Table(t, [][4]string{
		{"redis.ping", `[]`, "", `True`}, {"redis.ping", `["down"]`, "", `False`},
		{"redis.get_key", `["k"]`, "", `'v'`}, {"redis.get_key", `["none"]`, "", `None`},
		{"redis.set_key", `["n", "x"]`, "", `True`}, {"redis.exists", `["n"]`, "", `1`},
		{"redis.delete", `["n", "k"]`, "", `2`}, {"redis.expire", `["k", 5]`, "", `True`},
		{"redis.hgetall", `["h"]`, "", `{'f': 'v'}`}, {"redis.time", `[]`, "", `12`},
		{"redis.info", `[]`, "", `{'redis_version': '7.0.15', 'mem': 1.5}`},
		{"redis.slaveof", `["192.0.2.1"]`, "", `True`},
		{"redis.get_master_ip", `[]`, "", `{'master_host': '192.0.2.1', 'master_port': 6379}`},
		{"redis.sentinel_get_master_ip", `["192.0.2.3"]`, "", `{'master_host': '192.0.2.3', 'master_port': 6379}`},
		{"redis.save", `[]`, "", `error: ERR unknown command 'SAVE'`},
		{"redis.get_key", `["k"]`, `{"host": "secret"}`, `error: NOAUTH Authentication required.`},
	})
}

// TestNoRedis: what no server of Redis says is an error.
func TestNoRedis(t *testing.T) {
	for _, said := range []string{"HTTP/1.1 400\r\n", "\r\n", "$x\r\n", "$99999999999\r\n",
		"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n" +
			"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", "$5\r\nab"} {
		c := &conn{nil, bufio.NewReader(strings.NewReader(said))}
		if v, err := c.answer(0); err == nil {
			t.Errorf("%q: %v", said, v)
		}
	}
}
