package x509

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Placed are the arguments of file.managed that say how a file is kept.
type Placed struct {
	User     string       `arg:"user,word" alias:"owner?" doc:"The owner of the file."`
	Group    string       `arg:"group,word" doc:"The group of the file."`
	Mode     modules.Mode `arg:"mode" doc:"The permissions of the file."`
	Makedirs bool         `arg:"makedirs" doc:"Makes the directories above the file."`
	DirMode  modules.Mode `arg:"dir_mode" doc:"The permissions of directories that makedirs makes."`
	Backup   string       `arg:"backup" doc:"Minion keeps a copy of the old file below the cache directory."`
	Create   bool         `arg:"create" default:"true" doc:"Makes the file where there is none."`
	Follow   bool         `arg:"follow_symlinks" default:"true" doc:"Manages what a symbolic link leads to; else the link is replaced."`
	Encoding string       `arg:"encoding" default:"pem" choices:"pem" doc:"The encoding of the file."`
}

// args are the arguments of file.managed.
func (p *Placed) args() *value.Dict {
	d := value.DictOf("makedirs", value.Bool(p.Makedirs), "create", value.Bool(p.Create), "follow_symlinks",
		value.Bool(p.Follow))
	for _, t := range []struct{ name, text string }{{"user", p.User}, {"group", p.Group}, {"mode", p.Mode.String()},
		{"dir_mode", p.DirMode.String()}, {"backup", p.Backup}} {
		if t.text != "" {
			d.SetStr(t.name, value.Str(t.text))
		}
	}
	return d
}

// write gives the file this content. A secret one is not shown.
func (p *Placed) write(ctx context.Context, env *modules.Env, h host.Host, name, text string,
	secret bool) (state.Effect, error) {
	args := p.args()
	args.SetStr("contents", value.Str(text))
	args.SetStr("show_changes", value.Bool(!secret))
	return env.Through(ctx, h, "file.managed", name, args)
}

// keep keeps owner and permissions of the file.
// Salt differs: it writes the first entry of the file and drops the rest.
func (p *Placed) keep(ctx context.Context, env *modules.Env, h host.Host, name string) (state.Effect, error) {
	args := p.args()
	args.SetStr("replace", value.Bool(false))
	return env.Through(ctx, h, "file.managed", name, args)
}

// anew replaces the file by what make gives in a run. A preview says that nobody knows it, once the file can be
// written.
func (p *Placed) anew(ctx context.Context, env *modules.Env, h host.Host, name string, secret bool,
	make func() (string, error)) (e state.Effect, err error) {
	err = h.Do(ctx, host.Deed{What: "make " + name, On: host.FactPath,
		Do: func(ctx context.Context) error {
			text, err := make()
			if err != nil {
				return err
			}
			e, err = p.write(ctx, env, h, name, text, secret)
			return err
		},
		Foretell: func(o host.Host) (err error) {
			if e, err = p.write(ctx, env, host.Forecast(o), name, "to be made\n", true); err == nil && e.Alters() {
				o.Promise(host.Fact{Kind: host.FactPath, Name: name, Value: "unknown"})
			}
			return err
		}})
	return e, err
}

// there is the text of a file, "" where there is none.
func there(h host.Reader, name string) (text string, ok bool, err error) {
	raw, err := h.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return string(raw), true, nil
}

// textOf is the text of a file, or the text itself.
func textOf(h host.Reader, source string) (string, error) {
	if strings.Contains(source, "-----BEGIN") {
		return source, nil
	}
	if !strings.HasPrefix(source, "/") {
		return "", fmt.Errorf("%q is neither a path nor the text of a key or certificate", source)
	}
	raw, err := h.ReadFile(source)
	if err != nil {
		return "", err
	}
	return string(raw), nil
}
