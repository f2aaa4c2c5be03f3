package docker

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ImageAbsent keeps images away.
type ImageAbsent struct {
	Name   string   `arg:"name,required,word" doc:"The image."`
	Images []string `arg:"images,word" doc:"Several images."`
	Force  bool     `arg:"force" doc:"Also one that stopped containers use, or that has other tags."`
}

func imageAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_image.absent", Doc: "Keeps images away.", Example: "app:1.0:\n  docker_image.absent: []",
		New: func() modules.StateFunc { return &ImageAbsent{} },
	}
}

// Act removes them.
func (a *ImageAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	targets := a.Images
	if targets == nil {
		targets = []string{a.Name}
	}
	var gone, ids []string
	for _, t := range targets {
		d, err := c.image(ctx, t)
		if err != nil {
			return state.Effect{}, err
		}
		then := promised(h, "image "+t)
		if d != nil && then != "absent" || then == "present" {
			gone, ids = append(gone, tagOf(d, t)), append(ids, t)
		}
	}
	if gone == nil {
		if len(targets) == 1 {
			return state.Settled(fmt.Sprintf("Image %s is not present", targets[0])), nil
		}
		return state.Settled("All specified images are not present"), nil
	}
	return a.remove(ctx, h, c, gone, ids)
}

// tagOf is the first tag of an image.
func tagOf(d *value.Dict, name string) string {
	tags, _ := modules.Texts(orNone(at(d, "RepoTags")))
	if len(tags) > 0 && tags[0] != "" {
		return tags[0]
	}
	return name
}

func (a *ImageAbsent) remove(ctx context.Context, h host.Host, c *client, gone, ids []string) (state.Effect, error) {
	names := strings.Join(gone, ", ")
	e := state.Effect{Changes: value.NewDict(2), Foretold: value.NewDict(0), Pending: true,
		Comment: "The following images were removed: " + names, Preview: "The following images will be removed: " + names}
	if len(gone) == 1 {
		e.Comment, e.Preview = "Image "+names+" was removed", "Image "+names+" will be removed"
	}
	layers, tags := value.NewList(), value.NewList()
	for i, name := range ids {
		err := deed(ctx, h, "remove", "image "+name, "absent", func(ctx context.Context) error {
			v, err := c.call(ctx, http.MethodDelete, fmt.Sprintf("%s?force=%t", imagePath(name), a.Force), nil)
			if err != nil {
				return err
			}
			if l, ok := v.(*value.List); ok {
				for _, it := range l.Items {
					if d, ok := it.(*value.Dict); ok && text(d, "Deleted") != "" {
						layers.Items = append(layers.Items, value.Str(text(d, "Deleted")))
					}
				}
			}
			tags.Items = append(tags.Items, value.Str(gone[i]))
			return nil
		})
		if err != nil {
			return state.Effect{}, fmt.Errorf("None of the specified images were removed. The following errors were encountered: %w", err) //nolint:staticcheck // Salt's words
		}
	}
	if tags.Items != nil {
		e.Changes = value.DictOf("Layers", layers, "Tags", tags, "retcode", value.Int(0))
	}
	return e, nil
}
