package alternatives

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("alternatives.show_current", "show_current(name): the path that an alternative points to, False "+
			"when there is none.", showCurrent, "name"),
		modules.NewExec("alternatives.show_link", "show_link(name): the path of the link of an alternative, False when "+
			"there is none.", showLink, "name"),
		modules.NewExec("alternatives.check_installed", "check_installed(name, path): whether an alternative points to the "+
			"path.", checkInstalled, "name", "path"),
		modules.NewExec("alternatives.check_exists", "check_exists(name, path): whether the path is among the choices of "+
			"an alternative.", checkExists, "name", "path"),
		modules.NewExec("alternatives.display", "display(name): what the tool says of an alternative.", display, "name"),
	}
}

func current(c *modules.Call) (string, bool) {
	to, err := c.Host.Readlink("/etc/alternatives/" + c.Str("name"))
	return to, err == nil
}

func showCurrent(_ context.Context, c *modules.Call) (value.Value, error) {
	if to, ok := current(c); ok {
		return value.Str(to), nil
	}
	c.Log("error", "alternative: "+c.Str("name")+" does not exist")
	return value.Bool(false), nil
}

// showLink reads the tool's own notes: the second line is the link.
func showLink(_ context.Context, c *modules.Call) (value.Value, error) {
	for _, dir := range []string{"/var/lib/dpkg/alternatives/", "/var/lib/alternatives/", "/var/lib/rpm/alternatives/"} {
		if text, err := c.ReadText(dir + c.Str("name")); err == nil {
			if lines := strings.Split(text, "\n"); len(lines) > 1 {
				return value.Str(lines[1]), nil
			}
		}
	}
	return value.Bool(false), nil
}

func checkInstalled(_ context.Context, c *modules.Call) (value.Value, error) {
	to, ok := current(c)
	return value.Bool(ok && to == c.Str("path")), nil
}

// shown asks update-alternatives, or alternatives where it is called so.
func shown(ctx context.Context, c *modules.Call) (string, bool) {
	name := "update-alternatives"
	if _, err := c.Host.LookPath(name); err != nil {
		name = "alternatives"
	}
	out, err := c.Host.Query(ctx, host.Cmd{Args: []string{name, "--display", c.Str("name")}, Env: []string{"LC_ALL=C"}})
	if err != nil || out.Code != 0 {
		return "", false
	}
	return strings.TrimSpace(string(out.Stdout)), true
}

func checkExists(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, ok := shown(ctx, c)
	for l := range strings.SplitSeq(text, "\n") {
		if ok && strings.HasPrefix(l, c.Str("path")) {
			return value.Bool(true), nil
		}
	}
	return value.Bool(false), nil
}

func display(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, _ := shown(ctx, c)
	return value.Str(text), nil
}
