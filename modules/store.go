package modules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Stored is the map in a file below cachedir, as Salt writes it; one that is not there is empty.
func (c *Call) Stored(name string) (*value.Dict, error) {
	file := path.Join(c.CacheDir(), name)
	b, err := c.Host.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return value.NewDict(0), nil
	}
	if err != nil {
		return nil, err
	}
	v, err := c.Deserialize("msgpack", string(b))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return nil, fmt.Errorf("read %s: it holds a %s, not a map", file, v.TypeName())
	}
	return d, nil
}

// Store writes the map.
func (c *Call) Store(name string, d *value.Dict, a host.Attr) error {
	text, err := c.Serialize("msgpack", d, nil)
	if err != nil {
		return err
	}
	file := path.Join(c.CacheDir(), name)
	if err := MakeDirs(c.Host, path.Dir(file), host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
		return err
	}
	return c.Host.WriteFile(file, strings.NewReader(text), a)
}

// Forget removes the file.
func (c *Call) Forget(name string) error {
	err := c.Host.Remove(path.Join(c.CacheDir(), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
