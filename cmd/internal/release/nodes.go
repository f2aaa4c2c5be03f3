package release

import (
	"os"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Node is a machine of nodes.yaml, the list in the operator's repository of the machines that there are:
//
//	nodes:
//	  web1.example.com:
//	    age: age1...           # whom its pillar is encrypted for; a text or a list
//	    env: prod              # its environment; one without is in every one
//	    host: 10.0.0.5         # where ssh reaches it, if not by its id; with user, port, ...
//	    nkey: U...             # who it is at a hub
//	    labels: {role: web}    # for targets
//	    grains: {os: Debian}   # laid over what it last reported
type Node struct {
	ID     string
	Age    []string
	Env    string
	NKey   string
	Labels *value.Dict // nil for none
	Grains *value.Dict // nil for none
	Other  *value.Dict // all other keys, of those who reach it; nil for none
	Pos    diag.Pos
}

// ReadNodes reads nodes.yaml; the machines come in the order of the file.
func ReadNodes(path string) ([]Node, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: path}, "cannot read the list of machines: %v", err).
			WithHint("gostate agent enrol prints what a machine adds to it; --nodes names another file")
	}
	v, err := yaml.Decode(path, text)
	if err != nil {
		return nil, err
	}
	top, _ := v.(*value.Dict)
	var nodes *value.Dict
	if top != nil {
		below, _ := top.GetStr("nodes")
		nodes, _ = below.(*value.Dict)
	}
	if nodes == nil {
		return nil, diag.Errorf(diag.Pos{File: path, Line: 1, Col: 1}, "it is no list of machines").
			WithHint("nodes: {web1: {age: age1...}}")
	}
	var faults diag.List
	out := make([]Node, 0, nodes.Len())
	for i := range nodes.Len() {
		e := nodes.At(i)
		n := Node{ID: value.String(e.Key), Pos: diag.Pos{File: path, Line: int(e.KeyAt.Line), Col: int(e.KeyAt.Col)}}
		faults.Add(n.read(e.Val)...)
		out = append(out, n)
	}
	return out, faults.Err()
}

// otherKeys are those of who reaches a machine by ssh.
func otherKeys() []string {
	return []string{"host", "user", "port", "key", "sudo", "options", "groups", "jump"}
}

func (n *Node) read(v value.Value) (faults []*diag.Diagnostic) {
	fault := func(hint, format string, args ...any) {
		faults = append(faults, diag.Errorf(n.Pos, format, args...).WithHint("%s", hint))
	}
	if !GoodName(n.ID) {
		fault("letters, digits and . _ - name one", "%q is no name of a machine", n.ID)
	}
	d, ok := v.(*value.Dict)
	if !ok {
		if v != value.None {
			fault(n.ID+": {age: age1...}", "%s is %s, not a map", n.ID, value.Repr(v))
		}
		return faults
	}
	for k, v := range d.All() {
		key := value.String(k)
		switch {
		case key == "age":
			n.Age = value.Texts(v)
		case key == "env":
			n.Env = value.String(v)
		case key == "nkey":
			n.NKey = value.String(v)
		case key == "labels" || key == "grains":
			below, isDict := v.(*value.Dict)
			if !isDict {
				fault(key+": {key: value}", "%s of %s is %s, not a map", key, n.ID, value.Repr(v))
			} else if key == "labels" {
				n.Labels = below
			} else {
				n.Grains = below
			}
		case slices.Contains(otherKeys(), key):
			if n.Other == nil {
				n.Other = value.NewDict(4)
			}
			n.Other.SetStr(key, v)
		default:
			fault(nearKey(key), "%s has an unknown key %q", n.ID, key)
		}
	}
	return faults
}

func nearKey(key string) string {
	known := append([]string{"age", "env", "nkey", "labels", "grains"}, otherKeys()...)
	if near := diag.Nearest(key, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "there are " + strings.Join(known, ", ")
}
