package docker

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// convert writes an argument as the daemon takes it.
func convert(kind string, v value.Value) (value.Value, error) {
	switch kind {
	case "text":
		t, err := modules.Text(v)
		return value.Str(t), err
	case "bool":
		b, err := modules.Boolean(v)
		return value.Bool(b), err
	case "int":
		n, err := modules.Integer(v)
		return value.Int(n), err
	case "size":
		return size(v)
	case "words":
		return words(v)
	case "any":
		return v, nil
	case "env":
		return pairs(v, "=")
	case "hosts":
		return pairs(v, ":")
	case "map", "tmpfs":
		return dict(v, map[string]string{"map": "=", "tmpfs": ":"}[kind])
	case "restart":
		return restart(v)
	case "bindings":
		return bindings(v)
	}
	texts, err := list(v)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "caps":
		for i, t := range texts {
			texts[i] = strings.ToUpper(t)
		}
	case "ports":
		return ports(texts)
	case "set":
		return set(texts), nil
	case "ulimits":
		return each(texts, ulimit)
	case "devices":
		return each(texts, device)
	}
	return modules.TextList(texts), nil
}

// list is a list of texts, or one with commas.
func list(v value.Value) ([]string, error) {
	var out []string
	texts, err := modules.Texts(v)
	if err != nil {
		return nil, fmt.Errorf("takes a list, or a text with commas, not %s", modules.Describe(v))
	}
	_, isList := v.(*value.List)
	for _, t := range texts {
		if isList {
			out = append(out, t)
			continue
		}
		for p := range strings.SplitSeq(t, ",") {
			out = append(out, strings.TrimSpace(p))
		}
	}
	return out, nil
}

func words(v value.Value) (value.Value, error) {
	if s, ok := v.(value.Str); ok {
		split, err := modules.Words(string(s))
		return modules.TextList(split), err
	}
	texts, err := modules.Texts(v)
	return modules.TextList(texts), err
}

// size is a number of bytes: 512m.
func size(v value.Value) (value.Value, error) {
	t, err := modules.Text(v)
	t = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(t)), "b")
	unit := int64(1)
	if n := len(t); n > 1 {
		if i := strings.IndexByte("kmgt", t[n-1]); i >= 0 {
			unit, t = 1<<(10*(i+1)), t[:n-1]
		}
	}
	f, parsed := strconv.ParseFloat(t, 64)
	if err != nil || parsed != nil || f*float64(unit) > 1<<60 || f < -1 {
		return nil, fmt.Errorf("takes a size such as 512m, not %s", modules.Describe(v))
	}
	return value.Int(int64(f * float64(unit))), nil
}

// items are the pairs of a map, of a list of maps, or of texts with a sign between name and value.
func items(v value.Value, sign string) (out [][2]string, err error) {
	if d, ok := v.(*value.Dict); ok {
		for k, val := range d.All() {
			t, err := modules.Text(val)
			if err != nil {
				return nil, err
			}
			out = append(out, [2]string{value.String(k), t})
		}
		return out, nil
	}
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			some := [][2]string{}
			if d, ok := it.(*value.Dict); ok {
				some, err = items(d, sign)
			} else if t, textErr := modules.Text(it); textErr == nil {
				k, val, _ := strings.Cut(t, sign)
				some = [][2]string{{k, val}}
			} else {
				err = textErr
			}
			if err != nil {
				return nil, err
			}
			out = append(out, some...)
		}
		return out, nil
	}
	texts, err := list(v)
	for _, t := range texts {
		k, val, _ := strings.Cut(t, sign)
		out = append(out, [2]string{k, val})
	}
	return out, err
}

func pairs(v value.Value, sign string) (value.Value, error) {
	all, err := items(v, sign)
	var out []string
	for _, p := range all {
		out = append(out, p[0]+sign+p[1])
	}
	return modules.TextList(out), err
}

func dict(v value.Value, sign string) (value.Value, error) {
	all, err := items(v, sign)
	out := value.NewDict(len(all))
	for _, p := range all {
		out.SetStr(strings.TrimSpace(p[0]), value.Str(strings.TrimSpace(p[1])))
	}
	return out, err
}

func set(texts []string) *value.Dict {
	out := value.NewDict(len(texts))
	for _, t := range texts {
		out.SetStr(t, value.NewDict(0))
	}
	return out
}

func restart(v value.Value) (value.Value, error) {
	if d, ok := v.(*value.Dict); ok {
		return d, nil
	}
	t, err := modules.Text(v)
	if b, isBool := v.(value.Bool); isBool && !bool(b) {
		t = "no"
	}
	name, count, _ := strings.Cut(t, ":")
	n := 0
	if count != "" && err == nil {
		n, err = strconv.Atoi(count)
	}
	if err != nil || !slices.Contains([]string{"no", "always", "unless-stopped", "on-failure"}, name) {
		return nil, fmt.Errorf("takes no, always, unless-stopped or on-failure:COUNT, not %s", modules.Describe(v))
	}
	return value.DictOf("Name", value.Str(name), "MaximumRetryCount", value.Int(n)), nil
}

// span is a port or several: 8000-8010.
func span(text string) (from, to int, err error) {
	a, b, several := strings.Cut(text, "-")
	if !several {
		b = a
	}
	from, err = strconv.Atoi(a)
	if err == nil {
		to, err = strconv.Atoi(b)
	}
	if err != nil || from < 1 || to > 65535 || to < from {
		return 0, 0, fmt.Errorf("takes ports such as 80 or 8000-8010, not %q", text)
	}
	return from, to, nil
}

func proto(text string) (port, kind string) {
	port, kind, ok := strings.Cut(text, "/")
	if !ok {
		kind = "tcp"
	}
	return port, strings.ToLower(kind)
}

func ports(texts []string) (value.Value, error) {
	out := value.NewDict(len(texts))
	for _, t := range texts {
		port, kind := proto(t)
		from, to, err := span(port)
		if err != nil {
			return nil, err
		}
		for p := from; p <= to; p++ {
			out.SetStr(fmt.Sprintf("%d/%s", p, kind), value.NewDict(0))
		}
	}
	return out, nil
}

// bindings are ports of the machine for ports of the container: [[ADDRESS:]PORT:]PORT[/udp].
func bindings(v value.Value) (value.Value, error) {
	if d, ok := v.(*value.Dict); ok {
		return boundBy(d)
	}
	texts, err := list(v)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(len(texts))
	for _, t := range texts {
		if err := bind(out, t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// boundBy is a map of ports of the container to those of the machine.
func boundBy(d *value.Dict) (value.Value, error) {
	out := value.NewDict(d.Len())
	for k, v := range d.All() {
		ports := modules.TextList([]string{""})
		if l, ok := v.(*value.List); ok {
			ports = l
		} else if v != value.Value(value.None) {
			ports = value.NewList(v)
		}
		for _, p := range ports.Items {
			on, err := modules.Text(p)
			if err == nil && on != "" {
				on += ":"
			}
			if err == nil {
				err = bind(out, on+value.String(k))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func bind(out *value.Dict, text string) error {
	cut := strings.LastIndexByte(text, ':')
	inner, kind := proto(text[cut+1:])
	address, outer := "", ""
	if cut >= 0 {
		outer = text[:cut]
		if at := strings.LastIndexByte(outer, ':'); at >= 0 {
			address, outer = strings.Trim(outer[:at], "[]"), outer[at+1:]
		}
	}
	from, to, err := span(inner)
	if err != nil {
		return err
	}
	first, last := 0, to-from
	if outer != "" {
		if first, last, err = span(outer); err != nil {
			return err
		}
		last -= first
	}
	if last != to-from {
		return fmt.Errorf("has in %q a different number of ports on both sides", text)
	}
	for p := from; p <= to; p++ {
		on := ""
		if outer != "" {
			on = strconv.Itoa(first + p - from)
		}
		key := fmt.Sprintf("%d/%s", p, kind)
		have, _ := out.GetStr(key)
		l, ok := have.(*value.List)
		if !ok {
			l = value.NewList()
		}
		l.Items = append(l.Items, value.DictOf("HostIp", value.Str(address), "HostPort", value.Str(on)))
		out.SetStr(key, l)
	}
	return nil
}

func each(texts []string, f func(string) (value.Value, error)) (value.Value, error) {
	out := value.NewList()
	for _, t := range texts {
		v, err := f(t)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

func ulimit(t string) (value.Value, error) {
	name, limits, ok := strings.Cut(t, "=")
	soft, hard, both := strings.Cut(limits, ":")
	if !both {
		hard = soft
	}
	s, err := strconv.ParseInt(soft, 10, 64)
	h, err2 := strconv.ParseInt(hard, 10, 64)
	if !ok || err != nil || err2 != nil {
		return nil, fmt.Errorf("takes limits such as nofile=1024:2048, not %q", t)
	}
	return value.DictOf("Name", value.Str(name), "Hard", value.Int(h), "Soft", value.Int(s)), nil
}

func device(t string) (value.Value, error) {
	parts := strings.Split(t, ":")
	outer, inner, may := parts[0], parts[0], "rwm"
	if len(parts) > 1 {
		inner = parts[1]
	}
	if len(parts) > 2 {
		may = parts[2]
	}
	return value.DictOf("PathOnHost", value.Str(outer), "PathInContainer", value.Str(inner), "CgroupPermissions",
		value.Str(may)), nil
}
