package catalog

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A mapping says what keeps the resources of a type: calls of gostate's functions.
type mapping func(a *attrs) []*call

// table is all that is known of types: by the name of a type, in lower case, what keeps it.
func table() map[string]mapping {
	return map[string]mapping{
		"concat_file":        concatFile,
		"concat_fragment":    nothing("target", "content", "source", "order", "tag", "name"),
		"cron":               cronJob,
		"debconf":            debconf,
		"exec":               execCommand,
		"file":               fileOf,
		"file_line":          fileLine,
		"filebucket":         nothing("name", "path", "server", "port"),
		"group":              group,
		"host":               hostEntry,
		"ini_setting":        iniSetting,
		"mount":              mounted,
		"notify":             notify,
		"package":            packageOf,
		"resources":          resources,
		"schedule":           scheduleOf,
		"service":            serviceOf,
		"ssh_authorized_key": sshKey,
		"tidy":               tidy,
		"user":               user,
		"yumrepo":            yumrepo,
	}
}

// nothing is the mapping of what no state is made of: it works through others.
func nothing(attributes ...string) mapping {
	return func(a *attrs) []*call {
		a.ignore(attributes...)
		return nil
	}
}

// translate finds the calls for a resource.
func (m *maker) translate(r *Resource) {
	to := m.table[strings.ToLower(r.Type)]
	if to == nil {
		m.unknown(r)
		return
	}
	a := &attrs{m: m, r: r, used: map[string]bool{}}
	a.metas()
	m.calls[r] = to(a)
	a.rest()
	a.audited()
	for _, name := range r.Sensitive {
		for _, x := range items(a.get(name)) {
			if s, ok := x.(value.Str); ok && s != "" {
				m.out.Secrets = append(m.out.Secrets, string(s))
			}
		}
	}
}

// metas checks the attributes of every type.
func (a *attrs) metas() {
	if a.has("stage") {
		a.m.fault(a.r, "only classes can set 'stage'")
	}
	for _, t := range a.texts("tag") {
		if !state.IsTag(t) {
			a.m.fault(a.r, "invalid tag '%s'", t)
		}
	}
}

// unknown reports a type that nothing keeps.
func (m *maker) unknown(r *Resource) {
	d := m.fault(r, "nothing in gostate keeps the resource type '%s'", r.Type)
	names := []string{}
	for name := range m.table {
		names = append(names, name)
	}
	slices.Sort(names)
	if near := diag.Nearest(strings.ToLower(r.Type), names); near != "" {
		d.WithHint("did you mean '%s'?", near)
		return
	}
	d.WithHint("types that a module writes in Ruby cannot run here; keep this with a state of an SLS")
}

// audited warns of `audit` on a resource that is kept, too.
func (a *attrs) audited() {
	if a.has("audit") {
		a.m.faults.Add(diag.Warnf(a.r.Pos, "%s: audit is left out: what is kept is not compared with the last run",
			a.r.Ref()))
	}
}

// absent says whether ensure is absent; any word but the two is a fault.
func (a *attrs) absent() bool { return a.word("ensure", "present", "absent") == "absent" }

// notify says a message, which counts as a change.
func notify(a *attrs) []*call {
	text := a.r.Title
	if v := a.get("message"); v != nil {
		if text = value.String(v); a.secret("message") {
			text = "a secret message"
		}
	}
	a.ignore("withpath", "name")
	return []*call{of("test.succeed_with_changes", a.r.Title).text("comment", text)}
}

// debconf keeps an answer to the question of a package, as the module debconf has it.
func debconf(a *attrs) []*call {
	item := a.text("item")
	if item == "" {
		item = a.title("name")
	}
	pkg := a.text("package")
	if pkg == "" {
		pkg, _, _ = strings.Cut(item, "/")
	}
	if a.absent() {
		a.m.fault(a.r, "ensure => absent is not supported")
	}
	if b, given := a.truth("seen"); given && !b {
		a.m.fault(a.r, "seen => false is not supported")
	}
	answer := value.DictOf("type", value.Str(a.text("type")), "value", value.Str(a.text("value")))
	return []*call{of("debconf.set", pkg).set("data", value.DictOf(item, answer))}
}

// resources purges what is not in the catalog, which only some functions can.
func resources(a *attrs) []*call {
	a.ignore("name", "unless_system_user", "unless_uid")
	if a.isTrue("purge") {
		a.m.fault(a.r, "purge of all resources of a type is not supported").
			WithHint("declare what is to be absent, or purge a directory with file { recurse => true, purge => true }")
	}
	return nil
}

// scheduleOf notes a schedule, in the words of the configuration.
func scheduleOf(a *attrs) []*call {
	d := value.NewDict(4)
	for _, name := range []string{"range", "period", "repeat", "weekday"} {
		if v := a.get(name); v != nil {
			d.SetStr(name, v)
		}
	}
	a.word("periodmatch", "distance", "number")
	if v := a.get("periodmatch"); v != nil {
		d.SetStr("periodmatch", v)
	}
	a.ignore("name")
	a.m.out.Schedules = append(a.m.out.Schedules, Schedule{a.r.Title, d, a.r.Pos})
	return nil
}
