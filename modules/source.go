package modules

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Rendered are the arguments of a function that reads one source and may render it first.
type Rendered struct {
	Template string      `arg:"template" doc:"The engine that renders the source first: jinja."`
	Context  *value.Dict `arg:"context" doc:"Variables of the template."`
	Defaults *value.Dict `arg:"defaults" doc:"Variables of the template where context does not have them."`
}

// Read is the source as the arguments say, for the state of the environment.
func (r Rendered) Read(ctx context.Context, env *Env, source string) ([]byte, error) {
	saltenv, sls := "base", ""
	if env.Low != nil {
		saltenv, sls = cmp.Or(env.Low.Env, saltenv), env.Low.SLS
	}
	data, err := env.Files.Fetch(ctx, source, saltenv)
	if err != nil || r.Template == "" {
		return data, err
	}
	vars := value.NewDict(0)
	for _, d := range []*value.Dict{r.Defaults, r.Context} {
		if d == nil {
			continue
		}
		for k, v := range d.All() {
			vars.SetStr(value.String(k), v)
		}
	}
	return env.Templates.Render(ctx, r.Template, source, data, sls, saltenv, vars)
}

// Verify compares data with a hash as Salt users write it: kind=hex, or hex alone.
func Verify(data []byte, sum string) error {
	_, digits, ok := strings.Cut(strings.TrimSpace(sum), "=")
	if !ok {
		digits = strings.TrimSpace(sum)
	}
	h := value.NewHash(value.HashByLength(len(digits)))
	if h == nil {
		return fmt.Errorf("%q is no hash", sum)
	}
	h.Write(data)
	if !strings.EqualFold(hex.EncodeToString(h.Sum(nil)), digits) {
		return errors.New("what was fetched does not have the hash " + sum)
	}
	return nil
}
