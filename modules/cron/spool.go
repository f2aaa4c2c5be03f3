package cron

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// dir is where crontabs are: Debian's place, SUSE's, or that of other systems. headed says that crontab(1) puts a head
// on them there.
func dir(h host.Reader) (name string, headed bool, err error) {
	for _, d := range []string{"/var/spool/cron/crontabs", "/var/spool/cron/tabs", "/var/spool/cron"} {
		if i, err := h.Stat(d); err == nil && i.IsDir() {
			return d, strings.HasSuffix(d, "crontabs"), nil
		}
	}
	return "", false, host.Missing("cron is not installed: neither /var/spool/cron/crontabs nor /var/spool/cron exists")
}

// listed is the crontab of a user with its head, as it is; ok is false where there is none.
func listed(h host.Reader, user string) (text string, ok bool, err error) {
	if _, err := h.User(user); err != nil {
		return "", false, host.Missing("the user %s, whose crontab is managed, does not exist", user)
	}
	d, _, err := dir(h)
	if err != nil {
		return "", false, err
	}
	data, err := h.ReadFile(d + "/" + user)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read the crontab of %s: %w", user, err)
	}
	return string(data), true, nil
}

// read is the crontab of the user; one that is not there is empty.
func read(h host.Reader, user string) (*table, error) {
	text, _, err := listed(h, user)
	if err != nil {
		return nil, err
	}
	return parse(text), nil
}

// write replaces the crontab of the user.
func (t *table) write(h host.Host, user string) error { return install(h, user, t.header, t.body()) }

// install writes a crontab as crontab(1) does. Cron sees it by the time of its folder.
func install(h host.Host, user string, head []string, body string) error {
	u, err := h.User(user)
	if err != nil {
		return fmt.Errorf("look up the user %s: %w", user, err)
	}
	d, headed, err := dir(h)
	if err != nil {
		return err
	}
	if headed && len(head) < headerLines {
		head = header()
	}
	for i := range head {
		body = head[len(head)-1-i] + "\n" + body
	}
	a := host.Attr{Mode: 0o600, HasMode: true, UID: u.UID, GID: -1}
	if g, err := h.Group("crontab"); err == nil {
		a.GID = g.GID
	}
	if err := h.WriteFile(d+"/"+user, strings.NewReader(body), a); err != nil {
		return fmt.Errorf("write the crontab of %s: %w", user, err)
	}
	return nil
}
