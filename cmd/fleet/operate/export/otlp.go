package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/state/diag"
)

// An OTLP sends a span for each run to a collector, by OTLP over HTTP. States that failed are events of it. The ids are
// made of the machine and the run: a run that comes twice is the same span.
type OTLP struct {
	url      string
	header   http.Header
	complain func(error)
}

// OpenOTLP reads the address of a collector, where /v1/traces is left out as OTLP has it, and the headers of
// OTEL_EXPORTER_OTLP_HEADERS: name=value,name=value.
func OpenOTLP(text, headers string, complain func(error)) (*OTLP, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, diag.Errorf(diag.Pos{}, "--otlp: %q is no address of a collector", text).
			WithHint("--otlp http://localhost:4318")
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
	}
	o := &OTLP{url: u.String(), header: http.Header{}, complain: complain}
	for pair := range strings.SplitSeq(headers, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if value, err = url.PathUnescape(strings.TrimSpace(value)); ok && err == nil {
			o.header.Set(strings.TrimSpace(name), value)
		}
	}
	return o, nil
}

// Put sends the runs.
func (o *OTLP) Put(ctx context.Context, entries []operate.Entry) error {
	req := &collector.ExportTraceServiceRequest{}
	for _, e := range entries {
		req.ResourceSpans = append(req.ResourceSpans, spansOf(e))
	}
	body, err := proto.Marshal(req)
	if err != nil {
		return fmt.Errorf("otlp: %w", err)
	}
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	post.Header = o.header.Clone()
	post.Header.Set("Content-Type", "application/x-protobuf")
	res, err := http.DefaultClient.Do(post)
	if err != nil {
		return fmt.Errorf("otlp: %w", err)
	}
	defer res.Body.Close()
	return o.answered(res)
}

// answered says what an answer means: what a collector calls a fault of the request would be one again.
func (o *OTLP) answered(res *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	said := fmt.Errorf("otlp: POST %s: %s", o.url, res.Status)
	switch {
	case err != nil:
		return fmt.Errorf("otlp: %w", err)
	case res.StatusCode/100 == 2:
		var answer collector.ExportTraceServiceResponse
		if proto.Unmarshal(body, &answer) == nil && answer.GetPartialSuccess().GetRejectedSpans() > 0 {
			p := answer.GetPartialSuccess()
			o.complain(fmt.Errorf("otlp: %d runs were rejected: %q", p.GetRejectedSpans(), p.GetErrorMessage()))
		}
		return nil
	case res.StatusCode == http.StatusBadRequest:
		o.complain(errors.Join(said, errors.New("the runs of it are passed over")))
		return nil
	}
	return said
}

func spansOf(e operate.Entry) *trace.ResourceSpans {
	r := e.Report
	id := sha256.Sum256([]byte(e.Node + "/" + e.Run))
	begin := max(r.Started.UnixNano(), 0)
	span := &trace.Span{TraceId: id[:16], SpanId: id[16:24], Name: "gostate run", Kind: trace.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: uint64(begin), EndTimeUnixNano: uint64(begin + int64(max(r.Seconds, 0)*1e9)),
		Status: &trace.Status{Code: trace.Status_STATUS_CODE_OK},
		Attributes: []*common.KeyValue{text("gostate.run", e.Run), text("gostate.env", r.Env),
			text("gostate.status", string(r.Status)), text("gostate.why", r.Why)}}
	if a := r.Applied; a != nil {
		span.Attributes = append(span.Attributes, number("gostate.release", int64(a.Sequence)),
			number("gostate.states.total", int64(a.Counts.Total)), number("gostate.states.changed", int64(a.Counts.Changed)),
			number("gostate.states.failed", int64(a.Counts.Failed)))
	}
	if c := operate.ClassOf(r); c.Bad() {
		span.Status = &trace.Status{Code: trace.Status_STATUS_CODE_ERROR, Message: string(c)}
	}
	for _, s := range operate.FailedStates(r) {
		span.Events = append(span.Events, &trace.Span_Event{Name: clean(s.Fun() + " " + s.ID),
			TimeUnixNano: span.EndTimeUnixNano, Attributes: []*common.KeyValue{text("gostate.state.tag", s.Tag),
				text("gostate.state.sls", s.SLS), text("exception.message", s.Comment)}})
	}
	for _, p := range r.Problems {
		span.Events = append(span.Events, &trace.Span_Event{Name: clean(p.Kind), TimeUnixNano: span.EndTimeUnixNano,
			Attributes: []*common.KeyValue{text("exception.message", p.Message)}})
	}
	return &trace.ResourceSpans{
		Resource: &resource.Resource{Attributes: []*common.KeyValue{text("service.name", "gostate"),
			text("service.version", r.Version), text("host.name", e.Node)}},
		ScopeSpans: []*trace.ScopeSpans{{Scope: &common.InstrumentationScope{Name: "gostate-hub"},
			Spans: []*trace.Span{span}}},
	}
}

func text(key, v string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: clean(v)}}}
}

func number(key string, n int64) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: n}}}
}
