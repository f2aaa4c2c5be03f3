package docker

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Volume keeps a volume there.
type Volume struct {
	Name   string      `arg:"name,required,word" doc:"The volume."`
	Driver string      `arg:"driver,word" doc:"What makes it."`
	Opts   value.Value `arg:"driver_opts,text" doc:"Options of the driver."`
	Force  bool        `arg:"force" doc:"Replaces a volume of another driver: what it holds is lost."`
}

func volumeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_volume.present", Doc: "Keeps a volume there.", Example: "data:\n  docker_volume.present:\n    - " +
			"driver: local",
		New: func() modules.StateFunc { return &Volume{} },
	}
}

// Validate finds options that are none.
func (v *Volume) Validate() []modules.Fault {
	if v.Opts != nil {
		if _, err := dict(v.Opts, "="); err != nil {
			return []modules.Fault{{Arg: "driver_opts", Msg: "driver_opts " + err.Error()}}
		}
	}
	return nil
}

func (c *client) volume(ctx context.Context, name string) (*value.Dict, error) {
	return c.get(ctx, "/volumes/"+url.PathEscape(name))
}

// Act makes the volume.
func (v *Volume) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	now, err := c.volume(ctx, v.Name)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.NewDict(2), Foretold: value.NewDict(0), Pending: true,
		Preview: fmt.Sprintf("The volume '%s' will be created", v.Name)}
	driver := text(now, "Driver")
	switch then := promised(h, "volume "+v.Name); {
	case then == "present":
		return state.Settled(fmt.Sprintf("Volume '%s' already exists.", v.Name)), nil
	case then == "absent" || now == nil:
		now = nil
	case v.Driver == "" || v.Driver == driver:
		return state.Settled(fmt.Sprintf("Volume '%s' already exists.", v.Name)), nil
	case !v.Force:
		return state.Effect{}, fmt.Errorf("Driver for existing volume '%s' ('%s') does not match specified driver ('%s') and force is False", v.Name, driver, v.Driver) //nolint:staticcheck // Salt's words
	default:
		e.Preview = fmt.Sprintf("The volume '%s' will be replaced with a new one using the driver '%s'", v.Name, v.Driver)
	}
	return done(&e, deed(ctx, h, "make", "volume "+v.Name, "present", func(ctx context.Context) error {
		if now != nil {
			if err := c.dropVolume(ctx, v.Name); err != nil {
				return err
			}
			e.Changes.SetStr("removed", value.Bool(true))
		}
		body := value.DictOf("Name", value.Str(v.Name))
		if v.Driver != "" {
			body.SetStr("Driver", value.Str(v.Driver))
		}
		if v.Opts != nil {
			opts, _ := dict(v.Opts, "=")
			body.SetStr("DriverOpts", opts)
		}
		made, err := c.call(ctx, http.MethodPost, "/volumes/create", body)
		if err != nil {
			return fmt.Errorf("Failed to create volume '%s': %w", v.Name, err) //nolint:staticcheck // Salt's words
		}
		e.Changes.SetStr("created", made)
		return nil
	}))
}

func (c *client) dropVolume(ctx context.Context, name string) error {
	if _, err := c.call(ctx, http.MethodDelete, "/volumes/"+url.PathEscape(name), nil); err != nil {
		return fmt.Errorf("Failed to remove volume '%s': %w", name, err) //nolint:staticcheck // Salt's words
	}
	return nil
}
