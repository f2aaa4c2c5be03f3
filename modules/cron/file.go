package cron

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// File keeps a whole crontab.
type File struct {
	modules.Rendered
	Name       string `arg:"name,required,path" doc:"The source of the crontab: salt://, a path or a URL."`
	SourceHash string `arg:"source_hash,path" doc:"The hash of what a URL gives: kind=hex."`
	HashName   string `arg:"source_hash_name" doc:"No effect: a file of hashes is not read."`
	User       string `arg:"user,file" default:"root" doc:"Whose crontab."`
	Replace    bool   `arg:"replace" default:"true" doc:"Replaces a crontab that is there."`
	Backup     string `arg:"backup" doc:"No effect: what is replaced is the crontab, of which no backup is made."`
}

func fileSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "cron.file",
		Doc:     "Keeps a user's whole crontab as a source has it. Jobs of cron.present in it are taken away.",
		Example: "salt://cron/backup.tab:\n  cron.file:\n    - user: root",
		AnyArgs: true,
		New:     func() modules.StateFunc { return &File{} },
	}
}

// UsesSources names the source.
func (f *File) UsesSources() []modules.SourceUse {
	return []modules.SourceUse{{Arg: "name", Any: []string{f.Name}}}
}

// Act replaces the crontab.
func (f *File) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	now, _, err := listed(h, f.User)
	if err != nil {
		return state.Effect{}, err
	}
	head, now := behead(now)
	if now != "" && !f.Replace {
		return state.Settled(fmt.Sprintf("User %s already has a crontab. No changes made", f.User)), nil
	}
	raw, err := f.read(ctx, env)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Unable to manage file: %w", err) //nolint:staticcheck // Salt's words
	}
	text := string(raw)
	if !strings.HasSuffix(now, "\n") {
		now += "\n"
	}
	if text == now {
		return state.Settled(fmt.Sprintf("Crontab for user %s is in the correct state", f.User)), nil
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		return state.Effect{}, errors.New("Unable to update the crontab: it does not end in a newline, so cron would not take its last line") //nolint:staticcheck // Salt's words
	}
	diff := strings.Join(modules.UnifiedDiff(modules.SplitKeep(now), modules.SplitKeep(text)), "")
	return state.Effect{Changes: f.changes(h, diff), Comment: fmt.Sprintf("Crontab for user %s was updated", f.User)},
		install(h, f.User, head, text)
}

// changes are those that Salt shows: of a file of root's that is given to the user.
func (f *File) changes(h host.Reader, diff string) state.Changes {
	out := value.DictOf("diff", value.Str(diff))
	if u, err := h.User(f.User); err == nil && u.UID != 0 {
		out.SetStr("user", value.Str(f.User))
		if g, err := h.GroupByID(u.GID); err == nil {
			out.SetStr("group", value.Str(g.Name))
		}
	}
	return out
}

func (f *File) read(ctx context.Context, env *modules.Env) ([]byte, error) {
	data, err := f.Read(ctx, env, f.Name)
	if err != nil || !strings.Contains(f.Name, "://") || strings.HasPrefix(f.Name, "salt://") ||
		strings.HasPrefix(f.Name, "file://") {
		return data, err
	}
	if f.SourceHash == "" {
		return nil, errors.New("a source of the network needs its source_hash")
	}
	return data, modules.Verify(data, f.SourceHash)
}
