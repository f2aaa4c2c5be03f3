// Package jinja is the execution functions that show what the map files of a formula come to.
package jinja

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "jinja", Execs: execs()} }

func execs() []modules.ExecSpec {
	imported := func(tag string) func(c *modules.Call) string {
		return func(c *modules.Call) string {
			return fmt.Sprintf("{%% %s %q as imported %%}\n{{ imported | tojson }}\n", tag, c.Str("path"))
		}
	}
	return []modules.ExecSpec{
		modules.NewExec("jinja.load_map", "load_map(path, value): a variable that a map file sets, as data.", rendering(func(c *modules.Call) string {
			return fmt.Sprintf("{%% from %q import %s with context %%}\n{{ %[2]s | tojson }}\n", c.Str("path"), c.Str("value"))
		}), "path", "value"),
		modules.NewExec("jinja.import_yaml", "import_yaml(path): what the tag import_yaml makes of a file.", rendering(imported("import_yaml")), "path"),
		modules.NewExec("jinja.import_json", "import_json(path): what the tag import_json makes of a file.", rendering(imported("import_json")), "path"),
	}
}

// place is what an imported file knows of itself.
func place(file string) *value.Dict {
	dir := path.Dir(file)
	return value.DictOf("tplpath", value.Str(file), "tplfile", value.Str(file), "tpldir", value.Str(dir), "tpldot", value.Str(strings.ReplaceAll(dir, "/", ".")))
}

// rendering gives the data that a template comes to, which it writes as JSON.
func rendering(template func(c *modules.Call) string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		out, err := c.Templates.Render(ctx, "jinja", "jinja", []byte(template(c)), "", c.ChosenEnv(), place(c.Str("path")))
		if err != nil {
			return nil, err
		}
		return value.ParseJSON(string(out))
	}
}
