package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Image keeps an image there.
type Image struct {
	Name       string      `arg:"name,required,word" doc:"The image, with its tag unless tag is given."`
	Tag        string      `arg:"tag,word" doc:"The tag."`
	Build      string      `arg:"build,path" doc:"The folder on the machine that it is built of."`
	Dockerfile string      `arg:"dockerfile,path" doc:"The Dockerfile in that folder, where it has another name."`
	Load       string      `arg:"load,path" doc:"The file on the machine, or salt://, that docker save wrote."`
	SLS        value.Value `arg:"sls,text" alias:"base,saltenv,pillarenv,pillar" doc:"Refused: gostate builds no image by a run in a container."`
	Force      bool        `arg:"force" doc:"Pulls, builds or loads it in every run."`
	NoEffect   value.Value `arg:"client_timeout,text" alias:"insecure_registry,kwargs" doc:"No effect."`
}

func imageSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "docker_image.present",
		Doc:     "Keeps an image there: pulls it, builds it or loads it where it is missing. A watch does so again.",
		Example: "app:\n  docker_image.present:\n    - tag: '1.0'\n    - load: /srv/images/app.tar",
		New:     func() modules.StateFunc { return &Image{} }, AnyArgs: true,
	}
}

// Validate finds images that are made in two ways, and those without a tag.
func (i *Image) Validate() (out []modules.Fault) {
	switch {
	case i.SLS != nil:
		out = append(out, modules.Fault{Arg: "sls", Msg: "gostate builds no image by a run in a container",
			Hint: "use build, with a Dockerfile"})
	case i.Build != "" && i.Load != "":
		out = append(out, modules.Fault{Arg: "build", Msg: "Only one of 'build', 'load', or 'sls' is permitted."})
	case i.Build+i.Load != "" && i.Tag == "":
		out = append(out, modules.Fault{Arg: "tag", Msg: "The 'tag' argument is required if any one of 'build', 'load', or " +
			"'sls' is used."})
	}
	return out
}

// ModWatch makes the image again.
// Salt differs: it also builds by SLS, with Salt in a container.
func (i *Image) ModWatch() modules.StateFunc {
	again := *i
	again.Force = true
	return &again
}

func (i *Image) full() string {
	if i.Tag != "" {
		return i.Name + ":" + i.Tag
	}
	return i.Name
}

// Act makes the image.
func (i *Image) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	now, err := c.image(ctx, i.full())
	if err != nil {
		return state.Effect{}, err
	}
	there := now != nil && promised(h, "image "+i.full()) != "absent" || promised(h, "image "+i.full()) == "present"
	if there && !i.Force {
		return state.Settled(fmt.Sprintf("Image %s already present", i.full())), nil
	}
	if i.Build != "" {
		if _, err := h.Stat(i.Build); err != nil {
			return state.Effect{}, fmt.Errorf("build %s: %w", i.full(), err)
		}
	}
	action := map[bool]string{true: "pulled", false: "loaded"}[i.Load == ""]
	if i.Build != "" {
		action = "built"
	}
	e := state.Effect{Changes: value.NewDict(1), Foretold: value.NewDict(0), Pending: true, Once: i.Force,
		Preview: fmt.Sprintf("Image %s will be %s", i.full(), action)}
	return done(&e, deed(ctx, h, "make", "image "+i.full(), "present", func(ctx context.Context) error {
		env.Progress(action + " " + i.full())
		if err := i.make(ctx, env, h, c); err != nil {
			return fmt.Errorf("Encountered error %s %s: %w", map[string]string{"pulled": "pulling", "loaded": "loading", "built": "building"}[action], i.full(), err) //nolint:staticcheck // Salt's words
		}
		made, err := c.image(ctx, i.full())
		if err != nil || made == nil {
			return errors.Join(err, fmt.Errorf("image %s is not there after it was %s", i.full(), action))
		}
		e.Comment = fmt.Sprintf("Image '%s' was %s, but there were no changes", i.Name, action)
		if text(made, "Id") != text(now, "Id") {
			e.Comment = fmt.Sprintf("Image '%s' was %s", i.full(), action)
			e.Changes.SetStr("Id", value.Str(text(made, "Id")))
			e.Changes.SetStr("Image", value.Str(i.full()))
		}
		return nil
	}))
}

func (i *Image) make(ctx context.Context, env *modules.Env, h host.Host, c *client) error {
	switch {
	case i.Build != "":
		return c.build(ctx, h, i.Build, i.Dockerfile, i.full())
	case i.Load != "":
		return i.load(ctx, env, h, c)
	}
	return c.pull(ctx, i.full())
}

// load loads a file of docker save, and tags the one image that it has.
func (i *Image) load(ctx context.Context, env *modules.Env, h host.Host, c *client) error {
	var in io.ReadCloser
	var err error
	if opener, ok := env.Files.(modules.Opener); ok && strings.Contains(i.Load, "://") {
		in, err = opener.Open(ctx, i.Load, env.Low.SourceEnv())
	} else {
		in, err = h.Open(i.Load)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	said, err := c.progress(ctx, "/images/load?quiet=1", in, "application/x-tar")
	if err != nil {
		return err
	}
	var loaded []string
	for _, line := range said {
		if _, name, ok := strings.Cut(strings.TrimSpace(line), "Loaded image"); ok {
			_, name, _ = strings.Cut(name, ": ")
			loaded = append(loaded, name)
		}
	}
	if len(loaded) != 1 {
		return fmt.Errorf("the file has %d images, of which none was tagged", len(loaded))
	}
	_, err = c.call(ctx, http.MethodPost, imagePath(loaded[0])+"/tag?"+url.Values{"repo": {i.Name},
		"tag": {i.Tag}}.Encode(), nil)
	return err
}

// pull fetches an image.
func (c *client) pull(ctx context.Context, name string) error {
	if !strings.Contains(path.Base(name), ":") && !strings.Contains(name, "@") {
		name += ":latest"
	}
	_, err := c.progress(ctx, "/images/create?fromImage="+url.QueryEscape(name), nil, "")
	return err
}

// build builds an image of a folder.
func (c *client) build(ctx context.Context, h host.Reader, dir, dockerfile, tag string) error {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := pack(w, h, dir, ""); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	q := url.Values{"t": {tag}, "rm": {"1"}}
	if dockerfile != "" {
		q.Set("dockerfile", dockerfile)
	}
	_, err := c.progress(ctx, "/build?"+q.Encode(), &b, "application/x-tar")
	return err
}

// pack writes the files of a folder, relative to it.
func pack(w *tar.Writer, h host.Reader, dir, below string) error {
	infos, err := h.ReadDir(path.Join(dir, below))
	if err != nil {
		return err
	}
	for _, i := range infos {
		name := path.Join(below, i.Path)
		head := &tar.Header{Name: name, Mode: int64(i.Perm()), ModTime: i.MTime}
		var data []byte
		switch {
		case i.IsDir():
			head.Typeflag, head.Name = tar.TypeDir, name+"/"
		case i.IsSymlink():
			head.Typeflag = tar.TypeSymlink
			head.Linkname, err = h.Readlink(path.Join(dir, name))
		case i.IsRegular():
			data, err = h.ReadFile(path.Join(dir, name))
			head.Typeflag, head.Size = tar.TypeReg, int64(len(data))
		default:
			continue
		}
		if err == nil {
			err = w.WriteHeader(head)
		}
		if err == nil {
			_, err = w.Write(data)
		}
		if err == nil && i.IsDir() {
			err = pack(w, h, dir, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// progress sends what takes long and gives what the daemon said meanwhile, line by line; it says in the end whether it
// failed.
func (c *client) progress(ctx context.Context, path string, body io.Reader, kind string) (said []string, err error) {
	answer, err := c.stream(ctx, http.MethodPost, path, body, kind)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	raw, err := io.ReadAll(io.LimitReader(answer, maxAnswer))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(raw)) {
		v, err := value.ParseJSON(strings.TrimSpace(line))
		d, ok := v.(*value.Dict)
		if err != nil || !ok {
			continue
		}
		if why := text(d, "error"); why != "" {
			return said, errors.New(why)
		}
		for _, key := range []string{"stream", "status"} {
			if t := text(d, key); t != "" {
				said = append(said, t)
			}
		}
	}
	return said, nil
}
