// Package jinja is the execution functions that show what the map files of a formula come to.
package jinja

import (
	"context"
	"fmt"

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
		modules.NewExec("jinja.load_map", "load_map(path, value): a variable that a map file sets, as data.",
			rendering(func(c *modules.Call) string {
				return fmt.Sprintf("{%% from %q import %s with context %%}\n{{ %[2]s | tojson }}\n", c.Str("path"), c.Str("value"))
			}), "path", "value"),
		modules.NewExec("jinja.import_yaml", "import_yaml(path): what the tag import_yaml makes of a file.",
			rendering(imported("import_yaml")), "path"),
		modules.NewExec("jinja.import_json", "import_json(path): what the tag import_json makes of a file.",
			rendering(imported("import_json")), "path"),
	}
}

// place is what the template knows of itself: it is in no file, so that ./x means what lies beside the file that
// imports it.
func place() *value.Dict {
	return value.DictOf("tplfile", value.Str(""), "tpldir", value.Str("."), "tpldot", value.Str(""))
}

// rendering gives the data that a template comes to, which it writes as JSON.
func rendering(template func(c *modules.Call) string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		out, err := c.Templates.Render(ctx, "jinja", "jinja", []byte(template(c)), "", c.ChosenEnv(), place())
		if err != nil {
			return nil, err
		}
		return value.ParseJSON(string(out))
	}
}
