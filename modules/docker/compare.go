package docker

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// A wish is what a container is to be like, with what its image brings.
type wish struct {
	settings []setting
	image    *value.Dict // as the daemon knows it
}

// complete adds what follows of others, as Salt does: bound ports are offered, paths that are bound are volumes.
func (w *wish) complete() {
	find := func(key string) *setting {
		return &w.settings[slices.IndexFunc(w.settings, func(s setting) bool { return s.key == key })]
	}
	if b, ok := find("PortBindings").value.(*value.Dict); ok {
		find("ExposedPorts").value = join(find("ExposedPorts").value, keysOf(b))
	}
	if l, ok := find("Binds").value.(*value.List); ok {
		var paths []string
		for _, it := range l.Items {
			if parts := strings.Split(value.String(it), ":"); len(parts) > 1 {
				paths = append(paths, parts[1])
			}
		}
		find("Volumes").value = join(find("Volumes").value, set(paths))
	}
}

func keysOf(d *value.Dict) *value.Dict {
	out := value.NewDict(d.Len())
	for k := range d.All() {
		_ = out.Set(k, value.NewDict(0))
	}
	return out
}

// join is one map over another; either may be nil.
func join(under, over value.Value) value.Value {
	a, _ := under.(*value.Dict)
	b, _ := over.(*value.Dict)
	if a == nil {
		return over
	}
	out := a.Copy()
	if b != nil {
		for k, v := range b.All() {
			_ = out.Set(k, v)
		}
	}
	return out
}

// body is the request for such a container.
func (w *wish) body(image string) *value.Dict {
	out, hostConfig := value.DictOf("Image", value.Str(image)), value.NewDict(0)
	for _, s := range w.settings {
		if s.value == nil {
			continue
		}
		to := out
		if s.part == "HostConfig" {
			to = hostConfig
		}
		group, key, nested := strings.Cut(s.key, ".")
		if !nested {
			to.SetStr(s.key, s.value)
			continue
		}
		inner, ok := at(to, group).(*value.Dict)
		if !ok {
			inner = value.NewDict(2)
			to.SetStr(group, inner)
		}
		inner.SetStr(key, s.value)
	}
	out.SetStr("HostConfig", hostConfig)
	return out
}

// expected is what a setting is to be in a container, with what its image brings.
func (w *wish) expected(s setting) value.Value {
	brought := at(w.image, "Config:"+s.key)
	if s.part != "Config" {
		return s.value
	}
	switch s.key {
	case "Env":
		return mergeEnv(brought, s.value)
	case "ExposedPorts", "Volumes", "Labels":
		return join(brought, s.value)
	case "Cmd":
		if s.value == nil && w.given("Entrypoint") {
			return nil
		}
	case "Entrypoint", "WorkingDir", "User", "StopSignal", "Healthcheck":
	default:
		return s.value
	}
	if s.value != nil {
		return s.value
	}
	return brought
}

func (w *wish) given(key string) bool {
	return slices.ContainsFunc(w.settings, func(s setting) bool { return s.key == key && s.value != nil })
}

// mergeEnv are the variables of an image with others over them.
func mergeEnv(brought, given value.Value) value.Value {
	var out []string
	mine, _ := modules.Texts(orNone(given))
	theirs, _ := modules.Texts(orNone(brought))
	for _, t := range theirs {
		name, _, _ := strings.Cut(t, "=")
		if !slices.ContainsFunc(mine, func(m string) bool { return strings.HasPrefix(m, name+"=") }) {
			out = append(out, t)
		}
	}
	out = append(out, mine...)
	return modules.TextList(slices.DeleteFunc(out, func(t string) bool { return t == "" }))
}

// daemons are settings that the daemon fills in where they are not given.
func daemons() []string {
	return []string{"Hostname", "MacAddress", "LogConfig.Type", "LogConfig.Config", "ShmSize", "Runtime", "MemorySwap",
		"MemorySwappiness", "IpcMode", "CgroupParent", "StopTimeout"}
}

// differs are the settings in which a container is not as it is to be, in Salt's shape.
// Salt differs: it makes a second container to compare with.
func (w *wish) differs(c *value.Dict) *value.Dict {
	out := value.NewDict(0)
	for _, s := range w.settings {
		if s.value == nil && slices.Contains(daemons(), s.key) {
			continue
		}
		is, want := at(c, s.part+":"+strings.ReplaceAll(s.key, ".", ":")), w.expected(s)
		if s.key == "SecurityOpt" && s.value == nil && value.Truth(orNone(at(c, "HostConfig:Privileged"))) {
			continue // the daemon adds what goes with it
		}
		if value.Equal(plain(s, is), plain(s, want)) {
			continue
		}
		part, ok := at(out, s.part).(*value.Dict)
		if !ok {
			part = value.NewDict(1)
			out.SetStr(s.part, part)
		}
		part.SetStr(s.key, value.DictOf("old", orNone(is), "new", orNone(want)))
	}
	return out
}

// plain is a setting for comparison: what is empty is None, and lists that have no order have one.
func plain(s setting, v value.Value) value.Value {
	if v == nil || !value.Truth(v) {
		return value.None
	}
	switch s.key {
	case "NetworkMode":
		if t := value.String(v); t == "default" || t == "bridge" {
			return value.None
		}
	case "RestartPolicy":
		d, _ := v.(*value.Dict)
		if name := text(d, "Name"); name == "" || name == "no" {
			return value.None
		}
	case "Env", "CapAdd", "CapDrop", "Links":
		texts, _ := modules.Texts(v)
		for i, t := range texts {
			texts[i] = strings.TrimPrefix(t, "CAP_")
			if a, b, ok := strings.Cut(t, ":"); ok && s.key == "Links" {
				texts[i] = strings.TrimPrefix(a, "/") + ":" + b[strings.LastIndexByte(b, '/')+1:]
			}
		}
		slices.Sort(texts)
		return modules.TextList(texts)
	case "Ulimits":
		l, _ := v.(*value.List)
		if l != nil {
			l = value.NewList(l.Items...)
			slices.SortFunc(l.Items, func(a, b value.Value) int { return strings.Compare(value.Repr(a), value.Repr(b)) })
			return set(reprs(l))
		}
	}
	return v
}

func reprs(l *value.List) (out []string) {
	for _, it := range l.Items {
		d, _ := it.(*value.Dict)
		out = append(out, text(d, "Name")+" "+text(d, "Soft")+" "+text(d, "Hard"))
	}
	return out
}

// discarded drops the differences in limits that this kernel does not have: the daemon takes and forgets them.
func (c *client) discarded(ctx context.Context, diff *value.Dict) error {
	part, _ := at(diff, "HostConfig").(*value.Dict)
	flags := map[string]string{"Memory": "MemoryLimit", "MemoryReservation": "MemoryLimit", "MemorySwap": "SwapLimit",
		"CpuShares": "CPUShares", "CpuPeriod": "CpuCfsPeriod", "CpuQuota": "CpuCfsQuota", "CpusetCpus": "CPUSet",
		"CpusetMems": "CPUSet", "PidsLimit": "PidsLimit", "OomKillDisable": "OomKillDisable"}
	var info *value.Dict
	for key, flag := range flags {
		if part == nil || at(part, key) == nil {
			continue
		}
		if info == nil {
			var err error
			if info, err = c.get(ctx, "/info"); err != nil {
				return err
			}
		}
		if !value.Truth(orNone(at(info, flag))) {
			_ = part.Delete(value.Str(key))
		}
	}
	if part != nil && part.Len() == 0 {
		_ = diff.Delete(value.Str("HostConfig"))
	}
	return nil
}
