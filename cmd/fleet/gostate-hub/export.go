package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/fleet/operate/export"
	"github.com/gostate/gostate/cmd/fleet/tool"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "bring reports to Postgres or to a collector of OTLP, and figures to Prometheus",
		Description: "Each export remembers how far it came, the hub by a consumer and a directory of reports by a file. A " +
			"report is " +
			"exported at least\nonce, and twice is once: its machine and run name it. Passwords are better in PGPASSWORD or " +
			"~/.pgpass than in the DSN, and\nheaders for a collector in OTEL_EXPORTER_OTLP_HEADERS.",
		Flags: append(lookFlags(),
			&cli.StringFlag{Name: "prometheus", Usage: "answer /metrics at `HOST:PORT`; - prints the metrics once"},
			&cli.BoolFlag{Name: "machines", Usage: "tell Prometheus of each machine, too"},
			&cli.StringFlag{Name: "postgres", Usage: "keep reports in the database of `DSN`, postgres://USER@HOST/NAME"},
			&cli.StringFlag{Name: "otlp", Usage: "send a span for each run to the collector at `URL`, http://HOST:4318"},
			&cli.BoolFlag{Name: "once", Usage: "end when all that is there is exported"},
			&cli.StringFlag{Name: "name", Usage: "remember under `NAME` how far it came (default: postgres, otlp)"},
			&cli.PathFlag{Name: "cursor", Usage: "remember it in `FILE` (default: .export-NAME in the directory of reports)"},
			&cli.DurationFlag{Name: "every", Value: 10 * time.Second, Usage: "look for more every `TIME`"},
		),
		Action: runExport,
	}
}

func runExport(c *cli.Context) error {
	if err := args(c, 0, 0); err != nil {
		return err
	}
	kinds := 0
	for _, k := range []string{"prometheus", "postgres", "otlp"} {
		if c.IsSet(k) {
			kinds++
		}
	}
	if kinds != 1 || c.Duration("every") <= 0 {
		return tool.Usagef("export where to?\nhint: one of --prometheus HOST:PORT, --postgres DSN, --otlp URL")
	}
	reports, end, err := reportsOf(c)
	if err != nil {
		return err
	}
	defer end()
	complain := func(err error) { fmt.Fprintln(c.App.ErrWriter, "warning:", err) }
	switch {
	case c.IsSet("prometheus"):
		return metrics(c, reports)
	case c.IsSet("otlp"):
		sink, err := export.OpenOTLP(c.String("otlp"), os.Getenv("OTEL_EXPORTER_OTLP_HEADERS"), complain)
		if err != nil {
			return err
		}
		return pump(c, reports, "otlp", sink, complain)
	}
	sink, err := export.OpenPostgres(c.Context, c.String("postgres"), time.Now, complain)
	if err != nil {
		return err
	}
	defer sink.Close(context.WithoutCancel(c.Context))
	return pump(c, reports, "postgres", sink, complain)
}

// pump moves reports until it is told to end, or all are moved.
func pump(c *cli.Context, reports operate.Reports, kind string, sink export.Sink, complain func(error)) error {
	name := cmp.Or(c.String("name"), kind)
	var feed export.Feed
	switch r := reports.(type) {
	case operate.Dir:
		feed = &export.DirFeed{Dir: r, Cursor: cmp.Or(c.Path("cursor"), filepath.Join(r.Path, ".export-"+name))}
	case operate.Hub:
		var err error
		if feed, err = export.OpenHub(c.Context, r.Bus, name); err != nil {
			return err
		}
	}
	n, err := export.Pump{Feed: feed, Sink: sink, Once: c.Bool("once"), Pause: c.Duration("every"),
		Complain: complain}.Run(c.Context)
	if err != nil {
		return err
	}
	return show(c, fmt.Sprintf("%d exported\n", n), map[string]int{"exported": n})
}

// metrics answers Prometheus until it is told to end, or prints what it would be told.
func metrics(c *cli.Context, reports operate.Reports) error {
	p := export.Prometheus{Machines: c.Bool("machines"), Look: func(ctx context.Context) (*operate.Fleet, error) {
		return askOf(c, reports).Look(ctx)
	}}
	if c.String("prometheus") == "-" {
		return p.Write(c.App.Writer)
	}
	h, err := p.Handler()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", c.String("prometheus"))
	if err != nil {
		return fmt.Errorf("--prometheus: %w", err)
	}
	fmt.Fprintf(c.App.Writer, "ready at %s\n", l.Addr())
	return answer(c.Context, l, h)
}

// answer serves until the context ends.
func answer(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		WriteTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	stop := context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = s.Shutdown(end)
	})
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
