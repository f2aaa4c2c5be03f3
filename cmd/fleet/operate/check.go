package operate

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/state/diag"
)

// A check is what the operator's program looks at behind each batch: 'http 200 URL'.
type check struct {
	text string
	code int
	url  string
}

// parseCheck reads a check.
func parseCheck(text string) (check, error) {
	words := strings.Fields(text)
	fault := diag.Errorf(diag.Pos{}, "--check: %q is no check", text).
		WithHint("--check 'http 200 https://www.example.com/health' wants that answer behind each batch")
	if len(words) != 3 || words[0] != "http" {
		return check{}, fault
	}
	code, err := strconv.Atoi(words[1])
	u, bad := url.Parse(words[2])
	if err != nil || code < 100 || code > 599 || bad != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return check{}, fault
	}
	return check{text, code, words[2]}, nil
}

func parseChecks(texts []string) (out []check, err error) {
	for _, text := range texts {
		c, err := parseCheck(text)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// oneTry is how long an answer may take.
const oneTry = 10 * time.Second

// hold tries until the check holds or the time is over: what was just restarted may need a moment.
func (c check) hold(ctx context.Context, patience, pause time.Duration) error {
	over := time.After(patience)
	for {
		err := c.try(ctx)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		select {
		case <-over:
			return fmt.Errorf("the check %q does not hold: %w", c.text, err)
		default:
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

func (c check) try(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, oneTry)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
	if err != nil {
		return err
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode != c.code {
		return fmt.Errorf("it answers %s", res.Status)
	}
	return nil
}
