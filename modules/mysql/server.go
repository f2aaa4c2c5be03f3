package mysql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	driver "github.com/go-sql-driver/mysql"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// access are the arguments that say which server is spoken with, and as whom.
type access struct {
	Host         string `arg:"connection_host" doc:"The server's name or address; localhost means its socket."`
	Port         string `arg:"connection_port" doc:"The server's port, 3306 by default."`
	User         string `arg:"connection_user" doc:"The user of the server who connects, root by default."`
	Pass         string `arg:"connection_pass,secret" doc:"The password of that user."`
	DB           string `arg:"connection_db" doc:"The database to begin in."`
	UnixSocket   string `arg:"connection_unix_socket,path" doc:"The server's socket."`
	DefaultFile  string `arg:"connection_default_file,path" doc:"A file of options such as /etc/mysql/debian.cnf, whose section client says what is not said here. The configuration then counts for nothing."`
	DefaultGroup string `arg:"connection_default_group" doc:"Another section of that file."`
	Charset      string `arg:"connection_charset" doc:"The character set of the connection, utf8mb4 by default."`
}

// fill sets what was not said: from the file of options, else from the configuration.
func (a *access) fill(env *modules.Env, h host.Reader) error {
	fields := map[string]*string{"host": &a.Host, "port": &a.Port, "user": &a.User, "pass": &a.Pass, "db": &a.DB,
		"unix_socket": &a.UnixSocket, "default_file": &a.DefaultFile, "default_group": &a.DefaultGroup, "charset": &a.Charset}
	if a.DefaultFile == "" {
		for name, f := range fields {
			*f = cmp.Or(*f, env.Setting("mysql."+name))
		}
	}
	if a.DefaultFile == "" {
		return nil
	}
	file := a.DefaultFile
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		file = cmp.Or(env.Getenv("HOME"), "/root") + "/" + rest
	}
	lines, err := modules.ReadLines(h, file)
	if err != nil {
		return fmt.Errorf("connection_default_file: %w", err)
	}
	for key, v := range clientOptions(lines, a.DefaultGroup) {
		name := map[string]string{"password": "pass", "socket": "unix_socket", "database": "db",
			"default-character-set": "charset"}[key]
		if f := fields[cmp.Or(name, key)]; f != nil && *f == "" {
			*f = v
		}
	}
	return nil
}

// clientOptions are the options of the section client, and of one more.
func clientOptions(lines []string, group string) map[string]string {
	out, in := map[string]string{}, false
	for _, l := range lines {
		l = strings.TrimSpace(l)
		switch {
		case l == "" || l[0] == '#' || l[0] == ';':
		case l[0] == '[':
			name := strings.Trim(l, "[] ")
			in = name == "client" || group != "" && name == group
		case in:
			k, v, _ := strings.Cut(l, "=")
			v = strings.TrimSpace(v)
			if len(v) > 1 && (v[0] == '\'' || v[0] == '"') && v[len(v)-1] == v[0] {
				v = v[1 : len(v)-1]
			}
			out[strings.ReplaceAll(strings.TrimSpace(k), "_", "-")] = v
		}
	}
	return out
}

// address is the network and the address of the server.
func (a *access) address(h host.Reader) (network, address string) {
	if a.Host != "" && a.Host != "localhost" {
		return "tcp", host.Address(a.Host, cmp.Or(a.Port, "3306"))
	}
	if a.UnixSocket != "" {
		return "unix", a.UnixSocket
	}
	usual := []string{"/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock"}
	for _, s := range usual {
		if _, err := h.Stat(s); err == nil {
			return "unix", s
		}
	}
	return "unix", usual[0]
}

const (
	// lookTime bounds what is looked up.
	lookTime = time.Minute
	// startTime bounds a connection.
	startTime = 10 * time.Second
)

// silent keeps the driver from writing to the terminal.
type silent struct{}

func (silent) Print(...any) {}

// connect opens the one connection of a look or a deed.
func (a *access) connect(ctx context.Context, h host.Reader) (*sql.DB, error) {
	network, address := a.address(h)
	if err := stopped(h, network, address); err != nil {
		return nil, err
	}
	cfg := driver.NewConfig()
	cfg.Net, cfg.Addr, cfg.User, cfg.Passwd, cfg.DBName = network, address, cmp.Or(a.User, "root"), a.Pass, a.DB
	cfg.InterpolateParams, cfg.MultiStatements, cfg.Timeout, cfg.Logger = true, true, startTime, silent{}
	cfg.DialFunc = func(ctx context.Context, network, address string) (host.Conn, error) {
		return h.Dial(ctx, network, address)
	}
	if network == "tcp" {
		cfg.TLSConfig = "preferred"
	} else {
		cfg.AllowCleartextPasswords = true // over a socket of this machine
	}
	if a.Charset != "" {
		if err := cfg.Apply(driver.Charset(a.Charset, "")); err != nil {
			return nil, err
		}
	}
	c, err := driver.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(1)
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close()
		return nil, down(h, address, cmp.Or(a.User, "root"), err)
	}
	return db, nil
}

// services are what an earlier state of a preview does to the service of a server of this machine.
func services(h host.Reader) (out []host.Fact) {
	for _, f := range h.Facts(host.FactService) {
		if strings.HasPrefix(f.Name, "mysql") || strings.HasPrefix(f.Name, "mariadb") {
			out = append(out, f)
		}
	}
	return out
}

func stopped(h host.Reader, network, address string) error {
	for _, f := range services(h) {
		if f.Value == "inactive" && network == "unix" {
			return fmt.Errorf("no MySQL server at %s: %s is stopped before", address, f.Name)
		}
	}
	return nil
}

// down is the error for a server that cannot be reached, or lets nobody in: unknown where an earlier state of a preview
// starts it.
func down(h host.Reader, address, user string, err error) error {
	if host.IsUnknown(err) {
		return err
	}
	if no := (*driver.MySQLError)(nil); errors.As(err, &no) {
		return fmt.Errorf("connect to MySQL at %s as %s: %w", address, user, told(err))
	}
	for _, f := range services(h) {
		return host.Untold(h, "what the MySQL server at "+address+" holds", f)
	}
	hint := ""
	if e := (syscall.Errno(0)); errors.As(err, &e) {
		err = e
		hint = "; start it by an earlier state (service.running mariadb), or say where it is with connection_host or " +
			"connection_unix_socket"
	}
	return host.Missing("no MySQL server answers at %s: %w%s", address, err, hint)
}

// told is an error of the server's in Salt's words, and a lost connection in ours.
func told(err error) error {
	if no := (*driver.MySQLError)(nil); errors.As(err, &no) {
		return refusal{no.Number, no.Message}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("the MySQL server did not answer in time")
	}
	if errors.Is(err, driver.ErrInvalidConn) {
		err = errors.New("it hung up")
	}
	if err != nil && !host.IsUnknown(err) {
		return fmt.Errorf("the connection to the MySQL server was lost: %w", err)
	}
	return err
}

// A refusal is an error that the server tells.
type refusal struct {
	code uint16
	text string
}

func (r refusal) Error() string { return fmt.Sprintf("MySQL Error %d: %s", r.code, r.text) }

const codeDenied = 1045 // the password is wrong
