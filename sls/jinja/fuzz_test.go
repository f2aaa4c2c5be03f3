package jinja_test

import (
	"context"
	"testing"
	"time"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

func seed(f *testing.F) corpus {
	c := readCorpus(f, "testdata/conformance.json")
	for _, tc := range c.Cases {
		f.Add(tc.Src, false)
		f.Add(tc.Src, true)
	}
	return c
}

// FuzzParse parses anything with and without the options that change how templates are read.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string, other bool) {
		cfg := jinja.Config{}
		if other {
			cfg = jinja.Config{TrimBlocks: true, LstripBlocks: true, LineStatementPrefix: "%", LineCommentPrefix: "##"}
		}
		start := time.Now()
		defer func() {
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("%d bytes took %v", len(src), d)
			}
		}()
		_, err := jinja.New(cfg).Parse("fuzz", "fuzz", []byte(src))
		if e, ok := err.(*jinja.Error); err != nil && (!ok || e.Line < 1) {
			t.Errorf("%T without a line: %v", err, err)
		}
	})
}

// FuzzRender runs anything within tight limits.
func FuzzRender(f *testing.F) {
	c := seed(f)
	f.Fuzz(func(t *testing.T, src string, lenient bool) {
		cfg := jinja.Config{Limits: jinja.Limits{Fuel: 20000, Depth: 30, Output: 1 << 20, Iterations: 5000}}
		if lenient {
			cfg.Undefined = jinja.Lenient
		}
		env := jinja.New(cfg)
		env.Loader = mapLoader(c.Templates)
		vars, err := value.ParseJSON(string(c.Context))
		if err != nil {
			t.Fatal(err)
		}
		tmpl, err := env.Parse("fuzz", "fuzz", []byte(src))
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		out, err := tmpl.Render(ctx, vars.(*value.Dict))
		switch e := err.(type) {
		case nil:
			if len(out.Text) > 1<<20 {
				t.Errorf("%d bytes", len(out.Text))
			}
		case *jinja.Error:
			if e.Line < 1 || e.Class == "SystemError" {
				t.Errorf("%s at line %d: %s", e.Class, e.Line, e.Msg)
			}
		default:
			t.Errorf("%T: %v", err, err)
		}
	})
}
