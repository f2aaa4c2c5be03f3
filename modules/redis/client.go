// Package redis keeps keys of a Redis server, and whose replica it is. It speaks the server's protocol: no client
// program is needed.
package redis

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "redis", States: []modules.StateSpec{stringSpec(), absentSpec(), slaveofSpec()},
		Execs: execs()}
}

// answerTime bounds how long a server may take to answer, largest how long a text that it gives may be.
const (
	answerTime = 30 * time.Second
	largest    = 64 << 20
)

// Server is where a server listens, and how it is spoken with.
type Server struct {
	Host     string `arg:"host" doc:"Its name or address, or the path of its socket. The key redis.host of the configuration, else localhost."`
	Port     string `arg:"port,word" doc:"Its port: redis.port, else 6379."`
	DB       string `arg:"db,word" doc:"The number of the database: redis.db, else 0."`
	Password string `arg:"password,secret" doc:"The password: redis.password."`
}

// fill takes what was not said from the configuration.
func (s *Server) fill(env *modules.Env) {
	s.Host = cmp.Or(s.Host, env.Setting("redis.host"), "localhost")
	s.Port = cmp.Or(s.Port, env.Setting("redis.port"), "6379")
	s.DB = cmp.Or(s.DB, env.Setting("redis.db"), "0")
	s.Password = cmp.Or(s.Password, env.Setting("redis.password"))
}

func (s *Server) address() (network, address string) {
	if strings.HasPrefix(s.Host, "/") {
		return "unix", s.Host
	}
	return "tcp", host.Address(s.Host, s.Port)
}

// A conn is a connection to a server.
type conn struct {
	io.WriteCloser
	r *bufio.Reader
}

// dial connects, logs in and chooses the database.
func (s *Server) dial(ctx context.Context, h host.Reader) (*conn, error) {
	network, address := s.address()
	c, err := h.Dial(ctx, network, address)
	if err != nil {
		return nil, fmt.Errorf("reach the Redis server: %w", err)
	}
	out := &conn{c, bufio.NewReader(c)}
	context.AfterFunc(ctx, func() { c.Close() }) // which ends what waits
	if s.Password != "" {
		_, err = out.call("AUTH", s.Password)
	}
	if err == nil && s.DB != "0" && s.DB != "" {
		_, err = out.call("SELECT", s.DB)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return out, nil
}

// ask makes one call of its own connection. Where a state of the run starts the server, nobody knows yet what it says.
func (s *Server) ask(ctx context.Context, h host.Reader, words ...string) (value.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	c, err := s.dial(ctx, h)
	if err != nil {
		return nil, modules.Unreached(h, err, "redis", "redis-server", "redis-sentinel", "valkey", "valkey-server")
	}
	defer c.Close()
	return c.call(words...)
}

// call sends words, and reads the answer.
func (c *conn) call(words ...string) (value.Value, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
	}
	if _, err := io.WriteString(c, b.String()); err != nil {
		return nil, fmt.Errorf("speak with the Redis server: %w", err)
	}
	return c.answer(0)
}

var errNoRedis = errors.New("what answers is no Redis server")

// answer reads one: a text, an error, a number, or a list.
func (c *conn) answer(depth int) (value.Value, error) {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("read what the Redis server says: %w", err)
	}
	if line = strings.TrimSuffix(line, "\r\n"); line == "" || depth > 8 {
		return nil, errNoRedis
	}
	rest := line[1:]
	n, err := strconv.ParseInt(rest, 10, 64)
	switch line[0] {
	case '+':
		return value.Str(rest), nil
	case '-':
		return nil, errors.New(rest)
	case ':', '$', '*':
		if err != nil || line[0] != ':' && (n < -1 || n > largest) {
			return nil, errNoRedis
		}
	default:
		return nil, errNoRedis
	}
	switch {
	case line[0] == ':':
		return value.Int(n), nil
	case n < 0:
		return value.None, nil
	case line[0] == '$':
		raw := make([]byte, n+2)
		if _, err := io.ReadFull(c.r, raw); err != nil {
			return nil, fmt.Errorf("read what the Redis server says: %w", err)
		}
		return value.Str(raw[:n]), nil
	}
	l := value.NewList()
	for range n {
		v, err := c.answer(depth + 1)
		if err != nil {
			return nil, err
		}
		l.Items = append(l.Items, v)
	}
	return l, nil
}
