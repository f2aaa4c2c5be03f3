package file

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func patchExec() []modules.ExecSpec {
	return modules.Writing(spec("patch", "originalfile:path patchfile:path options= dry_run=False",
		"Applies a patch with the patch command; what it left, as cmd.run_all shows it.", patchFile))
}

// patchFile runs patch with the options that keep it from asking and from leaving files of rejects.
func patchFile(ctx context.Context, c *modules.Call) (value.Value, error) {
	if _, err := c.Host.LookPath("patch"); err != nil {
		return nil, wrong(err)
	}
	words, err := modules.Words(c.Str("options"))
	if err != nil {
		return nil, value.Raise("ValueError", "%v", err)
	}
	given := func(beginnings ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(w, b) })
		})
	}
	words = append([]string{"patch"}, words...)
	if c.Bool("dry_run") {
		words = append(words, "--dry-run")
	}
	if !slices.Contains(words, "-N") && !slices.Contains(words, "--forward") {
		words = append(words, "--forward")
	}
	if !given("-r", "--reject-file") {
		words = append(words, "--reject-file=-")
	}
	words = append(words, "-i", pathArg(c, "patchfile"))
	switch name := pathArg(c, "originalfile"); {
	case !isDir(c.Host, name):
		words = append(words, "--", name)
	case given("-p", "--strip="):
		words = append(words, "-d", name)
	default:
		words = append(words, "-d", name, "--strip=0")
	}
	run := c.Outright
	if c.Bool("dry_run") {
		run = c.Ask
	}
	out, err := run(ctx, words...)
	if err != nil {
		return nil, err
	}
	return modules.Ran(out), nil
}
