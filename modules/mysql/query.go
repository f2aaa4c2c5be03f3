package mysql

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/state/value"
)

// looks says whether a query is one that gives rows, as Salt takes it.
func looks(query string) bool {
	text := strings.ToUpper(strings.TrimSpace(query))
	for _, word := range []string{"SELECT", "SHOW", "DESC"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// harmless says whether it also writes no file.
func harmless(query string) bool {
	text := strings.ToUpper(query)
	return looks(query) && !strings.Contains(text, "OUTFILE") && !strings.Contains(text, "DUMPFILE") &&
		!strings.Contains(strings.TrimRight(strings.TrimSpace(text), ";"), ";")
}

// query runs one query in the database of the connection and gives Salt's answer.
func (c *catalog) query(ctx context.Context, text string) (*value.Dict, error) {
	begin := c.env.Time()
	out := value.NewDict(4)
	if !looks(text) {
		r, err := c.db.ExecContext(ctx, text)
		if err != nil {
			return nil, told(err)
		}
		n, _ := r.RowsAffected()
		out.SetStr("query time", spent(c.env.Time().Sub(begin)))
		out.SetStr("rows affected", value.Int(n))
		return out, nil
	}
	r, err := read(ctx, c.db, text)
	if err != nil {
		return nil, err
	}
	out.SetStr("query time", spent(c.env.Time().Sub(begin)))
	out.SetStr("rows returned", value.Int(len(r.rows)))
	out.SetStr("columns", texts(r.columns, nil))
	rows := &value.Tuple{}
	for i, row := range r.rows {
		rows.Items = append(rows.Items, texts(row, r.nulls[i]))
	}
	out.SetStr("results", rows)
	return out, nil
}

// texts is a tuple of texts; None for NULL.
func texts(list []string, nulls []bool) *value.Tuple {
	t := &value.Tuple{}
	for i, s := range list {
		if nulls != nil && nulls[i] {
			t.Items = append(t.Items, value.None)
			continue
		}
		t.Items = append(t.Items, value.Str(s))
	}
	return t
}

// spent is how long a query took, in Salt's shape.
func spent(d time.Duration) *value.Dict {
	s := d.Seconds()
	human := decimals(s, 2) + "s"
	if s < 0.2 {
		human = decimals(s*1000, 1) + "ms"
	}
	return value.DictOf("human", value.Str(human), "raw", value.Str(decimals(s, 5)))
}

// decimals is a number with at most so many decimals, as Python prints it.
func decimals(f float64, n int) string {
	p := math.Pow(10, float64(n))
	return value.String(value.Float(math.Round(f*p) / p))
}

// looking runs a query in a transaction that only reads.
func (c *catalog) looking(text string) (*value.Dict, error) {
	ctx, cancel := context.WithTimeout(c.ctx, lookTime)
	defer cancel()
	if _, err := c.db.ExecContext(ctx, "SET SESSION TRANSACTION READ ONLY"); err != nil {
		return nil, told(err)
	}
	return c.query(ctx, text)
}

// statements takes a script apart at its semicolons; comments are left out.
func statements(script string) (out []string) {
	word := ""
	for i := 0; i < len(script); {
		switch rest := script[i:]; {
		case rest[0] == ';':
			out, word = append(out, word), ""
			i++
		case rest[0] == '#', strings.HasPrefix(rest, "-- "), strings.HasPrefix(rest, "--\n"):
			i += upTo(rest, "\n") - 1
			word += "\n"
			i++
		case strings.HasPrefix(rest, "/*") && !strings.HasPrefix(rest, "/*!"):
			i += upTo(rest[2:], "*/") + 2
		case strings.ContainsRune("'\"`", rune(rest[0])):
			n := closing(rest)
			word += rest[:n]
			i += n
		default:
			word += rest[:1]
			i++
		}
	}
	out = append(out, word)
	kept := out[:0]
	for _, s := range out {
		if s = strings.TrimSpace(s); s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// upTo is the length of text with the mark, or of all of it.
func upTo(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i + len(mark)
	}
	return len(text)
}

// closing is the length of the quoted text at the beginning.
func closing(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '\\' && text[0] != '`' {
			i++
		} else if text[i] == text[0] {
			return i + 1
		}
	}
	return len(text)
}

// script runs all of a file and gives Salt's answer.
func (c *catalog) script(ctx context.Context, text string) (*value.Dict, error) {
	var returned, affected int
	var raw float64
	columns, results := value.NewList(), value.NewList()
	for _, s := range statements(text) {
		r, err := c.query(ctx, s)
		if err != nil {
			return nil, err
		}
		for k, v := range r.All() {
			n, _ := v.(value.Int)
			switch value.String(k) {
			case "rows returned":
				returned += int(n)
			case "rows affected":
				affected += int(n)
			case "columns":
				columns.Items = append(columns.Items, v)
			case "results":
				results.Items = append(results.Items, v)
			case "query time":
				t, _ := v.(*value.Dict).GetStr("raw")
				f, _ := strconv.ParseFloat(value.String(t), 64)
				raw += f
			}
		}
	}
	out := value.NewDict(5)
	if returned > 0 {
		out.SetStr("rows returned", value.Int(returned))
	}
	if len(columns.Items) > 0 {
		out.SetStr("columns", columns)
		out.SetStr("results", results)
	}
	if affected > 0 {
		out.SetStr("rows affected", value.Int(affected))
	}
	out.SetStr("query time", value.DictOf("raw", value.Float(math.Round(raw*1e5)/1e5), "human",
		value.Str(decimals(raw, 2)+"s")))
	return out, nil
}
