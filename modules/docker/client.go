package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

const (
	socket    = "/var/run/docker.sock"
	maxAnswer = 64 << 20
)

// A client asks the daemon.
type client struct {
	h    host.Reader
	http *http.Client
}

// connect makes a client of the daemon that DOCKER_HOST or the option docker.url names, or the usual one.
func connect(env *modules.Env, h host.Reader) (*client, error) {
	at := env.Getenv("DOCKER_HOST")
	if at == "" {
		at = env.Opts.Text("docker.url")
	}
	if at == "" {
		at = "unix://" + socket
	}
	file, ok := strings.CutPrefix(at, "unix://")
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: gostate speaks to the Docker of its own machine, over a socket unix:///PATH", at)
	case h.Root() != "/":
		return nil, errors.New("Docker is of a machine that runs, not of a tree: leave --root out") //nolint:staticcheck // a name
	}
	return &client{h, &http.Client{Transport: &http.Transport{DialContext: host.UnixDialer(h, file),
		DisableKeepAlives: true}}}, nil
}

// A fault is an answer of the daemon that is no success.
type fault struct {
	code int
	text string
}

func (f *fault) Error() string { return f.text }

// missing says whether there is no such thing.
func missing(err error) bool {
	var f *fault
	return errors.As(err, &f) && f.code == http.StatusNotFound
}

// stream sends a request; the answer has to be closed.
func (c *client) stream(ctx context.Context, method, path string, body io.Reader, kind string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://docker"+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, modules.Unreached(c.h, host.Missing("Docker does not answer: %w: pkg.installed docker.io, or "+
			"service.running docker, before it", err), "docker", "docker.socket", "podman", "podman.socket")
	}
	if resp.StatusCode < 400 {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	text := strings.TrimSpace(string(raw))
	if v, err := value.ParseJSON(text); err == nil {
		if m, ok := value.Lookup(v, "message", ":"); ok {
			text = value.String(m)
		}
	}
	return nil, &fault{resp.StatusCode, fmt.Sprintf("Error %d: %s", resp.StatusCode, text)}
}

// call sends a value and reads one.
func (c *client) call(ctx context.Context, method, path string, send value.Value) (value.Value, error) {
	var body io.Reader
	if send != nil {
		text, err := value.DumpsJSON(send, value.JSONOptions{})
		if err != nil {
			return nil, err
		}
		body = strings.NewReader(text)
	}
	answer, err := c.stream(ctx, method, path, body, "application/json")
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	raw, err := io.ReadAll(io.LimitReader(answer, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("read what Docker says: %w", err)
	}
	if len(strings.TrimSpace(string(raw))) == 0 {
		return value.None, nil
	}
	return value.ParseJSON(string(raw))
}

// get reads a map; it is nil where there is no such thing.
func (c *client) get(ctx context.Context, path string) (*value.Dict, error) {
	v, err := c.call(ctx, http.MethodGet, path, nil)
	if missing(err) {
		return nil, nil
	}
	d, ok := v.(*value.Dict)
	if err == nil && !ok {
		err = errors.New("Docker says what is no map") //nolint:staticcheck // a name
	}
	return d, err
}

func (c *client) container(ctx context.Context, name string) (*value.Dict, error) {
	return c.get(ctx, "/containers/"+url.PathEscape(name)+"/json")
}

func (c *client) image(ctx context.Context, name string) (*value.Dict, error) {
	return c.get(ctx, imagePath(name)+"/json")
}

// imagePath is where the daemon has an image; a name may hold slashes.
func imagePath(name string) string { return "/images/" + (&url.URL{Path: name}).EscapedPath() }

func (c *client) network(ctx context.Context, name string) (*value.Dict, error) {
	return c.get(ctx, "/networks/"+url.PathEscape(name))
}

// at is what stands under a path of a map; nil where nothing does.
func at(d *value.Dict, path string) value.Value {
	if d == nil {
		return nil
	}
	v, ok := value.Lookup(d, path, ":")
	if !ok || v == value.Value(value.None) {
		return nil
	}
	return v
}

func text(d *value.Dict, path string) string {
	v := at(d, path)
	if v == nil {
		return ""
	}
	return value.String(v)
}

// stateOf is Salt's word for what a container does.
func stateOf(c *value.Dict) string {
	switch {
	case value.Truth(orNone(at(c, "State:Paused"))):
		return "paused"
	case value.Truth(orNone(at(c, "State:Running"))):
		return "running"
	}
	return "stopped"
}

func orNone(v value.Value) value.Value {
	if v == nil {
		return value.None
	}
	return v
}

// promised is what an earlier state of a preview made of a thing.
func promised(h host.Reader, what string) string {
	f, _ := h.Fact(host.FactDocker, what)
	return f.Value
}

// deed does something that a preview takes for a fact.
func deed(ctx context.Context, h host.Host, what, thing, then string, do func(ctx context.Context) error) error {
	return h.Do(ctx, host.Deed{What: what + " " + thing + " of Docker", On: host.FactDocker, Do: do,
		Foretell: func(o host.Host) error {
			o.Promise(host.Fact{Kind: host.FactDocker, Name: thing, Value: then})
			return nil
		}})
}

// pending is the error of what depends on a thing that an earlier state of a preview makes.
func pending(what, by string) error { return &host.Unknown{What: what, By: by} }

// sentence joins what is said as Salt does.
func sentence(said []string) string {
	out := strings.Join(said, ". ")
	if len(said) > 1 {
		out += "."
	}
	return out
}
