package file

import (
	"errors"
	"io/fs"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

func propertyNames() []string { return []string{"content", "group", "mode", "owner", "target", "type"} }

// properties are what an audit compares of a path: no times, and no content but its sum.
func properties(h host.Reader, name string) (map[string]string, error) {
	i, err := h.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{"type": "absent"}, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[string]string{"owner": userName(h, i.UID), "group": groupName(h, i.GID),
		"mode": modules.FormatMode(i.Perm())}
	switch {
	case i.IsSymlink():
		out["type"] = "link"
		delete(out, "mode")
		out["target"], err = h.Readlink(name)
	case i.IsDir():
		out["type"] = "directory"
	case i.IsRegular():
		var sum string
		sum, err = hashSized(h, name, "sha256", i.Size)
		out["type"], out["content"] = "file", "{sha256}"+sum
	default:
		out["type"] = i.Mode.Type().String()
	}
	return out, err
}
