package draw

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// web is a plan as of a web server: n sites, each with files that the service watches.
func web(n int) []*state.Low {
	var low []*state.Low
	add := func(module, fn, id, sls string, reqs ...state.Requisite) {
		for i := range reqs {
			reqs[i].Pos = diag.Pos{File: "/srv/salt/web.sls", Line: 10*len(low) + i + 3, Col: 7}
		}
		low = append(low, &state.Low{ID: id, Name: id, Module: module, Func: fn, SLS: sls, Env: "base", Index: len(low),
			Reqs: reqs,
			Pos:  diag.Pos{File: "/srv/salt/web.sls", Line: 10*len(low) + 1, Col: 1}})
	}
	req := func(k state.Kind, module, target string) state.Requisite {
		return state.Requisite{Kind: k, To: state.Ref{Module: module, Target: target}}
	}
	add("pkg", "installed", "httpd", "web")
	add("user", "present", "www", "web", req(state.Require, "pkg", "httpd"))
	for i := range n {
		dir, conf := fmt.Sprintf("/srv/www/site-%02d", i), fmt.Sprintf("/etc/httpd/sites/site-%02d.conf", i)
		add("file", "directory", dir, "web.sites", req(state.Require, "user", "www"))
		add("file", "managed", conf, "web.sites", req(state.Require, "file", dir))
		add("cmd", "run", fmt.Sprintf("check-%02d", i), "web.sites", req(state.Onchanges, "file", conf))
	}
	add("service", "running", "httpd-service", "web", req(state.Require, "pkg", "httpd"),
		req(state.Watch, "file", "/etc/httpd/*"))
	add("cmd", "run", "announce", "web", req(state.Require, "sls", "web.sites"),
		req(state.Onfail, "service", "httpd-service"))
	add("test", "nop", "alone", "web")
	return low
}

func TestGraphFormats(t *testing.T) {
	p, diags := requisite.Resolve(web(5), requisite.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	g := Draw(p, Options{Order: true, Failed: func(l *state.Low) bool { return l.ID == "check-03" }})
	for format, wants := range map[string][]string{
		"dot": {"digraph states {", `s0 -> s1 [label="require"`, `label="watch"`, "style=dotted, color=gray", "mistyrose",
			"web.sites (15)"},
		"mermaid": {"flowchart LR", "s0 -->|require| s1", "-.->|onfail|", "class s13 failed"},
		"json":    {`"kind": "onchanges"`, `"kind": "order"`, `"__id__": "httpd"`, `"place": "/srv/salt/web.sls:1:1"`},
		"svg":     {"<svg ", "httpd-service", "order of the run", "/srv/salt/web.sls:", "#ffcdd2"},
	} {
		text, err := g.Format(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wants {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is missing in\n%s", format, w, text)
			}
		}
		switch format {
		case "json":
			if !json.Valid([]byte(text)) {
				t.Error("no valid JSON")
			}
		case "svg":
			wellFormed(t, text)
		}
		if again, _ := Draw(p, Options{Order: true, Failed: func(l *state.Low) bool { return l.ID == "check-03" }}).Format(format); again != text {
			t.Errorf("%s is not deterministic", format)
		}
	}
	if _, err := g.Format("png"); err == nil || !strings.Contains(err.Error(), "svg") {
		t.Errorf("unknown format: %v", err)
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPicture writes a picture to look at: GOSTATE_PICTURE=/tmp/x.svg go test -run Picture.
func TestPicture(t *testing.T) {
	for _, n := range []int{1, 32} {
		low := web(n)
		p, _ := requisite.Resolve(low, requisite.Options{})
		text := Draw(p, Options{Order: true}).SVG()
		wellFormed(t, text)
		if boxes := strings.Count(text, "<rect ") - 1; boxes < len(low) {
			t.Errorf("%d boxes for %d states", boxes, len(low))
		}
		if path := os.Getenv("GOSTATE_PICTURE"); path != "" && n == 32 {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestGraphOfCycle(t *testing.T) {
	low := web(1)
	low[0].Reqs = []state.Requisite{{Kind: state.Require, To: state.Ref{Module: "user", Target: "www"},
		Pos: diag.Pos{File: "/srv/salt/web.sls", Line: 2, Col: 5}}}
	p, diags := requisite.Resolve(low, requisite.Options{})
	if len(p.Cycles) != 1 || !diags.HasErrors() {
		t.Fatalf("cycles %v, %v", p.Cycles, diags.All)
	}
	g := Draw(p, Options{CyclesOnly: true})
	if len(g.Nodes) != 2 || len(g.Links) != 2 || !g.Links[0].Cyclic || !g.Links[1].Cyclic {
		t.Errorf("graph %+v", g)
	}
	wellFormed(t, g.SVG())
}
