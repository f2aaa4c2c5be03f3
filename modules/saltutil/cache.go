package saltutil

import (
	"context"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func cacheSpecs() []modules.ExecSpec {
	return modules.Writing(modules.NewExec("saltutil.clear_cache", "clear_cache(): removes the files below the option "+
		"cachedir; whether it could.", clearCache))
}

// clearCache leaves the directories. A cachedir that is / or right below it is no cache.
func clearCache(_ context.Context, c *modules.Call) (value.Value, error) {
	dir := path.Clean(c.CacheDir())
	if !path.IsAbs(dir) || strings.Count(dir, "/") < 2 {
		return nil, value.Raise("CommandExecutionError", "the cachedir %s holds more than a cache", dir)
	}
	return c.Answer(removeFiles(c.Host, dir))
}

func removeFiles(h host.Host, dir string) error {
	entries, err := h.ReadDir(dir)
	if err != nil {
		return nil // there is none
	}
	for _, i := range entries {
		name := path.Join(dir, i.Path)
		if i.IsDir() {
			err = removeFiles(h, name)
		} else {
			err = h.Remove(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
