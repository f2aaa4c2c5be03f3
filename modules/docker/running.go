package docker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Running keeps a container as the arguments say, and running.
type Running struct {
	Name        string      `arg:"name,required,word" doc:"The container."`
	Image       string      `arg:"image,required,word" doc:"The image; it is pulled where it is missing."`
	Force       bool        `arg:"force" doc:"Makes the container anew, in every run."`
	WatchAction string      `arg:"watch_action" default:"force" doc:"What a watch does: force makes the container anew, anything else is a signal that is sent."`
	Start       bool        `arg:"start" default:"true" doc:"Starts the container; else only a new one is started."`
	Shutdown    *int        `arg:"shutdown_timeout" doc:"How many seconds an old container may take to stop."`
	Networks    value.Value `arg:"networks" doc:"The networks that it is in, and no others: names, or names with aliases, links, ipv4_address and ipv6_address."`
	NoEffect    value.Value `arg:"client_timeout,text" alias:"skip_translate,ignore_collisions,validate_ip_addrs,detach,follow" doc:"No effect."`
	Options

	signal bool // a watch fired, and a signal is what it does
}

func runningSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_container.running",
		Doc: "Keeps a container of an image, with a configuration, running. One with another configuration is made anew. A " +
			"watch makes it anew, too.",
		Example: "web:\n  docker_container.running:\n    - image: app:1.0\n    - port_bindings: 8080:80\n    - binds: " +
			"/srv/app:/data:ro\n    - environment:\n      - MODE: production\n    - restart_policy: always",
		New: func() modules.StateFunc { return &Running{} }, AnyArgs: true,
	}
}

// Validate finds options that mean nothing.
func (r *Running) Validate() []modules.Fault {
	out := r.Options.validate()
	if _, err := parseNetworks(r.Networks); err != nil {
		out = append(out, modules.Fault{Arg: "networks", Msg: "networks " + err.Error()})
	}
	return out
}

// ModWatch makes the container anew, or sends it a signal.
func (r *Running) ModWatch() modules.StateFunc {
	again := *r
	again.Force = r.WatchAction == "force"
	again.signal = !again.Force
	return &again
}

// A plan is what there is and what there is to be.
type plan struct {
	c       *client
	wish    *wish
	nets    []joined
	now     *value.Dict // nil: there is no such container
	imageID string      // "" where the image is missing
}

func (r *Running) plan(ctx context.Context, env *modules.Env, h host.Host) (*plan, error) {
	c, err := connect(env, h)
	if err != nil {
		return nil, err
	}
	p := &plan{c: c, wish: &wish{}}
	if p.wish.settings, err = r.settings(); err != nil {
		return nil, err
	}
	p.wish.complete()
	if p.nets, err = parseNetworks(r.Networks); err != nil {
		return nil, err
	}
	if err := r.networksThere(ctx, c, p.nets); err != nil {
		return nil, err
	}
	if p.now, err = c.container(ctx, r.Name); err != nil {
		return nil, err
	}
	if p.wish.image, err = c.image(ctx, r.Image); err == nil {
		p.imageID = text(p.wish.image, "Id")
	}
	return p, err
}

// Act makes, replaces, connects, signals or starts the container.
func (r *Running) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	p, err := r.plan(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	made := promised(h, "image "+r.Image) != ""
	switch then := promised(h, "container "+r.Name); {
	case then == "absent":
		p.now = nil
	case then != "", p.now != nil && made:
		return state.Effect{}, pending("the container "+r.Name, "what comes before docker_container.running "+r.Name)
	}
	if p.now == nil || r.Force || text(p.now, "Image") != p.imageID {
		return r.remake(ctx, env, h, p, nil)
	}
	diff := p.wish.differs(p.now)
	if err := p.c.discarded(ctx, diff); err != nil {
		return state.Effect{}, err
	}
	if diff.Len() > 0 {
		return r.remake(ctx, env, h, p, diff)
	}
	return r.adjust(ctx, h, p)
}

// remake makes the container, in the place of one that is there.
func (r *Running) remake(ctx context.Context, env *modules.Env, h host.Host, p *plan,
	diff *value.Dict) (state.Effect, error) {
	e := state.Effect{Changes: value.NewDict(3), Foretold: value.NewDict(2), Once: r.Force || r.signal}
	old := text(p.now, "Image")
	switch {
	case diff != nil:
		e.Foretold.SetStr("container", diff)
		e.Changes.SetStr("container", diff)
	case r.Force:
		e.Foretold.SetStr("forced_update", value.Bool(true))
	default:
		e.Foretold.SetStr("image", value.DictOf("old", orEmpty(old), "new", orEmpty(p.imageID)))
	}
	verb := "created"
	if p.now != nil {
		verb = "replaced"
	}
	e.Preview = fmt.Sprintf("Container '%s' would be %s", r.Name, verb)
	then := "running"
	if !r.Start && p.now != nil {
		then = "stopped"
	}
	e.Pending = true
	return done(&e, deed(ctx, h, "make", "container "+r.Name, then, func(ctx context.Context) (err error) {
		e.Comment, err = r.make(ctx, env, p, e.Changes)
		return err
	}))
}

func orEmpty(text string) value.Value {
	if text == "" {
		return value.None
	}
	return value.Str(text)
}

// done is the effect as the deed left it; what failed has only the changes that were made.
func done(e *state.Effect, err error) (state.Effect, error) {
	if err != nil {
		e.Foretold = nil
	}
	return *e, err
}

// make does it: the new container is made beside the old one, which goes when that has succeeded.
func (r *Running) make(ctx context.Context, env *modules.Env, p *plan, changes *value.Dict) (string, error) {
	var said []string
	if p.imageID == "" {
		env.Progress("pull " + r.Image)
		if err := p.c.pull(ctx, r.Image); err != nil {
			return "", fmt.Errorf("Failed to pull %s: %w", r.Image, err) //nolint:staticcheck // Salt's words
		}
		image, err := p.c.image(ctx, r.Image)
		if err != nil || image == nil {
			return "", errors.Join(err, fmt.Errorf("Image '%s' not present despite a docker pull raising no errors", r.Image)) //nolint:staticcheck // as above
		}
		p.imageID = text(image, "Id")
	}
	name := r.Name
	if p.now != nil {
		name += "-gostate-new"
		_ = p.c.remove(ctx, name, true) // what a killed run left
	}
	id, err := r.create(ctx, p, name)
	if err != nil {
		return "", err
	}
	ids := value.DictOf("added", value.Str(id))
	before := value.Value(value.None)
	if p.now != nil {
		before = value.Str(stateOf(p.now))
		if err := r.replace(ctx, p, id); err != nil {
			return "", errors.Join(err, p.c.remove(ctx, id, true))
		}
		ids.SetStr("removed", value.NewList(value.Str(text(p.now, "Id"))))
		said = append(said, fmt.Sprintf("Replaced container '%s'", r.Name))
	} else {
		said = append(said, fmt.Sprintf("Created container '%s'", r.Name))
	}
	changes.SetStr("container_id", ids)
	if old := text(p.now, "Image"); p.now != nil && old != p.imageID {
		said = append(said, "Container has a new image")
		changes.SetStr("image", value.DictOf("old", value.Str(old), "new", value.Str(p.imageID)))
	}
	if p.now == nil || r.Start {
		if err := p.c.start(ctx, r.Name); err != nil {
			return sentence(said), fmt.Errorf("Failed to start container '%s': '%w'", r.Name, err) //nolint:staticcheck // Salt's words
		}
	}
	return r.ended(ctx, p, said, before, changes)
}

// ended looks what the container does.
func (r *Running) ended(ctx context.Context, p *plan, said []string, before value.Value,
	changes *value.Dict) (string, error) {
	now, err := p.c.container(ctx, r.Name)
	if err != nil {
		return sentence(said), err
	}
	after := value.Str(stateOf(now))
	if !value.Equal(before, after) {
		changes.SetStr("state", value.DictOf("old", before, "new", after))
		if before != value.Value(value.None) {
			said = append(said, fmt.Sprintf("State changed from '%s' to '%s'", value.String(before), after))
		}
	}
	if after != "running" && r.Start {
		return "", errors.New(sentence(append(said, "Container is not running")))
	}
	return sentence(said), nil
}

func (r *Running) create(ctx context.Context, p *plan, name string) (string, error) {
	v, err := p.c.call(ctx, http.MethodPost, "/containers/create?name="+url.QueryEscape(name), p.wish.body(r.Image))
	if err != nil {
		return "", err
	}
	d, _ := v.(*value.Dict)
	id := text(d, "Id")
	if r.Networks == nil {
		return id, nil
	}
	made, err := p.c.container(ctx, id)
	if err != nil {
		return id, err
	}
	connect, leave, _ := netChanges(made, p.nets)
	if err := p.c.connect(ctx, id, connect, leave); err != nil {
		return "", errors.Join(err, p.c.remove(ctx, id, true))
	}
	return id, nil
}

// replace takes the old container away and gives the new one its name.
func (r *Running) replace(ctx context.Context, p *plan, id string) error {
	old := text(p.now, "Id")
	if stateOf(p.now) != "stopped" {
		if err := p.c.stop(ctx, old, r.Shutdown); err != nil {
			return err
		}
	}
	if err := p.c.remove(ctx, old, false); err != nil && !missing(err) { // auto_remove
		return err
	}
	_, err := p.c.call(ctx, http.MethodPost, "/containers/"+id+"/rename?name="+url.QueryEscape(r.Name), nil)
	return err
}

// adjust connects, signals and starts a container that is as it is to be.
func (r *Running) adjust(ctx context.Context, h host.Host, p *plan) (state.Effect, error) {
	id, was := text(p.now, "Id"), stateOf(p.now)
	e := state.Settled(fmt.Sprintf("Container '%s' is already configured as specified", r.Name))
	said := []string{e.Comment}
	var connect []joined
	var leave []string
	if r.Networks != nil {
		var nets *value.Dict
		if connect, leave, nets = netChanges(p.now, p.nets); nets.Len() > 0 {
			e.Changes.SetStr("container", value.DictOf("Networks", nets))
			e.Preview = sentence(append(said, "Network configuration would be updated"))
			for _, n := range connect {
				said = append(said, fmt.Sprintf("Connected to network '%s'", n.name))
			}
		}
	}
	if r.signal {
		e.Changes.SetStr("signal", value.Str(r.WatchAction))
		e.Once, e.Preview = true, fmt.Sprintf("Signal %s would be sent to container", r.WatchAction)
		said = []string{fmt.Sprintf("Sent signal %s to container", r.WatchAction)}
	}
	start := r.Start && was != "running"
	if start {
		e.Preview = sentence(append(said, "Container would be started"))
		e.Changes.SetStr("state", value.DictOf("old", value.Str(was), "new", value.Str("running")))
		said = append(said, fmt.Sprintf("State changed from '%s' to 'running'", was))
	}
	if e.Comment = sentence(said); !e.Alters() {
		return e, nil
	}
	then := was
	if start {
		then = "running"
	}
	return e, deed(ctx, h, "adjust", "container "+r.Name, then, func(ctx context.Context) error {
		err := p.c.connect(ctx, id, connect, leave)
		if err == nil && r.signal {
			_, err = p.c.call(ctx, http.MethodPost, "/containers/"+id+"/kill?signal="+url.QueryEscape(r.WatchAction), nil)
		}
		if err == nil && start {
			if was == "paused" {
				_, err = p.c.call(ctx, http.MethodPost, "/containers/"+id+"/unpause", nil)
			} else {
				err = p.c.start(ctx, id)
			}
		}
		if err == nil && start {
			_, err = r.ended(ctx, p, nil, value.Str("running"), value.NewDict(0))
		}
		return err
	})
}
