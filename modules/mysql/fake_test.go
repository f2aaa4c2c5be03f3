package mysql

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"

	driver "github.com/go-sql-driver/mysql"

	"github.com/gostate/gostate/state/host/hosttest"
)

// store is the file in which the fake server keeps its objects, so that what writes is seen.
const store = "/var/lib/mysql/objects"

// A fake is a MariaDB server that knows gostate's own questions and statements. It keeps columns by kind and name.
type fake struct {
	m       *hosttest.Memory
	objects map[string]object
}

// fakeServer listens on the usual socket of a machine in memory.
func fakeServer(m *hosttest.Memory, objects map[string]object) {
	m.MustWrite("/var/run/mysqld/mysqld.sock", "", 0o777)
	f := &fake{m, map[string]object{"user root\nlocalhost": {"User": "root", "Host": "localhost", "plugin": native},
		"database mysql": {"charset": "utf8mb4", "collation": "utf8mb4_general_ci"}}}
	for name, o := range objects {
		f.objects[name] = o
	}
	f.save()
	m.Dialer = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go (&fake{m: m}).serve(far)
		return near, nil
	}
}

func (f *fake) save() {
	raw, _ := json.Marshal(f.objects)
	f.m.MustWrite(store, string(raw), 0o600)
}

func (f *fake) load() {
	f.objects = map[string]object{}
	raw, _ := f.m.ReadFile(store)
	_ = json.Unmarshal(raw, &f.objects)
}

// A wire are the packets of one connection.
type wire struct {
	in  *bufio.Reader
	out net.Conn
	seq byte
}

func (w *wire) read() ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(w.in, head); err != nil {
		return nil, err
	}
	w.seq = head[3]
	body := make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	_, err := io.ReadFull(w.in, body)
	return body, err
}

func (w *wire) write(body []byte) {
	w.seq++
	n := len(body)
	_, _ = w.out.Write(append([]byte{byte(n), byte(n >> 8), byte(n >> 16), w.seq}, body...))
}

// text is a length and a text.
func text(s string) []byte {
	if len(s) < 251 {
		return append([]byte{byte(len(s))}, s...)
	}
	return append([]byte{0xfc, byte(len(s)), byte(len(s) >> 8)}, s...)
}

func (f *fake) serve(c net.Conn) {
	defer c.Close()
	w := &wire{in: bufio.NewReader(c), out: c, seq: 255}
	hello := append([]byte{10}, "10.11.6-MariaDB\x00\x01\x00\x00\x0012345678\x00"...)
	hello = binary.LittleEndian.AppendUint16(hello, 0xa20d) // protocol 4.1, secure connection, connect with db
	hello = append(hello, 45, 2, 0)
	hello = binary.LittleEndian.AppendUint16(hello, 0x000b) // several statements and results, plugins
	hello = append(hello, 21)
	hello = append(hello, make([]byte, 10)...)
	w.write(append(append(hello, "123456789012\x00"...), native+"\x00"...))
	if _, err := w.read(); err != nil {
		return
	}
	w.write([]byte{0, 0, 0, 2, 0, 0, 0})
	for {
		p, err := w.read()
		if err != nil || p[0] == 1 {
			return
		}
		f.load()
		if p[0] == 14 { // ping
			w.write([]byte{0, 0, 0, 2, 0, 0, 0})
			continue
		}
		r, err := f.answer(string(p[1:]))
		f.tell(w, r, err)
	}
}

func (f *fake) tell(w *wire, r *result, err error) {
	if err != nil {
		w.write(append([]byte{0xff, 0x28, 0x04, '#'}, "42000"+err.Error()...))
		return
	}
	if r == nil {
		w.write([]byte{0, 0, 0, 2, 0, 0, 0})
		return
	}
	w.write([]byte{byte(len(r.columns))})
	for _, name := range r.columns {
		p := slices.Concat(text("def"), text(""), text(""), text(""), text(name), text(name))
		w.write(append(p, 12, 45, 0, 255, 0, 0, 0, 0xfd, 0, 0, 0, 0, 0))
	}
	w.write([]byte{0xfe, 0, 0, 2, 0})
	for _, row := range r.rows {
		var p []byte
		for _, v := range row {
			p = append(p, text(v)...)
		}
		w.write(p)
	}
	w.write([]byte{0xfe, 0, 0, 2, 0})
}

// rule is what the fake answers to texts that match: $ is a quoted text or name.
type rule struct {
	pattern string
	do      func(a []string) (*result, error)
}

func one(values ...string) *result { return &result{columns: values, rows: [][]string{values}} }

func (f *fake) answer(query string) (*result, error) {
	for _, r := range f.rules() {
		pattern := "(?s)^(?:" + strings.ReplaceAll(r.pattern, "$", "['`]((?:[^'`]|``)*)['`]") + ")$"
		if m := regexp.MustCompile(pattern).FindStringSubmatch(query); m != nil {
			for i := range m {
				m[i] = strings.NewReplacer("``", "`", `\\`, `\`).Replace(m[i])
			}
			return r.do(m[1:])
		}
	}
	return nil, fmt.Errorf("the fake does not know %s", query)
}

func (f *fake) rules() []rule {
	done := func(do func(a []string)) func(a []string) (*result, error) {
		return func(a []string) (*result, error) { do(a); f.save(); return nil, nil }
	}
	enter := func(a []string) {
		o := object{"User": a[0], "Host": a[1], "plugin": native}
		switch {
		case strings.Contains(a[2], "unix_socket"):
			o["plugin"] = "unix_socket"
		case a[4] != "":
			o["plugin"], o["authentication_string"] = a[3], login{password: a[4]}.kept()
		default:
			o["plugin"], o["authentication_string"] = a[3], a[5]
		}
		f.objects["user "+a[0]+"\n"+a[1]] = o
	}
	const how = "( IDENTIFIED VIA unix_socket| IDENTIFIED VIA $ USING (?:PASSWORD\\($\\)|$))"
	return []rule{
		{`SELECT VERSION\(\)`, func([]string) (*result, error) { return one("10.11.6-MariaDB"), nil }},
		{`SELECT SCHEMA_NAME.*`, func([]string) (*result, error) { return f.table("database "), nil }},
		{`SELECT u\.\* FROM mysql.user u`, func([]string) (*result, error) { return f.table("user "), nil }},
		{`SELECT PLUGIN_STATUS .* = $`, func(a []string) (*result, error) {
			if a[0] == "none" {
				return &result{columns: []string{"x"}}, nil
			}
			return one("ACTIVE"), nil
		}},
		{`SELECT COLLATION_NAME.*\($, $\)`, func(a []string) (*result, error) {
			if a[0] == "klingon_ci" {
				return &result{columns: []string{"x", "y"}}, nil
			}
			set, _, _ := strings.Cut(a[1], "_")
			return one(a[1], set), nil
		}},
		{`SELECT CHARACTER_SET_NAME.*\($, $\)`, func(a []string) (*result, error) {
			if a[0] == "klingon" {
				return &result{columns: []string{"x", "y"}}, nil
			}
			set := strings.TrimSuffix(a[1], "|")
			return one(set, set+"_general_ci"), nil
		}},
		{`SELECT @@character_set_server.*`, func([]string) (*result, error) {
			return one("utf8mb4", "utf8mb4_general_ci"),
				nil
		}},
		{`SHOW GRANTS FOR $@$`, f.show},
		{`SELECT 1 FROM INFORMATION_SCHEMA.TABLES .* $ AND .* $`, func(a []string) (*result, error) {
			if a[1] == "none" {
				return &result{columns: []string{"x"}}, nil
			}
			return one("1"), nil
		}},
		{`SELECT 1 AS a`, func([]string) (*result, error) {
			return &result{columns: []string{"a"}, rows: [][]string{{"1"}}},
				nil
		}},
		{`SHOW TABLES IN $`, func([]string) (*result, error) { return one("t"), nil }},
		{`SHOW STATUS|SHOW PLUGINS`, func([]string) (*result, error) { return one("Uptime", "7"), nil }},
		{`SET SESSION .*|DELETE .*|UPDATE .*`, func([]string) (*result, error) { return nil, nil }},
		{`CREATE DATABASE IF NOT EXISTS $(?: CHARACTER SET $ COLLATE $)?`, done(func(a []string) {
			o := object{"charset": "utf8mb4", "collation": "utf8mb4_general_ci"}
			if a[1] != "" {
				o = object{"charset": a[1], "collation": a[2]}
			}
			f.objects["database "+a[0]] = o
		})},
		{`ALTER DATABASE $ CHARACTER SET $ COLLATE $`, done(func(a []string) {
			f.objects["database "+a[0]] = object{"charset": a[1], "collation": a[2]}
		})},
		{`DROP DATABASE $`, done(func(a []string) { delete(f.objects, "database "+a[0]) })},
		{`CREATE USER $@$` + how, done(enter)}, {`ALTER USER $@$` + how, done(enter)},
		{`DROP USER $@$`, done(func(a []string) {
			delete(f.objects, "user "+a[0]+"\n"+a[1])
			delete(f.objects, "grants "+a[0]+"\n"+a[1])
		})},
		{`GRANT (.*) ON (\S*) TO $@$(?: REQUIRE SSL)?( WITH GRANT OPTION)?`, done(f.grant)},
		{`REVOKE (.*) ON (\S*) FROM $@$`, done(f.revoke)},
	}
}

func (f *fake) table(prefix string) *result {
	var names []string
	for n := range f.objects {
		if strings.HasPrefix(n, prefix) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	r := &result{columns: []string{"name", "charset", "collation", "User", "Host", "plugin", "authentication_string"}}
	for _, n := range names {
		o := f.objects[n]
		row := []string{strings.TrimPrefix(n, prefix)}
		for _, c := range r.columns[1:] {
			row = append(row, o[c])
		}
		r.rows = append(r.rows, row)
	}
	return r
}

func (f *fake) show(a []string) (*result, error) {
	if f.objects["user "+a[0]+"\n"+a[1]] == nil {
		return nil, &driver.MySQLError{Number: 1141, Message: "no such grant"}
	}
	r := &result{columns: []string{"x"}}
	held := f.objects["grants "+a[0]+"\n"+a[1]]
	to := " TO `" + a[0] + "`@`" + a[1] + "`"
	if held["*.*"] == "" {
		r.rows = append(r.rows, []string{"GRANT USAGE ON *.*" + to})
	}
	for level, list := range held {
		all := parts(list)
		rest := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return p == grantOption })
		if len(rest) == 0 {
			rest = []string{"USAGE"}
		}
		line := "GRANT " + columns(rest) + " ON " + level + to
		if len(rest) < len(all) {
			line += " WITH GRANT OPTION"
		}
		r.rows = append(r.rows, []string{line})
	}
	return r, nil
}

func (f *fake) grant(a []string) {
	key, level := "grants "+a[2]+"\n"+a[3], a[1]
	if f.objects[key] == nil {
		f.objects[key] = object{}
	}
	list := parts(f.objects[key][level])
	for _, p := range append(split(a[0]), map[bool][]string{true: {grantOption}}[a[4] != ""]...) {
		p = (&catalog{version: "MariaDB"}).canonical(p)
		if !slices.Contains(list, p) && p != "USAGE" {
			list = append(list, p)
		}
	}
	f.objects[key][level] = strings.Join(list, "|")
}

func (f *fake) revoke(a []string) {
	key, level := "grants "+a[2]+"\n"+a[3], a[1]
	gone := split(a[0])
	list := slices.DeleteFunc(parts(f.objects[key][level]), func(p string) bool {
		return slices.Contains(gone, p) || gone[0] == allPrivileges && p != grantOption
	})
	f.objects[key][level] = strings.Join(list, "|")
	if len(list) == 0 {
		delete(f.objects[key], level)
	}
}
