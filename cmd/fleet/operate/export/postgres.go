package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/gostate/gostate/cmd/fleet/operate"
)

// A Postgres keeps reports in a table by days: the report as JSONB, and beside it what is searched by. A day that is
// not wanted any more is a table to drop.
type Postgres struct {
	conn     *pgx.Conn
	days     map[string]bool // whose table is there
	now      func() time.Time
	complain func(error)
}

const schema = `
create table if not exists gostate_reports (
	node text not null, run text not null, started timestamptz not null, received timestamptz not null,
	env text not null, status text not null, class text not null, release bigint, seconds double precision not null,
	total integer, changed integer, failed integer, report jsonb not null,
	primary key (node, run, started)
) partition by range (started);
create index if not exists gostate_reports_node_started on gostate_reports (node, started desc);
create table if not exists gostate_reports_other partition of gostate_reports default;
`

// exportLock is the number of the lock under which tables are made: two who make one at once would fail.
const exportLock = 0x676f7374617465

// OpenPostgres connects and makes the table where it is missing. A DSN is postgres://... or key=value; the password is
// better in PGPASSWORD or ~/.pgpass, which pgx reads.
func OpenPostgres(ctx context.Context, dsn string, now func() time.Time, complain func(error)) (*Postgres, error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	p := &Postgres{conn: conn, days: map[string]bool{}, now: now, complain: complain}
	if err := p.locked(ctx, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("postgres: make the table: %w", err), conn.Close(ctx))
	}
	return p, nil
}

// Close ends the connection.
func (p *Postgres) Close(ctx context.Context) error { return p.conn.Close(ctx) }

// locked runs statements alone.
func (p *Postgres) locked(ctx context.Context, sql string) error {
	return pgx.BeginFunc(ctx, p.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(exportLock)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, sql)
		return err
	})
}

// Put keeps reports; one that is there stays as it is.
func (p *Postgres) Put(ctx context.Context, entries []operate.Entry) error {
	if p.conn.IsClosed() { // the server was restarted
		conn, err := pgx.ConnectConfig(ctx, p.conn.Config())
		if err != nil {
			return fmt.Errorf("postgres: %w", err)
		}
		p.conn = conn
	}
	for _, e := range entries {
		if err := p.day(ctx, e.Report.Started); err != nil {
			return fmt.Errorf("postgres: %w", err)
		}
	}
	err := p.insert(ctx, entries)
	if len(entries) == 1 || !ofData(err) {
		return p.passed(entries, err)
	}
	for i := range entries { // one of them is such that Postgres does not take it
		if err := p.passed(entries[i:i+1], p.insert(ctx, entries[i:i+1])); err != nil {
			return err
		}
	}
	return nil
}

// ofData says whether the server refused a value, which it would refuse again.
func ofData(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && strings.HasPrefix(pg.Code, "22")
}

func (p *Postgres) passed(entries []operate.Entry, err error) error {
	if ofData(err) && len(entries) == 1 {
		p.complain(passedOver(entries[0], err))
		return nil
	}
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	return nil
}

// day makes the table of a day, unless the day is such as only a wrong clock tells.
func (p *Postgres) day(ctx context.Context, t time.Time) error {
	t = t.UTC()
	name, age := t.Format("20060102"), p.now().Sub(t)
	if p.days[name] || age > 400*24*time.Hour || age < -48*time.Hour {
		return nil
	}
	from := t.Truncate(24 * time.Hour)
	err := p.locked(ctx, fmt.Sprintf("create table if not exists gostate_reports_%s partition of gostate_reports "+
		"for values from ('%s') to ('%s')", name, from.Format(time.RFC3339), from.Add(24*time.Hour).Format(time.RFC3339)))
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "23514" {
		err = nil // reports of that day are among the others already, and stay there
	}
	p.days[name] = err == nil
	return err
}

const insert = `insert into gostate_reports (node, run, started, received, env, status, class, release, seconds, total,
	changed, failed, report) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing`

func (p *Postgres) insert(ctx context.Context, entries []operate.Entry) error {
	return pgx.BeginFunc(ctx, p.conn, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		for _, e := range entries {
			r := e.Report
			row := []any{e.Node, e.Run, r.Started, e.Received, clean(r.Env), clean(string(r.Status)),
				string(operate.ClassOf(r)), nil, r.Seconds, nil, nil, nil, cleanJSON(e.Data)}
			if a := r.Applied; a != nil {
				row[7] = int64(min(a.Sequence, math.MaxInt64))
				row[9], row[10], row[11] = a.Counts.Total, a.Counts.Changed, a.Counts.Failed
			}
			b.Queue(insert, row...)
		}
		return tx.SendBatch(ctx, b).Close()
	})
}

// clean is a text that Postgres takes.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
}

// cleanJSON is JSON that Postgres takes: without NUL and halves of characters, which no text of it may have.
func cleanJSON(data []byte) string {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(data)
	}
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(cleanValue(v))
	return out.String()
}

func cleanValue(v any) any {
	switch v := v.(type) {
	case string:
		return clean(v)
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case map[string]any:
		for k, below := range v {
			delete(v, k)
			v[clean(k)] = cleanValue(below)
		}
	}
	return v
}
