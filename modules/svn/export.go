package svn

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Export writes a tree without a working copy.
type Export struct {
	Tree
	Overwrite bool `arg:"overwrite" doc:"Replaces a file that is at the target, with force."`
}

func exportSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "svn.export",
		Doc: "Writes a tree of a repository without making it a working copy, in each run: the second one needs force, or " +
			"a condition such as creates.",
		Example: "https://svn.example.com/app/tags/1.0:\n  svn.export:\n    - target: /srv/app-1.0\n" +
			"    - creates: /srv/app-1.0",
		New: func() modules.StateFunc { return &Export{} },
	}
}

// Act exports.
//
// Salt differs: its test mode asks a target that is there for its list, which fails where it is no working copy.
func (x *Export) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	is, dir, err := x.there(h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case is && !dir && !x.Overwrite:
		return state.Effect{}, fmt.Errorf("The path \"%s\" exists and is not a directory.", //nolint:staticcheck // Salt's words
			x.Target)
	case is && !x.Force:
		return state.Effect{}, errors.New("svn: E155000: Destination exists; please remove it or use --force to overwrite: " +
			"'" + x.Target + "'")
	}
	info, err := x.ask(ctx, h, "/", "info", append(append([]string{"-r", cmp.Or(x.Rev, "HEAD")}, x.trusting()...), "--",
		x.Name)...)
	if err != nil {
		return state.Effect{}, err
	}
	if is && !dir && field(info, "Node Kind") == "directory" {
		return state.Effect{}, fmt.Errorf("svn: E155007: '%s' exists and is not a directory", x.Target)
	}
	e := state.Effect{Once: true, Foretold: value.NewDict(0),
		Changes: value.DictOf("new", value.Str(x.Name), "comment", value.Str(x.Name+" was Exported to "+x.Target)),
		Preview: x.Target + " doesn't exist and is set to be checked out."}
	if is {
		e.Preview = x.Target + " is set to be exported anew."
	}
	err = x.bring(ctx, h, "svn export", func(ctx context.Context) (err error) {
		above, name := x.place()
		words := append(append([]string{"-r", cmp.Or(x.Rev, "HEAD")}, x.options()...), "--", x.Name, name)
		e.Comment, err = x.do(ctx, h, above, "export", words...)
		return err
	})
	return state.Done(e, err)
}
