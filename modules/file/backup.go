package file

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// defaultCache is where backups go when the config names no cachedir.
const defaultCache = "/var/cache/gostate"

// backupMinion copies a file that is about to be replaced below the cache directory, under its path and the time, when
// the backup mode, of the state or of the config, asks for it.
func backupMinion(env *modules.Env, h host.Host, mode, name string, now time.Time) error {
	if mode == "" {
		mode = option(env, "backup_mode", "")
	}
	if mode != "minion" && mode != "both" {
		return nil
	}
	i, err := h.Stat(name)
	if err != nil || !i.IsRegular() {
		return nil
	}
	stamp := now.Format("Mon_Jan_02_15:04:05") + fmt.Sprintf("_%06d_%d", now.Nanosecond()/1000, now.Year())
	to := path.Join(option(env, "cachedir", defaultCache), "file_backup", path.Clean("/"+name)+"_"+stamp)
	if err := modules.MakeDirs(h, path.Dir(to), host.Attr{Mode: 0o700, HasMode: true, UID: -1, GID: -1}); err != nil {
		return fmt.Errorf("back up %s: %w", name, err)
	}
	return copyFile(h, name, to, host.Attr{Mode: i.Perm() & 0o700, HasMode: true, UID: -1, GID: -1})
}

// copyFile copies the content of a file.
func copyFile(h host.Host, from, to string, a host.Attr) error {
	f, err := h.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return h.WriteFile(to, f, a)
}

// backupBeside copies a file to one of the same name and a suffix, as the editing functions do. No suffix, no backup.
func backupBeside(h host.Host, name string, suffix value.Value) error {
	ext, ok := suffix.(value.Str)
	if !ok || ext == "" || strings.EqualFold(string(ext), "false") || strings.EqualFold(string(ext), "none") {
		return nil
	}
	i, err := h.Stat(name)
	if err != nil {
		return err
	}
	id := host.IdentityOf(h) // the copy belongs to who made it
	return copyFile(h, name, name+string(ext), host.Attr{Mode: i.Perm(), HasMode: true, UID: id.UID, GID: id.GID})
}

// option is a text of the config.
func option(env *modules.Env, key, def string) string {
	if env.Opts != nil {
		if v, ok := env.Opts(key); ok {
			if s, err := modules.Text(v); err == nil && s != "" {
				return s
			}
		}
	}
	return def
}
