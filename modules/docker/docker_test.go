package docker

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// web makes a container with a configuration, and starts it or not.
func web(d *daemon, image string, running bool) {
	d.create("containers", "web", object{"Image": image, "Cmd": []any{"serve"}, "HostConfig": object{}})
	if running {
		d.containers["web"]["State"] = object{"Running": true}
	}
}

func TestConformance(t *testing.T) {
	running := func(args ...any) modtest.Deed {
		return modtest.State("docker_container.running", "web", append([]any{"image", "app:1"}, args...)...)
	}
	state := modtest.State
	modtest.Suite{Family: Family(),
		Situations: modtest.Situations{
			"no Docker": modtest.Memory(nil, nil),
			"nothing":   with(nil),
			"running": with(func(d *daemon) {
				web(d, "app:1", true)
				d.create("networks", "", object{"Name": "back", "Driver": "bridge", "IPAM": object{"Driver": "default"}})
			}),
			"stopped":   with(func(d *daemon) { web(d, "app:1", false); d.create("volumes", "", object{"Name": "data"}) }),
			"old image": with(func(d *daemon) { web(d, "app:2", true) }),
		},
		Deeds: []modtest.Deed{
			running("command", "serve"), running("command", "serve", "environment", []string{"MODE=x"}, "mem_limit", "1m"),
			running("command", "serve", "force", true), running("command", "serve").Watched(),
			running("command", "serve", "networks", []string{"back"}), running("command", "serve", "start", false),
			running("watch_action", "SIGHUP", "command", "serve").Watched(),
			running("user", "broken").Untold("the container ends at once"),
			state("docker_container.running", "new", "image", "nowhere:1").Untold("the image cannot be pulled"),
			state("docker_container.running", "new", "image", "other"),
			state("docker_container.stopped", "web"), state("docker_container.stopped", "web", "error_on_absent", false),
			state("docker_container.absent", "web"), state("docker_container.absent", "web", "force", true),
			state("docker_image.present", "app", "tag", "1"), state("docker_image.present", "app:3"),
			state("docker_image.present", "made", "tag", "1", "build", "/srv/build"),
			state("docker_image.present", "made", "tag", "1", "load", "/srv/app.tar"),
			state("docker_image.present", "made", "tag", "1", "build", "/srv/none"),
			state("docker_image.absent", "app:1"), state("docker_image.absent", "none:1"),
			state("docker_network.present", "back"), state("docker_network.present", "back", "subnet", "10.1.0.0/16"),
			state("docker_network.absent", "back"),
			state("docker_volume.present", "data"), state("docker_volume.present", "data", "driver", "nfs"),
			state("docker_volume.present", "data", "driver", "nfs", "force", true),
			state("docker_volume.absent", "data"),
		}}.Run(t)
}

// TestDiffers: which arguments differ from a container that is as `base` made it.
func TestDiffers(t *testing.T) {
	suite := modtest.Suite{Family: Family()}
	base := []any{"image", "app:1", "command", "serve -v", "environment", map[string]any{"X": 1}, "port_bindings",
		"127.0.0.1:8080:80,53:53/udp", "binds", []string{"/srv:/data:ro"}, "cap_add", []string{"net_admin"}, "ulimits",
		"nofile=1:2,nproc=3", "restart_policy", "always", "mem_limit", "512m"}
	for _, tt := range []struct {
		args []any
		want string
	}{
		{nil, ""},
		{[]any{"cap_add", []string{"NET_ADMIN"}, "ulimits", []string{"nproc=3:3", "nofile=1:2"}}, ""},
		{[]any{"command", []string{"serve"}}, "{'Config': {'Cmd': {'old': ['serve', '-v'], 'new': ['serve']}}}"},
		{[]any{"restart_policy", "no"}, "{'HostConfig': {'RestartPolicy': {'old': {'MaximumRetryCount': 0, " +
			"'Name': 'always'}, 'new': {'Name': 'no', 'MaximumRetryCount': 0}}}}"},
		{[]any{"environment", []string{"X=2"}},
			"{'Config': {'Env': {'old': ['X=1', 'A=b'], 'new': ['A=b', 'X=2']}}}"},
		{[]any{"labels", "a=b"}, "{'Config': {'Labels': {'old': None, 'new': {'a': 'b'}}}}"},
		{[]any{"binds", []string{"/srv:/data"}},
			"{'HostConfig': {'Binds': {'old': ['/srv:/data:ro'], 'new': ['/srv:/data']}}}"},
	} {
		h := with(nil)(t)
		if _, err := suite.One(t, h, modtest.State("docker_container.running", "web", base...)); err != nil {
			t.Fatal(err)
		}
		e, err := suite.One(t, host.NewOverlay(h), modtest.State("docker_container.running", "web", append(base,
			tt.args...)...))
		got := ""
		if e.Foretold != nil {
			got = value.Repr(orNone(at(e.Foretold, "container")))
		}
		if err != nil || got != tt.want {
			t.Errorf("%v: %s %v, want %s", tt.args, got, err, tt.want)
		}
	}
}

// TestConvert: arguments as the daemon takes them.
func TestConvert(t *testing.T) {
	for _, tt := range []struct{ kind, in, want string }{
		{"bindings", `"80"`, "{'80/tcp': [{'HostIp': '', 'HostPort': ''}]}"},
		{"bindings", `"8000-8001:80-81"`, "{'80/tcp': [{'HostIp': '', 'HostPort': '8000'}], '81/tcp': [{'HostIp': '', " +
			"'HostPort': '8001'}]}"},
		{"bindings", `"[::1]:53:53/udp"`, "{'53/udp': [{'HostIp': '::1', 'HostPort': '53'}]}"},
		{"bindings", `{"80": 8080}`, "{'80/tcp': [{'HostIp': '', 'HostPort': '8080'}]}"},
		{"bindings", `"1-2:80"`, `error: has in "1-2:80" a different number of ports on both sides`},
		{"size", `"1.5g"`, "1610612736"}, {"size", `"lots"`, "error: takes a size such as 512m, not the text \"lots\""},
		{"words", `"a 'b c'"`, "['a', 'b c']"}, {"env", `[{"A": 1}, "B=c=d"]`, "['A=1', 'B=c=d']"},
		{"ports", `["80", "90-91/udp"]`, "{'80/tcp': {}, '90/udp': {}, '91/udp': {}}"},
		{"restart", `"sometimes"`, "error: takes no, always, unless-stopped or on-failure:COUNT, not the text \"sometimes\""},
		{"devices", `"/dev/fuse"`, "[{'PathOnHost': '/dev/fuse', 'PathInContainer': '/dev/fuse', 'CgroupPermissions': 'rwm'}]"},
		{"tmpfs", `["/run: rw,size=1m"]`, "{'/run': 'rw,size=1m'}"},
	} {
		v, err := convert(tt.kind, modtest.JSON(t, tt.in))
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = value.Repr(v)
		}
		if got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.kind, tt.in, got, tt.want)
		}
	}
}

// TestNoDaemon: what is said where Docker does not answer, and where the run starts it.
func TestNoDaemon(t *testing.T) {
	m := modtest.Memory(nil, nil)(t)
	suite := modtest.Suite{Family: Family()}
	deed := modtest.State("docker_network.absent", "n")
	if _, err := suite.One(t, m, deed); err == nil || !strings.Contains(err.Error(), "pkg.installed docker.io") {
		t.Error(err)
	}
	over := host.NewOverlay(m)
	over.Promise(host.Fact{Kind: host.FactService, Name: "docker", Value: "active"})
	if _, err := suite.One(t, over, deed); !host.IsUnknown(err) {
		t.Error(err)
	}
}

func TestExecs(t *testing.T) {
	h := with(func(d *daemon) { web(d, "app:1", true) })(t)
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{
		{"docker.exists", `["web"]`, "", "True"}, {"docker.exists", `["none"]`, "", "False"},
		{"docker.state", `["web"]`, "", "'running'"},
		{"docker.stop", `["web"]`, "", "{'result': True, 'state': {'old': 'running', 'new': 'stopped'}}"},
		{"docker.state", `["web"]`, "", "'stopped'"},
		{"docker.resolve_image_id", `["app:1"]`, "", "'sha256:1'"}, {"docker.resolve_image_id", `["x"]`, "", "False"},
		{"docker.rm", `["web"]`, "", "['id1']"},
		{"docker.inspect", `["web"]`, "", "error: Error 404: No such container/image/network/volume: web"},
	})
}
