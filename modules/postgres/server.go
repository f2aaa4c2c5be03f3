package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A server is where a PostgreSQL server listens, and who is to speak with it.
type server struct {
	runas          string // user of the machine; "" for gostate's own
	host, port     string // a directory of sockets or a name; "" for the usual socket
	user, password string // role
	database       string // to connect to unless another one is named
	home           string // one that is there whatever is removed
	timeout        time.Duration
}

// tcp says whether the server is reached by the network.
func (s *server) tcp() bool { return s.host != "" && !strings.HasPrefix(s.host, "/") }

// fill sets what was not said, from the configuration or as psql does.
func (s *server) fill(env *modules.Env) {
	s.host = cmp.Or(s.host, env.Setting("postgres.host"))
	s.port = cmp.Or(s.port, env.Setting("postgres.port"))
	if s.runas == "" && !s.tcp() {
		s.runas = "postgres"
	}
	s.user = cmp.Or(s.user, env.Setting("postgres.user"), s.runas, "root")
	s.password = cmp.Or(s.password, env.Setting("postgres.pass"))
	s.home = cmp.Or(env.Setting("postgres.maintenance_db"), "postgres")
	s.database = cmp.Or(s.database, s.home)
	if d, err := modules.Seconds(value.Str(env.Setting("postgres.timeout"))); err == nil {
		s.timeout = d
	}
}

// address is the network and the address of the server.
func (s *server) address(h host.Reader) (network, address string) {
	if s.tcp() {
		return "tcp", host.Address(s.host, cmp.Or(s.port, "5432"))
	}
	const prefix = ".s.PGSQL."
	dirs := []string{"/var/run/postgresql", "/tmp"}
	if s.host != "" {
		dirs = []string{s.host}
	}
	for _, dir := range dirs {
		socket := path.Join(dir, prefix+cmp.Or(s.port, "5432"))
		if _, err := h.Stat(socket); err == nil {
			return "unix", socket
		}
	}
	if s.port == "" { // one cluster that listens elsewhere is meant, as Debian's psql takes it
		if all := sockets(h, dirs[0], prefix); len(all) == 1 {
			return "unix", path.Join(dirs[0], all[0])
		}
	}
	return "unix", path.Join(dirs[0], prefix+cmp.Or(s.port, "5432"))
}

func sockets(h host.Reader, dir, prefix string) (out []string) {
	infos, _ := h.ReadDir(dir)
	for _, i := range infos {
		if strings.HasPrefix(i.Path, prefix) && !strings.HasSuffix(i.Path, ".lock") {
			out = append(out, i.Path)
		}
	}
	return out
}

const (
	// lookTime bounds a connection with what is looked up in it.
	lookTime = time.Minute
	// startTime is how long a server that is starting is waited for.
	startTime = 10 * time.Second
)

// connect begins a session with a database.
func (s *server) connect(ctx context.Context, h host.Reader, database string) (*session, error) {
	network, address := s.address(h)
	if err := s.stopped(h, address); err != nil {
		return nil, err
	}
	dial := ctx
	if network == "unix" && s.runas != "" {
		dial = host.DialAs(ctx, s.runas)
	}
	dial, cancel := context.WithTimeout(dial, startTime)
	defer cancel()
	for {
		conn, err := h.Dial(dial, network, address)
		if err != nil {
			return nil, s.down(h, address, err)
		}
		out, err := open(ctx, conn, s, database)
		if r := (refusal{}); errors.As(err, &r) && r.code == codeStarting && dial.Err() == nil {
			pause(dial)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("connect to PostgreSQL at %s as %s: %w", address, s.user, err)
		}
		return out, nil
	}
}

// pause lets a server that is starting go on.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(100 * time.Millisecond):
	}
}

// services are what an earlier state of a preview does to the service of a PostgreSQL server of this machine.
func services(h host.Reader) (out []host.Fact) {
	for _, f := range h.Facts(host.FactService) {
		if strings.HasPrefix(f.Name, "postgresql") {
			out = append(out, f)
		}
	}
	return out
}

// stopped is the error for a server that an earlier state of a preview stops.
func (s *server) stopped(h host.Reader, address string) error {
	for _, f := range services(h) {
		if f.Value == "inactive" && !s.tcp() {
			return fmt.Errorf("no PostgreSQL server at %s: %s is stopped before", address, f.Name)
		}
	}
	return nil
}

// down is the error for a server that cannot be reached: unknown where an earlier state of a preview starts it.
// Salt differs: it takes a server that does not answer for one that holds nothing.
func (s *server) down(h host.Reader, address string, err error) error {
	if host.IsUnknown(err) {
		return err
	}
	for _, f := range services(h) {
		return host.Untold(h, "what the PostgreSQL server at "+address+" holds", f)
	}
	hint := ""
	switch {
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		hint = "; only root speaks as another user: the argument user says as whom"
	case errors.As(err, new(syscall.Errno)):
		hint = "; start it by an earlier state (service.running postgresql), or say where it is with db_host and db_port"
	}
	return host.Missing("no PostgreSQL server answers at %s: %w%s", address, plain(err), hint)
}

// plain is what went wrong, without Go's words around it.
func plain(err error) error {
	if e := (syscall.Errno(0)); errors.As(err, &e) {
		return e
	}
	return err
}
