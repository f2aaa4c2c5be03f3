package jinja_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

// templateCase is one recorded template with what CPython's Jinja makes of it.
type templateCase struct {
	ID, Cat, Src      string
	Strict            *bool
	Trim, Lstrip      bool
	Keep              bool
	Line, LineComment string
	Want              struct {
		OK       bool
		Out      string
		Err, Msg string
		Line     int
	}
}

type corpus struct {
	Context   json.RawMessage
	Templates map[string]string
	Cases     []templateCase
}

func readCorpus(t testing.TB, path string) corpus {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c corpus
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// mapLoader finds templates in a map.
type mapLoader map[string]string

func (m mapLoader) Load(_ context.Context, name, _ string) (*jinja.Source, error) {
	text, ok := m[name]
	if !ok {
		return nil, &jinja.TemplateNotFound{Name: name}
	}
	return &jinja.Source{Name: name, File: name, Text: []byte(text)}, nil
}

// render renders a case in a fresh environment and context.
func render(t testing.TB, c corpus, tc templateCase) (string, error) {
	t.Helper()
	cfg := jinja.Config{TrimBlocks: tc.Trim, LstripBlocks: tc.Lstrip, KeepTrailingNewline: tc.Keep,
		LineStatementPrefix: tc.Line, LineCommentPrefix: tc.LineComment}
	if tc.Strict != nil && !*tc.Strict {
		cfg.Undefined = jinja.Lenient
	}
	env := jinja.New(cfg)
	env.Loader = mapLoader(c.Templates)
	vars, err := value.ParseJSON(string(c.Context))
	if err != nil {
		t.Fatal(err)
	}
	dict := vars.(*value.Dict)
	env.AddGlobal("salt", saltStub{dict})
	tmpl, err := env.Parse("", "case", []byte(tc.Src))
	if err != nil {
		return "", err
	}
	out, err := tmpl.Render(t.Context(), dict)
	if err != nil {
		return "", err
	}
	return out.Text, nil
}

// check compares with what was recorded, and says whether an error had the recorded words.
func check(tc templateCase, got string, err error) (problem string, sameWords bool) {
	chomp := func(s string) string { return strings.TrimSuffix(s, "\n") }
	if tc.Want.OK {
		if err != nil {
			return fmt.Sprintf("error %v, want %q", err, tc.Want.Out), false
		}
		if chomp(got) != chomp(tc.Want.Out) {
			return fmt.Sprintf("got  %q\nwant %q", got, tc.Want.Out), false
		}
		return "", false
	}
	if err == nil {
		return fmt.Sprintf("got %q, want %s: %s", got, tc.Want.Err, tc.Want.Msg), false
	}
	var je *jinja.Error
	if !errors.As(err, &je) {
		return fmt.Sprintf("error of type %T: %v", err, err), false
	}
	line := je.Line == tc.Want.Line || tc.Want.Line == 0
	for _, f := range je.Stack {
		line = line || f.Line == tc.Want.Line
	}
	if !line {
		return fmt.Sprintf("line %d, want %d (%s)", je.Line, tc.Want.Line, je.Msg), false
	}
	return "", je.Msg == tc.Want.Msg && je.Class == tc.Want.Err
}

func runCorpus(t *testing.T, path string, minWords float64) {
	c := readCorpus(t, path)
	words, failures := 0, 0
	for _, tc := range c.Cases {
		if !tc.Want.OK {
			failures++
		}
		t.Run(tc.ID, func(t *testing.T) {
			got, err := render(t, c, tc)
			problem, same := check(tc, got, err)
			if problem != "" {
				t.Errorf("%q\n%s", tc.Src, problem)
			}
			if same {
				words++
				return
			}
			var je *jinja.Error
			if !tc.Want.OK && errors.As(err, &je) {
				t.Logf("words: %q\ngot  %s: %s\nwant %s: %s", tc.Src, je.Class, je.Msg, tc.Want.Err, tc.Want.Msg)
			}
		})
	}
	if float64(words) < minWords*float64(failures) {
		t.Errorf("%d of %d errors in the same words, want %.0f %%", words, failures, 100*minWords)
	}
	t.Logf("%d of %d errors in the same words", words, failures)
}

func TestConformance(t *testing.T) { runCorpus(t, "testdata/conformance.json", 1) }

// saltStub stands for what another package adds: a value whose items are functions.
type saltStub struct{ context *value.Dict }

func (saltStub) TypeName() string { return "Salt" }
func (saltStub) QualName() string { return "__main__.Salt" }

func (s saltStub) Item(key value.Value) (value.Value, bool) {
	switch key {
	case value.Value(value.Str("pillar.get")):
		return &value.Func{Name: "pillar.get", Fn: s.pillarGet}, true
	case value.Value(value.Str("grains.filter_by")):
		return &value.Func{Name: "grains.filter_by", Fn: s.filterBy}, true
	}
	return nil, false
}

func (s saltStub) pillarGet(_ context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
	pillar, _ := s.context.GetStr("pillar")
	if v, ok := value.Lookup(pillar, value.String(args[0]), ":"); ok {
		return v, nil
	}
	if len(args) > 1 {
		return args[1], nil
	}
	return value.Str(""), nil
}

func (s saltStub) filterBy(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	found, ok := value.Lookup(args[0], "Debian", ":")
	if !ok {
		return value.None, nil
	}
	out := found.(*value.Dict).Copy()
	if merge, ok := kwargs.GetStr("merge"); ok {
		if err := value.UpdateDict(out, merge); err != nil {
			return nil, err
		}
	}
	return out, nil
}
