package draw

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

func TestExplain(t *testing.T) {
	low := web(1)
	// announce comes first in the files and pulls the others forward.
	low = append([]*state.Low{low[6]}, append(low[:6:6], low[7:]...)...)
	for i := range low {
		low[i].Index = i
	}
	low[6].SetOpts().Onlyif = []state.Condition{{Command: "test -e /etc/httpd",
		Pos: diag.Pos{File: "/srv/salt/web.sls", Line: 60, Col: 9}}}
	p, diags := requisite.Resolve(low, requisite.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	got, err := Explain(p, "service: httpd-service")
	if err != nil {
		t.Fatal(err)
	}
	want := `service: httpd-service (service.running), SLS web   [/srv/salt/web.sls:51:1]
runs as number 6 of 8
  its place in the files gives it the order 0
  in the low state it is number 7; it runs now because number 7 needs it first:
  cmd: announce has onfail: service: httpd-service   [/srv/salt/web.sls:64:7]
waits for
  require: pkg: httpd, that is pkg: httpd number 1   [/srv/salt/web.sls:53:7]
  watch: file: /etc/httpd/*, that is file: /etc/httpd/sites/site-00.conf number 4   [/srv/salt/web.sls:54:7]
is triggered or held back
  require: fails if one of them fails   [/srv/salt/web.sls:53:7]
  watch: fails if one of them fails; if one changes and it makes no change itself, its mod_watch is called   [/srv/salt/web.sls:54:7]
has conditions
  onlyif: runs only if 'test -e /etc/httpd' succeeds   [/srv/salt/web.sls:60:9]
is needed by
  cmd: announce, number 7: onfail: service: httpd-service   [/srv/salt/web.sls:64:7]
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := Explain(p, "httpd-servise"); err == nil || !strings.Contains(err.Error(), "httpd-servise") {
		t.Errorf("unknown: %v", err)
	}
}
