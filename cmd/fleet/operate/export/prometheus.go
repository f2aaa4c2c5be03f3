package export

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/common/expfmt"

	"github.com/gostate/gostate/cmd/fleet/operate"
)

// A Prometheus tells how the fleet is whenever it is asked. It reads the newest reports, so that it keeps nothing.
type Prometheus struct {
	Look func(context.Context) (*operate.Fleet, error)
	// Machines tells of each machine, too.
	Machines bool
}

const prefix = "gostate_fleet_"

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prefix+name, help, labels, nil)
}

// Describe says nothing: which metrics there are depends on the fleet.
func (p Prometheus) Describe(chan<- *prometheus.Desc) {}

// Collect looks at the fleet.
func (p Prometheus) Collect(to chan<- prometheus.Metric) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	f, err := p.Look(ctx)
	if err != nil {
		to <- prometheus.NewInvalidMetric(desc("machines", "Machines by how they are."), err)
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		for i := range labels {
			labels[i] = clean(labels[i])
		}
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	s := f.Status()
	machines := desc("machines", "Machines by how they are.", "class")
	for _, c := range operate.Classes() {
		gauge(machines, float64(s.Counts[c]), strings.ReplaceAll(string(c), " ", "_"))
	}
	newest := desc("release_newest", "The newest release that a machine of the environment has accepted.", "env")
	have := desc("release_machines", "Machines by the release that they run; 0 is not known.", "env", "release")
	for _, e := range s.Releases {
		gauge(newest, float64(e.Newest), e.Env)
		for sequence, n := range e.By {
			gauge(have, float64(n), e.Env, strconv.FormatUint(sequence, 10))
		}
	}
	if p.Machines {
		each(f, gauge)
	}
}

func each(f *operate.Fleet, gauge func(*prometheus.Desc, float64, ...string)) {
	seen := desc("machine_seen_timestamp_seconds", "When the machine was last at work; 0 is never.", "machine", "env")
	bad := desc("machine_bad", "1 where the machine is not as it should be.", "machine", "env")
	for _, m := range f.Machines {
		at := 0.0
		if m.Last.Report != nil {
			at = float64(m.Last.Seen().UnixMilli()) / 1000
		}
		gauge(seen, at, m.ID, m.Env)
		is := 0.0
		if m.Class.Bad() {
			is = 1
		}
		gauge(bad, is, m.ID, m.Env)
	}
}

func (p Prometheus) registry() (*prometheus.Registry, error) {
	r := prometheus.NewRegistry()
	if err := r.Register(p); err != nil {
		return nil, fmt.Errorf("prometheus: %w", err)
	}
	return r, nil
}

// Handler answers /metrics.
func (p Prometheus) Handler() (http.Handler, error) {
	r, err := p.registry()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	return mux, nil
}

// Write writes the metrics once, for the textfile collector of the node exporter.
func (p Prometheus) Write(w io.Writer) error {
	r, err := p.registry()
	if err != nil {
		return err
	}
	families, err := r.Gather()
	if err != nil {
		return fmt.Errorf("prometheus: %w", err)
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return err
		}
	}
	return nil
}
