package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/internal/agent"
)

// program finds a program of Postgres, which Debian keeps out of the path.
func program(name string) string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if path, err := exec.LookPath(name); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

// startPostgres starts a server that only a socket of this test reaches. It is skipped where there is none, or where
// it does not start: that is not ours to mend.
func startPostgres(t *testing.T) (dsn string) {
	t.Helper()
	initdb, server := program("initdb"), program("postgres")
	if initdb == "" || server == "" {
		t.Skip("NOT TESTED: there is no Postgres here (apt install postgresql)")
	}
	dir, err := os.MkdirTemp("", "gostate-pg-") // short: the path of a socket is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	attr := asNobody(t, dir)
	data := filepath.Join(dir, "data")
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.SysProcAttr, cmd.Dir, cmd.Env = attr, dir, append(os.Environ(), "HOME="+dir, "LC_ALL=C", "TZ=UTC")
		return cmd
	}
	if out, err := run(initdb, "-D", data, "-U", "fleet", "-A", "trust", "-N", "-E", "UTF8").CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: Postgres cannot be made here: %v\n%s", err, out)
	}
	var said strings.Builder
	cmd := run(server, "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB",
		"-c", "dynamic_shared_memory_type=mmap")
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Skipf("NOT TESTED: Postgres cannot be started here: %v", err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		<-gone
	})
	for {
		conn, err := net.Dial("unix", filepath.Join(dir, ".s.PGSQL.5432"))
		if err == nil {
			conn.Close()
			return fmt.Sprintf("host=%s user=fleet dbname=postgres", dir)
		}
		select {
		case err := <-gone:
			gone <- err
			t.Skipf("NOT TESTED: Postgres does not stay here: %v\n%s", err, said.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// asNobody gives the directory to another user where this is root, whom Postgres refuses.
func asNobody(t *testing.T, dir string) *syscall.SysProcAttr {
	t.Helper()
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		return attr
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Skip("NOT TESTED: Postgres does not run as root, and there is no user nobody")
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Skip("NOT TESTED: ", err)
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr
}

// TestPostgres: reports are kept once, by days, whatever they hold, also across a lost connection.
func TestPostgres(t *testing.T) {
	dsn := startPostgres(t)
	ctx := t.Context()
	var said []string
	var p *Postgres
	for range 1000 { // it begins to listen a little before it answers
		var err error
		p, err = OpenPostgres(ctx, dsn, func() time.Time { return noon },
			func(err error) { said = append(said, err.Error()) })
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "57P03") {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	dir := t.TempDir()
	put := func(node string, n int, change func(*agent.Report)) {
		t.Helper()
		if err := (agent.DirSink{Path: dir}).Deliver(ctx, reportOf(t, node, n, change)); err != nil {
			t.Fatal(err)
		}
	}
	put("web1", 1, fails)
	put("web1", 2, nil)
	put("db1", 3, func(r *agent.Report) { r.Started = r.Started.AddDate(0, 0, -1) })
	put("db1", 4, func(r *agent.Report) { r.Started = r.Started.AddDate(-30, 0, 0); r.Applied = nil; r.Env = "a\x00b" })
	put("db1", 5, func(r *agent.Report) { r.Applied.Sequence = 1 << 63 })
	put("odd1", 6, func(r *agent.Report) { r.Grains = map[string]jsonText{"n": jsonText("1e200000")} })
	feed := func() Feed { return &DirFeed{Dir: operate.Dir{Path: dir}, Cursor: filepath.Join(t.TempDir(), "c")} }
	for range 2 {
		said = nil
		if n, errs := pump(t, feed(), p); n != 6 || errs != nil {
			t.Fatal(n, errs)
		}
		if len(said) != 1 || !strings.Contains(said[0], "of odd1 is passed over") {
			t.Error(said)
		}
	}
	rows := func(sql string) (out []string) {
		t.Helper()
		got, err := p.conn.Query(ctx, sql)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		for got.Next() {
			var row string
			if err := got.Scan(&row); err != nil {
				t.Fatal(err)
			}
			out = append(out, row)
		}
		return out
	}
	want := []string{
		"db1 19941122T12 gostate_reports_other unchanged - -", "db1 20241121T12 gostate_reports_20241121 unchanged 5 0",
		"db1 20241122T12 gostate_reports_20241122 unchanged 9223372036854775807 0",
		"web1 20241122T12 gostate_reports_20241122 failed 5 2", "web1 20241122T12 gostate_reports_20241122 unchanged 5 0"}
	if d := cmp.Diff(want, rows(`select concat_ws(' ', node, to_char(started at time zone 'UTC', 'YYYYMMDD"T"HH24'), tableoid::regclass,
		class, coalesce(release::text, '-'), coalesce(failed::text, '-')) from gostate_reports order by node, started`)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"it \ufffd fails"}, rows(`select report #>> '{applied,states,0,comment}' from gostate_reports
		where class = 'failed'`)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if _, err := p.conn.Exec(ctx, "set enable_seqscan = off"); err != nil { // which is quicker for five rows
		t.Fatal(err)
	}
	plan := strings.Join(rows("explain select * from gostate_reports where node = 'web1' order by started desc limit 1"),
		"\n")
	if !strings.Contains(plan, "Index Scan") {
		t.Errorf("the last run of a machine is searched without the index:\n%s", plan)
	}
	_, err := p.conn.Exec(ctx, "select pg_terminate_backend(pg_backend_pid())")
	if err == nil || errors.Is(err, context.Canceled) {
		t.Fatal("the connection is still there:", err)
	}
	put("web2", 7, nil)
	if n, errs := pump(t, feed(), p); n != 7 || errs != nil {
		t.Error("after a lost connection:", n, errs)
	}
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
}

type jsonText = json.RawMessage
