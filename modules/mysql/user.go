package mysql

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// native is the plugin of passwords that are kept as their hash, Salt's default.
const native = "mysql_native_password"

// A login is how a user logs in: by a password, by its hash, by who he is on the machine, or by nothing.
type login struct {
	user, host             string
	password, hash, plugin string
	socket                 bool
}

func (l login) key() string { return l.user + "\n" + l.host }

// socketPlugin is what lets the users of the machine in.
func (c *catalog) socketPlugin() string {
	if c.mariadb() {
		return "unix_socket"
	}
	return "auth_socket"
}

// kept is the hash of a password as the server keeps it.
func (l login) kept() string {
	if l.password == "" {
		return l.hash
	}
	once := sha1.Sum([]byte(l.password))
	twice := sha1.Sum(once[:])
	return "*" + strings.ToUpper(hex.EncodeToString(twice[:]))
}

// passwordOf is the hash of a user's password: older servers have another column.
func passwordOf(o object) string { return cmp.Or(o["authentication_string"], o["Password"]) }

// matches says whether a user logs in as wanted, and whether that can be told: not of passwords of other plugins.
func (c *catalog) matches(l login, was object) (same, told bool) {
	plugin := cmp.Or(was["plugin"], native)
	switch {
	case l.socket:
		return plugin == c.socketPlugin(), true
	case l.password == "" && l.hash == "":
		return plugin == native && passwordOf(was) == "", true
	case plugin != native:
		return plugin == l.plugin, false
	}
	return l.plugin == native && strings.EqualFold(passwordOf(was), l.kept()), true
}

// identified is how a statement says the way to log in.
func (c *catalog) identified(l login) (string, []any) {
	modern := c.mariadb() && !c.before(10, 4) || !c.mariadb() && !c.before(8, 0)
	switch {
	case l.socket && c.mariadb():
		return " IDENTIFIED VIA unix_socket", nil
	case l.socket:
		return " IDENTIFIED WITH auth_socket", nil
	case l.password != "" && modern && c.mariadb():
		return " IDENTIFIED VIA " + quoted(l.plugin) + " USING PASSWORD(?)", []any{l.password}
	case l.password != "" && modern:
		return " IDENTIFIED WITH " + quoted(l.plugin) + " BY ?", []any{l.password}
	case l.password != "":
		return " IDENTIFIED BY ?", []any{l.password}
	case modern && c.mariadb():
		return " IDENTIFIED VIA " + quoted(l.plugin) + " USING ?", []any{l.hash}
	case modern && l.hash == "":
		return " IDENTIFIED WITH " + quoted(l.plugin) + " BY ''", nil
	case modern:
		return " IDENTIFIED WITH " + quoted(l.plugin) + " AS ?", []any{l.hash}
	case l.hash == "":
		return "", nil
	}
	return " IDENTIFIED BY PASSWORD ?", []any{l.hash}
}

// before says whether the server is older than a version.
func (c *catalog) before(major, minor int) bool {
	var a, b int
	if _, err := fmt.Sscanf(c.version, "%d.%d", &a, &b); err != nil {
		return false
	}
	return a < major || a == major && b < minor
}

// enter makes a user, or changes how one logs in. was is nil for a new one.
func (c *catalog) enter(l login, was object) error {
	if err := c.fits(l); err != nil {
		return err
	}
	verb := "CREATE USER ?@?"
	if was != nil {
		verb = "ALTER USER ?@?"
	}
	how, args := c.identified(l)
	if was != nil && how == "" {
		return c.clearOld(l, was)
	}
	return c.do("change the user "+l.user+"@"+l.host, func(o host.Host) error { c.foreseeUser(o, l, was); return nil },
		stmt(verb+how, append([]any{l.user, l.host}, args...)...))
}

// clearOld takes the password away on servers that know no other way.
func (c *catalog) clearOld(l login, was object) error {
	return c.do("change the user "+l.user+"@"+l.host, func(o host.Host) error { c.foreseeUser(o, l, was); return nil },
		stmt("SET PASSWORD FOR ?@? = ''", l.user, l.host))
}

func (c *catalog) foreseeUser(o host.Host, l login, was object) {
	as := object{}
	maps.Copy(as, was)
	as["User"], as["Host"], as["plugin"], as["Password"] = l.user, l.host, cmp.Or(l.plugin, native), ""
	as["authentication_string"] = l.kept()
	if l.socket {
		as["plugin"], as["authentication_string"] = c.socketPlugin(), ""
	} else if l.password == "" && l.hash == "" {
		as["plugin"], as["authentication_string"] = native, ""
	}
	c.foresee(o, users, l.key(), as)
	if was == nil {
		c.foresee(o, grants, l.key(), object{})
	}
}

// fits finds what the server would refuse.
func (c *catalog) fits(l login) error {
	if len(l.user) > 128 || c.before(8, 0) && len(l.user) > 32 || len(l.host) > 255 {
		return errors.New("String '" + l.user + "' is too long for user name")
	}
	plugin := l.plugin
	if l.socket {
		plugin = c.socketPlugin()
	}
	r, err := c.ask("SELECT PLUGIN_STATUS FROM INFORMATION_SCHEMA.PLUGINS WHERE PLUGIN_NAME = ?", plugin)
	if err == nil && r.one() != "ACTIVE" {
		err = fmt.Errorf("The %s plugin is not enabled.", plugin)
	}
	if err == nil && l.plugin == native && l.hash != "" && l.password == "" && !isHash(l.hash) {
		err = errors.New("password_hash is no hash of a password: it begins with * and has 40 hexadecimal digits")
	}
	return err
}

func isHash(text string) bool {
	_, err := hex.DecodeString(strings.TrimPrefix(text, "*"))
	return err == nil && len(text) == 41
}

func (c *catalog) dropUser(user, from string) error {
	key := user + "\n" + from
	return c.do("remove the user "+user+"@"+from, func(o host.Host) error {
		c.foresee(o, users, key, nil)
		c.foresee(o, grants, key, nil)
		return nil
	}, stmt("DROP USER ?@?", user, from))
}
