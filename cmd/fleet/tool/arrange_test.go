package tool

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestArrange(t *testing.T) {
	app := &cli.App{Commands: []*cli.Command{{Name: "fleet", Subcommands: []*cli.Command{{Name: "nodes",
		Flags: []cli.Flag{&cli.StringFlag{Name: "out", Aliases: []string{"o"}}, &cli.BoolFlag{Name: "all"}}}}}}}
	for in, want := range map[string]string{
		"hub":                                 "hub",
		"hub fleet":                           "hub fleet",
		"hub other x --out y":                 "hub other x --out y",
		"hub fleet nodes web* --out json":     "hub fleet nodes --out json -- web*",
		"hub fleet nodes --all web* -o json":  "hub fleet nodes --all -o json -- web*",
		"hub fleet nodes web* --out=json":     "hub fleet nodes --out=json -- web*",
		"hub fleet nodes web* --what x":       "hub fleet nodes --what -- web* x",
		"hub fleet nodes web* -- --out x":     "hub fleet nodes -- web* --out x",
		"hub fleet nodes --out json":          "hub fleet nodes --out json",
		"hub fleet nodes web1 --out":          "hub fleet nodes --out -- web1",
		"hub fleet nodes -":                   "hub fleet nodes -- -",
		"hub fleet nodes web1 web2 --all --o": "hub fleet nodes --all --o -- web1 web2",
	} {
		if got := strings.Join(Arrange(app, strings.Fields(in)), " "); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
