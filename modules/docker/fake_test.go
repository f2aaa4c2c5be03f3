package docker

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

type object = map[string]any

// A daemon is as much of Docker as the states speak to.
type daemon struct {
	containers, images, networks, volumes map[string]object
	count                                 int
}

func newDaemon() *daemon {
	return &daemon{containers: map[string]object{}, volumes: map[string]object{}, images: map[string]object{
		"app:1": {"Id": "sha256:1", "RepoTags": []string{"app:1"}, "Config": object{"Env": []string{"A=b"},
			"Cmd": []string{"run"}, "ExposedPorts": object{"99/tcp": object{}}}},
		"app:2": {"Id": "sha256:2", "RepoTags": []string{"app:2"}, "Config": object{}},
	}, networks: map[string]object{"bridge": {"Name": "bridge", "Driver": "bridge"}}}
}

// dial is a connection to the daemon.
func (d *daemon) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	go func() {
		l := &once{conn: far}
		_ = (&http.Server{Handler: d}).Serve(l)
	}()
	return near, nil
}

// once is a listener of one connection.
type once struct{ conn net.Conn }

func (o *once) Accept() (net.Conn, error) {
	if o.conn == nil {
		return nil, io.EOF
	}
	c := o.conn
	o.conn = nil
	return c, nil
}
func (o *once) Close() error   { return nil }
func (o *once) Addr() net.Addr { return &net.UnixAddr{} }

func (d *daemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	say := func(code int, v any) {
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(v)
	}
	lost := func(what string) { say(http.StatusNotFound, object{"message": "No such " + what}) }
	var body object
	_ = json.NewDecoder(r.Body).Decode(&body)
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	all := map[string]map[string]object{"containers": d.containers, "images": d.images, "networks": d.networks,
		"volumes": d.volumes}[parts[0]]
	if parts[0] == "info" {
		say(http.StatusOK, object{"MemoryLimit": false})
		return
	}
	switch last := parts[len(parts)-1]; {
	case last == "create" && parts[0] == "images":
		d.pull(r.URL.Query().Get("fromImage"), w)
	case last == "create":
		say(http.StatusCreated, d.create(parts[0], r.URL.Query().Get("name"), body))
	case last == "build" || last == "load":
		d.images["made:1"] = object{"Id": "sha256:9", "RepoTags": []string{"made:1"}, "Config": object{}}
		say(http.StatusOK, object{"stream": "Loaded image: made:1"})
	case last == "tag":
		say(http.StatusCreated, nil)
	default:
		it, name := find(all, parts[1])
		if it == nil {
			lost(strings.TrimSuffix(parts[0], "s") + ": " + parts[1])
			return
		}
		if r.Method == http.MethodDelete {
			delete(all, name)
			say(http.StatusOK, []object{{"Deleted": it["Id"]}})
			return
		}
		if len(parts) > 2 && last != "json" {
			d.act(last, it, name, body, r.URL.Query().Get("name"))
			say(http.StatusOK, nil)
			return
		}
		say(http.StatusOK, it)
	}
}

func find(all map[string]object, key string) (object, string) {
	for name, it := range all {
		if name == key || it["Id"] == key {
			return it, name
		}
	}
	return nil, ""
}

func (d *daemon) pull(name string, w io.Writer) {
	if strings.HasPrefix(name, "nowhere") {
		_, _ = fmt.Fprintln(w, `{"status": "Pulling"}`+"\n"+`{"error": "no such repository"}`)
		return
	}
	d.images[strings.TrimSuffix(name, ":latest")] = object{"Id": "sha256:" + name, "RepoTags": []string{name},
		"Config": object{}}
}

func (d *daemon) create(kind, name string, body object) object {
	d.count++
	id := fmt.Sprint("id", d.count)
	if kind != "containers" {
		name, _ = body["Name"].(string)
		body["Id"] = id
		if kind == "networks" {
			d.networks[name] = body
		} else {
			if body["Driver"] == nil {
				body["Driver"] = "local"
			}
			d.volumes[name] = body
		}
		return body
	}
	conf := object{}
	hostConfig, _ := body["HostConfig"].(object)
	image, _ := find(d.images, body["Image"].(string))
	for k, v := range image["Config"].(object) {
		conf[k] = v
	}
	for k, v := range body {
		if k != "HostConfig" {
			conf[k] = v
		}
	}
	if env, ok := body["Env"].([]any); ok {
		conf["Env"] = append(env, "A=b")
	}
	if ports, ok := body["ExposedPorts"].(object); ok {
		ports["99/tcp"] = object{}
	}
	if hostConfig["Memory"] != nil {
		hostConfig["Memory"] = 0 // this kernel has no limits
	}
	d.containers[name] = object{"Id": id, "Name": "/" + name, "Image": image["Id"], "Config": conf,
		"HostConfig": hostConfig, "State": object{}, "NetworkSettings": object{"Networks": object{"bridge": object{}}}}
	return object{"Id": id}
}

func (d *daemon) act(verb string, it object, name string, body object, to string) {
	switch verb {
	case "start", "restart", "unpause":
		it["State"] = object{"Running": it["Config"].(object)["User"] != "broken"}
	case "stop":
		it["State"] = object{}
	case "rename":
		delete(d.containers, name)
		d.containers[to], it["Name"] = it, "/"+to
	case "connect", "disconnect":
		c, _ := find(d.containers, body["Container"].(string))
		nets := c["NetworkSettings"].(object)["Networks"].(object)
		delete(nets, name)
		if verb == "connect" {
			nets[name] = body["EndpointConfig"]
		}
	}
}

// with is a machine with a daemon, after set.
func with(set func(d *daemon)) func(*testing.T) host.Host {
	return modtest.Memory(nil, func(m *hosttest.Memory) {
		d := newDaemon()
		if set != nil {
			set(d)
		}
		m.Dialer = d.dial
		m.MustWrite("/srv/app.tar", "", 0o644)
		m.MustWrite("/srv/build/Dockerfile", "FROM app:1\n", 0o644)
	})
}
