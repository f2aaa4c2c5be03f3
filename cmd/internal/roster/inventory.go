package roster

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// An ansible is an inventory of Ansible's while it is read: hosts and groups, and of the variables those that say how a
// host is reached.
type ansible struct {
	file     string
	order    []*Host
	by       map[string]*Host
	children map[string][]string          // group -> groups in it
	vars     map[string]map[string]string // group -> variables
	own      map[string]map[string]string // host -> variables
	faults   diag.List
}

func newAnsible(file string) *ansible {
	return &ansible{file: file, by: map[string]*Host{}, children: map[string][]string{},
		vars: map[string]map[string]string{}, own: map[string]map[string]string{}}
}

// inventory reads one in INI: [group], [group:children], [group:vars], hosts with ranges and variables.
func inventory(file, text string) ([]*Host, error) {
	a, group, kind, n := newAnsible(file), "ungrouped", "", 0
	for line := range strings.Lines(text) {
		n++
		pos := diag.Pos{File: file, Line: n}
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[':
			head, ok := strings.CutSuffix(strings.Fields(line)[0], "]")
			if !ok {
				a.faults.Add(diag.Errorf(pos, "%q is no head of a group", line).WithHint("[web], [web:vars] or [all:children]"))
			}
			group, kind, _ = strings.Cut(strings.TrimPrefix(head, "["), ":")
		case kind == "children":
			a.children[group] = append(a.children[group], strings.Fields(line)[0])
		case kind == "vars":
			k, v, _ := strings.Cut(line, "=")
			a.set(a.vars, group, strings.TrimSpace(k), strings.TrimSpace(v))
		default:
			a.line(line, group, pos)
		}
	}
	return a.finish()
}

func (a *ansible) set(in map[string]map[string]string, name, key, text string) {
	if in[name] == nil {
		in[name] = map[string]string{}
	}
	in[name][key] = strings.Trim(text, `'"`)
}

// line is a host, or a range of them, with variables behind it.
func (a *ansible) line(line, group string, pos diag.Pos) {
	words := strings.Fields(line)
	names, err := ranges(words[0])
	if err != nil {
		a.faults.Add(diag.Errorf(pos, "%v", err).WithHint("web[01:50], web[a:f]"))
	}
	for _, name := range names {
		a.host(name, group, pos)
		for _, w := range words[1:] {
			k, v, ok := strings.Cut(w, "=")
			if strings.HasPrefix(k, "#") {
				break
			}
			if !ok {
				a.faults.Add(diag.Errorf(pos, "%q behind host %s is no NAME=VALUE", w, name).
					WithHint("one host stands on a line"))
				break
			}
			a.set(a.own, name, k, v)
		}
	}
}

func (a *ansible) host(name, group string, pos diag.Pos) {
	h := a.by[name]
	if h == nil {
		h = &Host{ID: name, Pos: pos}
		a.by[name] = h
		a.order = append(a.order, h)
	}
	if !slices.Contains(h.Groups, group) {
		h.Groups = append(h.Groups, group)
	}
}

// ranges are the names that web[01:50] or db-[a:c].x stands for.
func ranges(word string) ([]string, error) {
	m := regexp.MustCompile(`^(.*?)\[([0-9]+|[a-z]):([0-9]+|[a-z])\](.*)$`).FindStringSubmatch(word)
	if m == nil {
		if strings.ContainsAny(word, "[]") {
			return nil, fmt.Errorf("%q is no range", word)
		}
		return []string{word}, nil
	}
	from, err1 := strconv.Atoi(m[2])
	to, err2 := strconv.Atoi(m[3])
	format := fmt.Sprintf("%%0%dd", len(m[2]))
	if err1 != nil && err2 != nil {
		from, to, format = int(m[2][0]), int(m[3][0]), "%c"
	} else if err1 != nil || err2 != nil {
		return nil, fmt.Errorf("%q is no range", word)
	}
	if to < from || to-from > 100_000 {
		return nil, fmt.Errorf("%q is no range: it leads from %s to %s", word, m[2], m[3])
	}
	var out []string
	for i := from; i <= to; i++ {
		more, err := ranges(m[1] + fmt.Sprintf(format, i) + m[4])
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// groupsOf reads an inventory in YAML: groups with hosts, children and vars.
func groupsOf(file string, d *value.Dict) ([]*Host, error) {
	a := newAnsible(file)
	for i := range d.Len() {
		e := d.At(i)
		a.group(value.String(e.Key), e.Val, diag.Pos{File: file, Line: int(e.KeyAt.Line), Col: int(e.KeyAt.Col)})
	}
	return a.finish()
}

func (a *ansible) group(name string, v value.Value, pos diag.Pos) {
	d, _ := v.(*value.Dict)
	if d == nil {
		return
	}
	for k, v := range d.All() {
		below, _ := v.(*value.Dict)
		if below == nil {
			continue
		}
		for i := range below.Len() {
			e := below.At(i)
			at := diag.Pos{File: a.file, Line: int(e.KeyAt.Line), Col: int(e.KeyAt.Col)}
			key := value.String(e.Key)
			switch value.String(k) {
			case "children":
				a.children[name] = append(a.children[name], key)
				a.group(key, e.Val, at)
			case "vars":
				a.set(a.vars, name, key, value.String(e.Val))
			case "hosts":
				a.yamlHost(key, name, e.Val, at)
			}
		}
	}
}

func (a *ansible) yamlHost(word, group string, v value.Value, pos diag.Pos) {
	names, err := ranges(word)
	if err != nil {
		a.faults.Add(diag.Errorf(pos, "%v", err).WithHint("web[01:50], web[a:f]"))
	}
	for _, name := range names {
		a.host(name, group, pos)
		if d, ok := v.(*value.Dict); ok {
			for k, v := range d.All() {
				a.set(a.own, name, value.String(k), value.String(v))
			}
		}
	}
}

// finish puts hosts in the groups above theirs, and takes from the variables how they are reached.
func (a *ansible) finish() ([]*Host, error) {
	parents := map[string][]string{}
	for g, below := range a.children {
		for _, c := range below {
			parents[c] = append(parents[c], g)
		}
	}
	for _, h := range a.order {
		for i := 0; i < len(h.Groups); i++ {
			up := parents[h.Groups[i]]
			slices.Sort(up)
			for _, g := range up {
				if !slices.Contains(h.Groups, g) {
					h.Groups = append(h.Groups, g)
				}
			}
		}
		if !slices.Contains(h.Groups, "all") {
			h.Groups = append(h.Groups, "all")
		}
		a.apply(h)
	}
	a.faults.Sort()
	return a.order, a.faults.Err()
}

// variable is that of a host: its own, else that of the nearest group.
func (a *ansible) variable(h *Host, names ...string) string {
	for _, n := range names {
		if v, ok := a.own[h.ID][n]; ok {
			return v
		}
	}
	for _, g := range h.Groups {
		for _, n := range names {
			if v, ok := a.vars[g][n]; ok {
				return v
			}
		}
	}
	return ""
}

func (a *ansible) apply(h *Host) {
	h.Address = a.variable(h, "ansible_host", "ansible_ssh_host")
	h.User = a.variable(h, "ansible_user", "ansible_ssh_user")
	h.Key = a.variable(h, "ansible_ssh_private_key_file")
	if text := a.variable(h, "ansible_port", "ansible_ssh_port"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 65535 {
			a.faults.Add(diag.Errorf(h.Pos, "the port of %s is %q", h.ID, text).WithHint("ansible_port=22"))
		}
		h.Port = n
	}
	if text := a.variable(h, "ansible_become"); text != "" {
		yes := slices.Contains([]string{"true", "yes", "1", "on"}, strings.ToLower(text))
		h.Sudo = &yes
	}
	for _, secret := range []string{"ansible_password", "ansible_ssh_pass", "ansible_become_password"} {
		if a.variable(h, secret) != "" {
			a.faults.Add(diag.Errorf(h.Pos, "%s has %s: gostate reads no password from files", h.ID, secret).
				WithHint("log in with a key; --ask-sudo-password asks for sudo's"))
		}
	}
}
