package modules

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Rendered are the arguments of a function that reads one source and may render it first.
type Rendered struct {
	Template string      `arg:"template,word" choices:"jinja|py|mako|genshi|cheetah|wempy" doc:"The engine that renders the source first: jinja."`
	Context  *value.Dict `arg:"context,text" doc:"Variables of the template."`
	Defaults *value.Dict `arg:"defaults,text" doc:"Variables of the template where context does not have them."`
}

// Read is the source as the arguments say, for the state of the environment.
func (r Rendered) Read(ctx context.Context, env *Env, source string) ([]byte, error) {
	return r.ReadFrom(ctx, env, source, "")
}

// ReadFrom is the same from an environment of the file roots, "" for the state's own.
func (r Rendered) ReadFrom(ctx context.Context, env *Env, source, saltenv string) ([]byte, error) {
	sls := ""
	if env.Low != nil {
		saltenv, sls = cmp.Or(saltenv, env.Low.SourceEnv()), env.Low.SLS
	}
	saltenv = cmp.Or(saltenv, "base")
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

// HashAs is the hash of data of the kind that a hash as Salt users write it has, kind=hex or the hex alone, whose
// length tells; and the digits that it wants. ok is false where those are no hash.
func HashAs(data []byte, sum string) (got, want string, ok bool) {
	got, want, ok, _ = HashReader(bytes.NewReader(data), sum)
	return got, want, ok
}

// HashReader is HashAs of what is read.
func HashReader(r io.Reader, sum string) (got, want string, ok bool, err error) {
	_, want, ok = strings.Cut(sum, "=")
	if !ok {
		want = sum
	}
	want = strings.ToLower(strings.TrimSpace(want))
	h := value.NewHash(value.HashByLength(len(want)))
	if h == nil {
		return "", want, false, nil
	}
	_, err = io.Copy(h, struct{ io.Reader }{r})
	return hex.EncodeToString(h.Sum(nil)), want, true, err
}

// Verify compares data with a hash.
func Verify(data []byte, sum string) error {
	switch got, want, ok := HashAs(data, sum); {
	case !ok:
		return fmt.Errorf("%q is no hash", sum)
	case got != want:
		return errors.New("what was fetched does not have the hash " + sum)
	}
	return nil
}
