package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/gostate/gostate/cmd/fleet/bus/bustest"
	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/internal/agent"
)

// noon is when all of the tests are: before any clock that they may meet.
var noon = time.Date(2024, 11, 22, 12, 0, 0, 0, time.UTC)

// reportOf is one of a machine, as its agent sends it.
func reportOf(t *testing.T, node string, n int, change func(*agent.Report)) agent.Delivery {
	t.Helper()
	at := noon.Add(time.Duration(n) * time.Minute)
	r := &agent.Report{Format: 1, Node: node, Run: at.Format("20060102T150405.000Z"), Env: "prod", Why: "schedule",
		Status: agent.OK, Started: at, Seconds: 1.5, Newest: 5, Version: "1.0.0",
		Applied: &agent.Applied{Sequence: 5, Counts: agent.Counts{Total: 3, Unchanged: 3}}}
	if change != nil {
		change(r)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return agent.Delivery{Node: node, Run: r.Run, Data: data}
}

func fails(r *agent.Report) {
	r.Status = agent.Failed
	r.Applied.Counts = agent.Counts{Total: 3, Failed: 2, Changed: 1}
	r.Applied.States = []json.RawMessage{
		[]byte(`{"tag": "cmd_|-bad_|-false_|-run", "__id__": "bad", "__sls__": "web", "comment": "it \u0000 fails", "result": false}`),
		[]byte(`{"tag": "file_|-x_|-x_|-managed", "__id__": "x", "comment": "updated", "result": true, "changes": {"a": 1}}`)}
}

// A keeper is a sink that remembers.
type keeper struct {
	got  []string
	fail int // so many times
}

func (k *keeper) Put(_ context.Context, entries []operate.Entry) error {
	if k.fail > 0 {
		k.fail--
		return errors.New("the database is gone")
	}
	for _, e := range entries {
		k.got = append(k.got, e.Node+"/"+e.Run[9:13])
	}
	return nil
}

// pump moves all that is there, and gives what was complained of.
func pump(t *testing.T, f Feed, s Sink) (int, []string) {
	t.Helper()
	var said []string
	n, err := Pump{Feed: f, Sink: s, Once: true, Complain: func(err error) {
		said = append(said,
			err.Error())
	}}.Run(t.Context())
	if err != nil {
		said = append(said, "ended: "+err.Error())
	}
	return n, said
}

// TestFeeds: what every feed does: each report comes once where it is done, and again where it is not.
func TestFeeds(t *testing.T) {
	for name, make := range map[string]func(t *testing.T) (agent.Sink, func() Feed){
		"directory": func(t *testing.T) (agent.Sink, func() Feed) {
			dir, cursor := t.TempDir(), filepath.Join(t.TempDir(), "cursor")
			return agent.DirSink{Path: dir}, func() Feed { return &DirFeed{Dir: operate.Dir{Path: dir}, Cursor: cursor} }
		},
		"hub": func(t *testing.T) (agent.Sink, func() Feed) {
			b := bustest.Start(t).Operator()
			return b, func() Feed {
				f, err := OpenHub(t.Context(), b, "test")
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			to, open := make(t)
			put := func(d agent.Delivery) {
				t.Helper()
				if err := to.Deliver(t.Context(), d); err != nil {
					t.Fatal(err)
				}
			}
			put(reportOf(t, "web1", 1, nil))
			put(reportOf(t, "web1", 3, nil))
			put(reportOf(t, "db1", 1, nil))
			k := &keeper{fail: 1}
			f := open()
			if n, said := pump(t, f, k); n != 0 || !slices.Equal(said, []string{"ended: the database is gone"}) {
				t.Fatal(n, said)
			}
			f = open() // which is another process
			n, said := pump(t, f, k)
			for range 3000 { // a hub hears a little later that they are to come again
				if n > 0 || said != nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
				n, said = pump(t, f, k)
			}
			if n != 3 || said != nil {
				t.Fatal(n, said)
			}
			// One that waited on its machine has an earlier name, and comes later.
			put(reportOf(t, "web1", 2, nil))
			put(agent.Delivery{Node: "web2", Run: "20241122T120900.000Z", Data: []byte("no report")})
			n, said = pump(t, open(), k)
			if n != 2 || len(said) != 1 || !strings.Contains(said[0], "of web2 is passed over: it is no report") {
				t.Fatal(n, said)
			}
			slices.Sort(k.got)
			if d := cmp.Diff([]string{"db1/1201", "web1/1201", "web1/1202", "web1/1203"}, k.got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if n, said := pump(t, open(), k); n != 0 || said != nil {
				t.Error(n, said)
			}
		})
	}
}

// TestCursorCutOff: a cursor whose last line is cut off, as by a full disk, loses no report.
func TestCursorCutOff(t *testing.T) {
	dir, cursor := t.TempDir(), filepath.Join(t.TempDir(), "cursor")
	a := reportOf(t, "web1", 1, nil)
	if err := (agent.DirSink{Path: dir}).Deliver(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cursor, []byte("web1/"+a.Run[:10]), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0} {
		if n, said := pump(t, &DirFeed{Dir: operate.Dir{Path: dir}, Cursor: cursor}, &keeper{}); n != want || said != nil {
			t.Error(i, n, said)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone", "cursor")
	if _, said := pump(t, &DirFeed{Dir: operate.Dir{Path: dir}, Cursor: gone}, &keeper{}); len(said) != 1 {
		t.Error("a cursor that cannot be written:", said)
	}
}

// TestOTLP: a span for each run, the same one for the same run, with what failed.
func TestOTLP(t *testing.T) {
	var got []*collector.ExportTraceServiceRequest
	status, answer := http.StatusOK, []byte(nil)
	www := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := &collector.ExportTraceServiceRequest{}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = proto.Unmarshal(body, req)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" ||
			r.Header.Get("Api-Key") != "a b" {
			t.Errorf("%v: %s %v", err, r.URL, r.Header)
		}
		got = append(got, req)
		w.WriteHeader(status)
		_, _ = w.Write(answer)
	}))
	defer www.Close()
	var said []string
	o, err := OpenOTLP(www.URL, "api-key=a%20b", func(err error) { said = append(said, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(cursor string) (int, []string) {
		return pump(t, &DirFeed{Dir: operate.Dir{Path: dir}, Cursor: filepath.Join(t.TempDir(), cursor)}, o)
	}
	if err := (agent.DirSink{Path: dir}).Deliver(t.Context(), reportOf(t, "web1", 1, fails)); err != nil {
		t.Fatal(err)
	}
	put("a")
	put("b")
	if len(got) != 2 || !proto.Equal(got[0], got[1]) {
		t.Fatalf("a run twice: %v", got)
	}
	span := got[0].ResourceSpans[0].ScopeSpans[0].Spans[0]
	if took := span.EndTimeUnixNano - span.StartTimeUnixNano; took != 15e8 ||
		span.StartTimeUnixNano != uint64(noon.Add(time.Minute).UnixNano()) ||
		len(span.TraceId) != 16 || len(span.SpanId) != 8 || span.Status.Message != "failed" || len(span.Events) != 1 ||
		span.Events[0].Name != "cmd.run bad" || span.Events[0].Attributes[2].Value.GetStringValue() != "it \ufffd fails" {
		t.Errorf("%v", span)
	}
	answer, _ = proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{
		RejectedSpans: 1, ErrorMessage: "too \x1b old"}})
	if put("c"); !slices.Equal(said, []string{`otlp: 1 runs were rejected: "too \x1b old"`}) {
		t.Error(said)
	}
	status = http.StatusServiceUnavailable
	if n, said := put("d"); n != 0 || len(said) != 1 || !strings.Contains(said[0], "503") {
		t.Error(n, said)
	}
	status, said = http.StatusBadRequest, nil
	if n, _ := put("e"); n != 1 || len(said) != 1 || !strings.Contains(said[0], "passed over") {
		t.Error(n, said)
	}
	for _, bad := range []string{"", "localhost:4318", "grpc://x:1", "http://"} {
		if _, err := OpenOTLP(bad, "", nil); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// TestPrometheus: the text that Prometheus reads.
func TestPrometheus(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []agent.Delivery{reportOf(t, "web1", 1, fails), reportOf(t, "web2", 2, nil)} {
		if err := (agent.DirSink{Path: dir}).Deliver(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	nodes := filepath.Join(dir, "nodes.yaml")
	if err := os.WriteFile(nodes, []byte("nodes: {web1: {env: prod}, web2: {env: prod}, db1: {env: \"a\\\"b\\nc\"}}"),
		0o600); err != nil {
		t.Fatal(err)
	}
	p := Prometheus{Machines: true, Look: func(ctx context.Context) (*operate.Fleet, error) {
		return operate.Ask{Reports: operate.Dir{Path: dir}, Nodes: nodes, Since: time.Hour,
			Now: noon.Add(5 * time.Minute)}.Look(ctx)
	}}
	h, err := p.Handler()
	if err != nil {
		t.Fatal(err)
	}
	ask := func() string {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		return fmt.Sprint(rec.Code, "\n", rec.Body)
	}
	text := ask()
	for _, want := range []string{"200\n", `gostate_fleet_machines{class="failed"} 1`,
		`gostate_fleet_machines{class="unreported"} 1`,
		`gostate_fleet_machines{class="compile_error"} 0`, `gostate_fleet_release_newest{env="prod"} 5`,
		`gostate_fleet_release_machines{env="prod",release="5"} 2`,
		`gostate_fleet_release_machines{env="a\"b\nc",release="0"} 1`,
		`gostate_fleet_machine_bad{env="prod",machine="web1"} 1`, `gostate_fleet_machine_bad{env="prod",machine="web2"} 0`,
		`gostate_fleet_machine_seen_timestamp_seconds{env="prod",machine="web2"} 1.73227692e+09`,
		`gostate_fleet_machine_seen_timestamp_seconds{env="a\"b\nc",machine="db1"} 0`} {
		if !strings.Contains(text, want+"\n") && !strings.HasPrefix(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if err := os.Remove(nodes); err != nil {
		t.Fatal(err)
	}
	if text := ask(); !strings.HasPrefix(text, "500\n") {
		t.Errorf("what cannot be read is told as\n%s", text)
	}
}
