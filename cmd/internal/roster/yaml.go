package roster

import (
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// nodes are the machines of nodes.yaml. Labels count as grains, too, where a grain does not say otherwise.
func nodes(file string) (out []*Host, err error) {
	list, err := release.ReadNodes(file)
	if err != nil {
		return nil, err
	}
	var faults diag.List
	for _, n := range list {
		h := &Host{ID: n.ID, Pos: n.Pos, Grains: value.NewDict(4)}
		for _, d := range []*value.Dict{n.Labels, n.Grains} {
			if d != nil {
				for k, v := range d.All() {
					_ = h.Grains.Set(k, v)
				}
			}
		}
		if n.Env != "" {
			h.Groups = append(h.Groups, n.Env)
		}
		if n.Other != nil {
			for k, v := range n.Other.All() {
				if !h.set(value.String(k), v) {
					faults.Add(diag.Errorf(n.Pos, "%s of %s is %s", value.String(k), n.ID, value.Repr(v)))
				}
			}
		}
		out = append(out, h)
	}
	return out, faults.Err()
}

// set takes a key of nodes.yaml or of Salt's roster; false where the value is none of that key.
func (h *Host) set(key string, v value.Value) bool {
	text := value.String(v)
	switch key {
	case "host":
		h.Address = text
	case "user":
		h.User = text
	case "port":
		n, ok := v.(value.Int)
		h.Port = int(n)
		return ok && n > 0 && n < 1<<16
	case "key", "priv":
		h.Key = text
	case "jump":
		h.Options = append(h.Options, "-J", text)
	case "sudo":
		b, ok := v.(value.Bool)
		yes := bool(b)
		h.Sudo = &yes
		return ok
	case "options":
		for _, o := range texts(v) {
			h.Options = append(h.Options, "-o", o)
		}
	case "groups":
		h.Groups = append(h.Groups, texts(v)...)
	}
	return true
}

func texts(v value.Value) (out []string) {
	l, ok := v.(*value.List)
	if !ok {
		return []string{value.String(v)}
	}
	for _, item := range l.Items {
		out = append(out, value.String(item))
	}
	return out
}

// yamlRoster is Salt's flat roster, or an inventory of Ansible's in YAML: that has groups with hosts or children.
func yamlRoster(file string, text []byte) ([]*Host, error) {
	v, err := yaml.Decode(file, text)
	if err != nil {
		return nil, err
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return nil, diag.Errorf(diag.Pos{File: file, Line: 1, Col: 1}, "the roster is no map of hosts").
			WithHint("web1: {host: 10.0.0.5, user: admin}")
	}
	if isInventory(d) {
		return groupsOf(file, d)
	}
	return flat(file, d)
}

func isInventory(d *value.Dict) bool {
	for _, v := range d.All() {
		if g, ok := v.(*value.Dict); ok && (g.Has(value.Str("hosts")) || g.Has(value.Str("children"))) {
			return true
		}
	}
	return false
}

// flat is Salt's roster: a host's id to how it is reached. Salt differs: a password in it is refused.
func flat(file string, d *value.Dict) (out []*Host, err error) {
	var faults diag.List
	for i := range d.Len() {
		e := d.At(i)
		h := &Host{ID: value.String(e.Key), Pos: diag.Pos{File: file, Line: int(e.KeyAt.Line), Col: int(e.KeyAt.Col)}}
		switch v := e.Val.(type) {
		case value.Str:
			h.Address = string(v)
		case *value.Dict:
			for k, v := range v.All() {
				if fault := h.salts(value.String(k), v); fault != nil {
					faults.Add(fault)
				}
			}
		default:
			faults.Add(diag.Errorf(h.Pos, "host %s is %s, neither an address nor a map", h.ID, value.Repr(v)).
				WithHint("%s: {host: 10.0.0.5}", h.ID))
		}
		out = append(out, h)
	}
	return out, faults.Err()
}

// salts takes a key of Salt's roster.
func (h *Host) salts(key string, v value.Value) *diag.Diagnostic {
	switch key {
	case "host", "user", "port", "sudo", "priv":
		if !h.set(key, v) {
			return diag.Errorf(h.Pos, "%s of %s is %s", key, h.ID, value.Repr(v))
		}
	case "passwd", "password", "priv_passwd":
		return diag.Errorf(h.Pos, "%s has %s: gostate gives ssh no password, and reads none from files", h.ID, key).
			WithHint("log in with a key or an agent: ssh-copy-id, ssh-add; --ask-sudo-password asks for sudo's")
	case "minion_opts":
		h.Config, _ = v.(*value.Dict)
		if h.Config != nil {
			g, _ := h.Config.GetStr("grains")
			h.Grains, _ = g.(*value.Dict)
		}
	case "timeout":
		h.Options = append(h.Options, "-o", "ConnectTimeout="+value.String(v))
	case "ssh_options":
		h.set("options", v)
	case "tty", "thin_dir", "cmd_umask", "set_path", "ssh_pre_flight", "ssh_pre_flight_args", "identities_only":
	default:
		d := diag.Errorf(h.Pos, "%s has an unknown key %q", h.ID, key)
		if near := diag.Nearest(key, []string{"host", "user", "port", "sudo", "priv", "minion_opts", "timeout"}); near != "" {
			return d.WithHint("did you mean %q?", near)
		}
		return d.WithHint("there are host, user, port, sudo, priv, minion_opts, timeout, ssh_options")
	}
	return nil
}
