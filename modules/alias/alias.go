// Package alias keeps mail aliases in /etc/aliases.
package alias

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "alias", States: []modules.StateSpec{presentSpec(), absentSpec()}}
}

const file = "/etc/aliases"

func read(h host.Reader) ([]string, error) {
	data, err := h.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}

// find is the line of a name and what it stands for; -1 when there is none.
func find(lines []string, name string) (int, string) {
	for i, l := range lines {
		n, target, ok := strings.Cut(l, ":")
		if ok && !strings.HasPrefix(strings.TrimSpace(l), "#") && strings.EqualFold(strings.Trim(strings.TrimSpace(n), `"`), name) {
			return i, strings.TrimSpace(target)
		}
	}
	return -1, ""
}

// write replaces the file and, where the mail server keeps a database of it, has that made anew.
func write(ctx context.Context, h host.Host, lines []string) error {
	a := host.KeepAttr()
	if _, err := h.Stat(file); err != nil {
		a = host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
	}
	text := strings.Join(lines, "\n")
	if text != "" {
		text += "\n"
	}
	if err := h.WriteFile(file, strings.NewReader(text), a); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if _, err := h.LookPath("newaliases"); err != nil {
		return nil
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{"newaliases"}})
	if err != nil {
		return fmt.Errorf("run newaliases: %w", err)
	}
	if out.Code != 0 {
		return errors.New("newaliases: " + strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}
