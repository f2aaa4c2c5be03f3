package docker

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	look := func(name, doc string, f modules.ExecFunc, params ...string) modules.ExecSpec {
		return modules.NewExec("docker."+name, doc, f, params...)
	}
	verb := func(name, doc string, params ...string) modules.ExecSpec {
		return modules.NewExec("docker."+name, doc, act(name), append([]string{"name"}, params...)...)
	}
	return append(modules.Writing(
		verb("start", "Starts a container."), verb("stop", "Stops a container.", "timeout:int=None"),
		verb("restart", "Restarts a container.", "timeout:int=None"), verb("kill", "Kills a container."),
		verb("pause", "Halts a container."), verb("unpause", "Lets a container go on."),
		look("rm", "Removes a container.", rm, "name", "force=false", "volumes=false"),
		look("pull", "Fetches an image.", pullImage, "image"),
	), []modules.ExecSpec{
		look("version", "Tells the versions of the daemon.", ask("/version")),
		look("info", "Tells of the daemon.", ask("/info")),
		look("networks", "Lists the networks.", ask("/networks")),
		look("volumes", "Lists the volumes.", ask("/volumes")),
		look("ps", "Tells of the containers, by their numbers.", ps, "all=false"),
		look("list_containers", "Lists the names of the containers.", names, "all=false"),
		look("list_tags", "Lists the tags of the images.", tags),
		look("exists", "Says whether a container exists.", exists, "name"),
		look("state", "Tells what a container does: running, paused, stopped.", stateExec, "name"),
		look("inspect", "Tells of a container, an image, a network or a volume.", inspect("container", "image", "network",
			"volume"), "name"),
		look("inspect_container", "Tells of a container.", inspect("container"), "name"),
		look("inspect_image", "Tells of an image.", inspect("image"), "name"),
		look("inspect_network", "Tells of a network.", inspect("network"), "name"),
		look("inspect_volume", "Tells of a volume.", inspect("volume"), "name"),
		look("resolve_image_id", "Gives the number of an image, False where there is none.", imageID, "name"),
	}...)
}

func raised(err error) error {
	if err == nil || host.IsUnknown(err) {
		return err
	}
	return value.Raise("CommandExecutionError", "%v", err)
}

// ask gives what the daemon says at a path.
func ask(path string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		d, err := connect(c.Env, c.Host)
		if err != nil {
			return nil, raised(err)
		}
		v, err := d.call(ctx, http.MethodGet, path, nil)
		return v, raised(err)
	}
}

// containers are what the daemon lists.
func containers(ctx context.Context, c *modules.Call) ([]*value.Dict, error) {
	v, err := ask(fmt.Sprintf("/containers/json?all=%t", c.Bool("all")))(ctx, c)
	l, _ := v.(*value.List)
	if err != nil || l == nil {
		return nil, err
	}
	var out []*value.Dict
	for _, it := range l.Items {
		if d, ok := it.(*value.Dict); ok {
			out = append(out, d)
		}
	}
	return out, nil
}

func ps(ctx context.Context, c *modules.Call) (value.Value, error) {
	all, err := containers(ctx, c)
	out := value.NewDict(len(all))
	for _, d := range all {
		out.SetStr(text(d, "Id"), d)
	}
	return out, err
}

func names(ctx context.Context, c *modules.Call) (value.Value, error) {
	all, err := containers(ctx, c)
	var out []string
	for _, d := range all {
		list, _ := modules.Texts(orNone(at(d, "Names")))
		for _, n := range list {
			out = append(out, strings.TrimPrefix(n, "/"))
		}
	}
	return modules.TextList(out), err
}

func tags(ctx context.Context, c *modules.Call) (value.Value, error) {
	v, err := ask("/images/json")(ctx, c)
	l, _ := v.(*value.List)
	var out []string
	if l != nil {
		for _, it := range l.Items {
			d, _ := it.(*value.Dict)
			some, _ := modules.Texts(orNone(at(d, "RepoTags")))
			out = append(out, some...)
		}
	}
	return modules.TextList(out), err
}

// inspect tells of the first thing of the kinds that has the name.
func inspect(kinds ...string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		d, err := connect(c.Env, c.Host)
		if err != nil {
			return nil, raised(err)
		}
		look := map[string]func(context.Context, string) (*value.Dict, error){"container": d.container, "image": d.image,
			"network": d.network, "volume": d.volume}
		for _, k := range kinds {
			if found, err := look[k](ctx, c.Str("name")); err != nil || found != nil {
				return found, raised(err)
			}
		}
		return nil, value.Raise("CommandExecutionError", "Error 404: No such %s: %s", strings.Join(kinds, "/"), c.Str("name"))
	}
}

func exists(ctx context.Context, c *modules.Call) (value.Value, error) {
	d, err := connect(c.Env, c.Host)
	if err != nil {
		return nil, raised(err)
	}
	now, err := d.container(ctx, c.Str("name"))
	return value.Bool(now != nil), raised(err)
}

func stateExec(ctx context.Context, c *modules.Call) (value.Value, error) {
	v, err := inspect("container")(ctx, c)
	if err != nil {
		return nil, err
	}
	return value.Str(stateOf(v.(*value.Dict))), nil
}

func imageID(ctx context.Context, c *modules.Call) (value.Value, error) {
	d, err := connect(c.Env, c.Host)
	if err != nil {
		return nil, raised(err)
	}
	now, err := d.image(ctx, c.Str("name"))
	if now == nil {
		return value.Bool(false), raised(err)
	}
	return value.Str(text(now, "Id")), nil
}

// act does something to a container, and tells what it did before and does now.
func act(verb string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (out value.Value, err error) {
		d, err := connect(c.Env, c.Host)
		if err != nil {
			return nil, raised(err)
		}
		was, err := d.does(ctx, c.Str("name"))
		if err != nil {
			return nil, raised(err)
		}
		then := map[string]string{"stop": "stopped", "kill": "stopped", "pause": "paused"}[verb]
		if then == "" {
			then = "running"
		}
		err = deed(ctx, c.Host, verb, "container "+c.Str("name"), then, func(ctx context.Context) error {
			query := ""
			if n := c.Int("timeout", -1); n >= 0 {
				query = fmt.Sprintf("?t=%d", n)
			}
			_, err := d.call(ctx, http.MethodPost, "/containers/"+url.PathEscape(c.Str("name"))+"/"+verb+query, nil)
			return err
		})
		return value.DictOf("result", value.Bool(err == nil), "state", value.DictOf("old", value.Str(was), "new",
			value.Str(then))), raised(err)
	}
}

func rm(ctx context.Context, c *modules.Call) (value.Value, error) {
	d, err := connect(c.Env, c.Host)
	if err != nil {
		return nil, raised(err)
	}
	now, err := d.container(ctx, c.Str("name"))
	if err != nil || now == nil && promised(c.Host, "container "+c.Str("name")) == "" {
		return nil, raised(orMissing(err, c.Str("name")))
	}
	err = deed(ctx, c.Host, "remove", "container "+c.Str("name"), "absent", func(ctx context.Context) error {
		_, err := d.call(ctx, http.MethodDelete, fmt.Sprintf("/containers/%s?force=%t&v=%t", url.PathEscape(c.Str("name")),
			c.Bool("force"), c.Bool("volumes")), nil)
		return err
	})
	return value.NewList(value.Str(text(now, "Id"))), raised(err)
}

func orMissing(err error, name string) error {
	if err == nil {
		err = &fault{http.StatusNotFound, "Error 404: No such container: " + name}
	}
	return err
}

func pullImage(ctx context.Context, c *modules.Call) (value.Value, error) {
	d, err := connect(c.Env, c.Host)
	if err != nil {
		return nil, raised(err)
	}
	err = deed(ctx, c.Host, "pull", "image "+c.Str("image"), "present", func(ctx context.Context) error {
		return d.pull(ctx, c.Str("image"))
	})
	return value.DictOf("Status", value.Str("pulled "+c.Str("image"))), raised(err)
}
