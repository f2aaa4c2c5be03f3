// Package alias keeps mail aliases in /etc/aliases.
package alias

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "alias", States: []modules.StateSpec{presentSpec(), absentSpec()}}
}

const file = "/etc/aliases"

// target is what the name stands for in a line; is says whether the line is the name's.
func target(line, name string) (to string, is bool) {
	n, to, ok := strings.Cut(line, ":")
	is = ok && !strings.HasPrefix(strings.TrimSpace(line), "#") && strings.EqualFold(strings.Trim(strings.TrimSpace(n), `"`), name)
	return strings.TrimSpace(to), is
}

// write replaces the file and, where the mail server keeps a database of it, has that made anew.
func write(ctx context.Context, h host.Host, lines []string) error {
	if err := modules.WriteLines(h, file, lines); err != nil {
		return err
	}
	if _, err := h.LookPath("newaliases"); err != nil {
		return nil
	}
	return modules.Tool{On: host.FactPath, Args: []string{"newaliases"}}.Run(ctx, h)
}
