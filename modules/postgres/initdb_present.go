package postgres

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// InitdbPresent keeps a directory of data.
type InitdbPresent struct {
	Name      string `arg:"name,required,path" doc:"The directory."`
	User      string `arg:"user,word" doc:"The name of the superuser, by default that of the user of the machine."`
	Password  string `arg:"password,secret" doc:"The password of the superuser."`
	Auth      string `arg:"auth" default:"password" doc:"How local connections log in."`
	Encoding  string `arg:"encoding" default:"UTF8" doc:"The encoding of new databases."`
	Locale    string `arg:"locale" doc:"The locale of new databases."`
	RunAs     string `arg:"runas,word" doc:"The user of the machine to whom the data belongs, postgres by default."`
	Waldir    string `arg:"waldir,path" doc:"The directory of the transaction log, in the data by default."`
	Checksums bool   `arg:"checksums" doc:"Gives pages checksums."`
}

func initdbPresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_initdb.present", Doc: "Makes a directory one of a PostgreSQL server's data.",
		Example: "/var/lib/pgsql/data:\n  postgres_initdb.present:\n    - auth: peer\n    - encoding: UTF8",
		New:     func() modules.StateFunc { return &InitdbPresent{} }}
}

// NeedsRoot is true: initdb runs as another user.
func (*InitdbPresent) NeedsRoot(*modules.Env) bool { return true }

// hasData says whether a directory holds a cluster.
func hasData(h host.Reader, dir string) (bool, error) {
	for _, f := range []string{"PG_VERSION", "postgresql.conf"} {
		switch i, err := h.Stat(path.Join(dir, f)); {
		case host.IsUnknown(err):
			return false, err
		case err != nil || !i.IsRegular():
			return false, nil
		}
	}
	return true, nil
}

// Act makes the data.
func (p *InitdbPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	there, err := hasData(h, p.Name)
	what := "Postgres data directory " + p.Name
	if err != nil || there {
		return state.Settled(what + " is already present"), err
	}
	return outcome(state.Effect{Changes: value.DictOf(p.Name, value.Str("Present")), Foretold: value.NewDict(0),
		Comment: what + " has been initialized", Preview: what + " is set to be initialized",
	}, failedIf(p.init(ctx, env, h), "%s initialization failed", what))
}

// initdb is the program: where postgres.bins_dir says, in PATH, or Debian's of the highest version.
func initdb(env *modules.Env, h host.Reader) (string, error) {
	if found, err := h.LookPath("initdb"); err == nil {
		return found, nil
	}
	dirs := []string{env.Setting("postgres.bins_dir")}
	versions, _ := h.ReadDir("/usr/lib/postgresql")
	slices.SortFunc(versions, func(a, b host.Info) int {
		if older(a.Path, b.Path) {
			return 1
		}
		return -1
	})
	for _, v := range versions {
		dirs = append(dirs, path.Join("/usr/lib/postgresql", v.Path, "bin"))
	}
	for _, d := range dirs {
		if found, err := h.LookPath(path.Join(d, "initdb")); err == nil && d != "" {
			return found, nil
		}
	}
	return "", host.Missing("initdb executable not found.: pkg.installed postgresql before it, or postgres.bins_dir")
}

// init runs initdb. The password goes to it by its standard input.
func (p *InitdbPresent) init(ctx context.Context, env *modules.Env, h host.Host) error {
	program, err := initdb(env, h)
	if err != nil {
		return err
	}
	runas := p.RunAs
	if runas == "" {
		runas = "postgres"
	}
	user := p.User
	if user == "" {
		user = runas
	}
	args := []string{program, "--pgdata=" + p.Name, "--username=" + user, "--auth=" + p.Auth, "--encoding=" + p.Encoding}
	if p.Locale != "" {
		args = append(args, "--locale="+p.Locale)
	}
	if p.Waldir != "" {
		args = append(args, "-X", p.Waldir)
	}
	if p.Checksums {
		args = append(args, "--data-checksums")
	}
	if p.Password != "" {
		args = append(args, "--pwfile=/dev/stdin")
	}
	return h.Do(ctx, host.Deed{What: "initdb " + p.Name, On: host.FactDatabase, Do: func(ctx context.Context) error {
		out, err := h.Run(ctx, host.Cmd{Args: args, RunAs: runas, Stdin: []byte(p.Password + "\n"), Dir: "/",
			Env: []string{"LC_ALL=C.UTF-8"}})
		if err != nil {
			return err
		}
		return modules.Complaint("initdb", out)
	}, Foretell: func(o host.Host) error { return p.foretell(o) }})
}

// foretell leaves the two files by which a directory of data is known. What else is in it nobody asks.
func (p *InitdbPresent) foretell(o host.Host) error {
	if err := modules.MakeDirs(o, p.Name, host.KeepAttr()); err != nil {
		return err
	}
	for _, f := range []string{"PG_VERSION", "postgresql.conf"} {
		if err := o.WriteFile(path.Join(p.Name, f), strings.NewReader(""), host.KeepAttr()); err != nil {
			return err
		}
	}
	return nil
}
