package hub_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/hub"
	"github.com/gostate/gostate/cmd/internal/agent"
)

// natsServer builds NATS's own server of the version that this module has.
func natsServer(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nats-server")
	cmd := exec.Command("go", "build", "-o", path, "github.com/nats-io/nats-server/v2")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// freePort is a port that nobody has now.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// cluster starts servers from what gostate-hub config prints, and ends them with the test.
func cluster(t *testing.T, dir string, size int) []*exec.Cmd {
	t.Helper()
	program := natsServer(t)
	var listen, routes []string
	for range size {
		listen = append(listen, fmt.Sprintf("127.0.0.1:%d", freePort(t)))
		routes = append(routes, fmt.Sprintf("127.0.0.1:%d", freePort(t)))
	}
	var out []*exec.Cmd
	for i := range size {
		s := hub.Server{Dir: dir, Listen: listen[i], Name: fmt.Sprintf("hub%d", i),
			Store: filepath.Join(dir, fmt.Sprintf("data%d", i))}
		if size > 1 {
			s.Cluster, s.Routes = routes[i], routes
		}
		text, err := s.Config()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, s.Name+".conf")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out = append(out, begin(t, program, file))
	}
	setURLs(t, dir, listen)
	return out
}

func begin(t *testing.T, program, file string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, "-c", file)
	said := &bytes.Buffer{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	return cmd
}

func setURLs(t *testing.T, dir string, listen []string) {
	t.Helper()
	site, err := hub.ReadSite(filepath.Join(dir, "operator"))
	if err != nil {
		t.Fatal(err)
	}
	site.URLs = nil
	for _, l := range listen {
		site.URLs = append(site.URLs, "tls://"+l)
	}
	if err := site.Write(filepath.Join(dir, "operator")); err != nil {
		t.Fatal(err)
	}
}

// ready waits until the servers have their streams.
func ready(t *testing.T, dir string, replicas int) *bus.Bus {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		b, err := hub.Operator(dir)
		if err == nil {
			if err = b.Setup(t.Context(), replicas); err == nil {
				t.Cleanup(b.Close)
				return b
			}
			b.Close()
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestConfig: NATS's own server runs from the configuration that is printed for it.
func TestConfig(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds nats-server")
	}
	dir := t.TempDir()
	if _, err := hub.Init(dir, []string{"127.0.0.1"}, 4222); err != nil {
		t.Fatal(err)
	}
	cluster(t, dir, 1)
	reported(t, dir, ready(t, dir, 1))
}

// reported is whether a machine connects and reports.
func reported(t *testing.T, dir string, op *bus.Bus) {
	t.Helper()
	o, err := hub.NewNode(dir, "web1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := bus.Connect(*o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := b.Deliver(ctx, agent.Delivery{Node: "web1", Run: "1", Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := op.LastReports(ctx, func(bus.Report) error { n++; return nil }); err != nil || n != 1 {
		t.Errorf("%d reports, %v", n, err)
	}
}
