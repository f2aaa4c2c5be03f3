package selinux

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// store is where the fake policy is kept.
const store = "/var/policy/"

func lines(m *hosttest.Memory, name string) []string {
	l, _ := modules.ReadLines(m, store+name)
	return l
}

func keep(m *hosttest.Memory, name string, l []string) (*host.Output, error) {
	return &host.Output{}, modules.WriteLines(m, store+name, l)
}

func refused(text string) (*host.Output, error) {
	return &host.Output{Code: 1, Stderr: []byte(text + "\n")}, nil
}

// tools are the tools of Debian 12, in the lines that they write there.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	last := c.Args[len(c.Args)-1]
	switch c.Args[0] {
	case "setenforce":
		m.MustWrite("/sys/fs/selinux/enforce", last, 0o644)
		return &host.Output{}, nil
	case "setsebool":
		return setsebool(m, c.Args[1:])
	case "semodule":
		return semodule(m, c.Args[1], last)
	case "restorecon":
		return restorecon(m, slices.Contains(c.Args, "-n"))
	}
	if last == "-l" {
		head := map[string]string{"boolean": "SELinux boolean                State  Default Description\n\n",
			"fcontext": "SELinux fcontext                                   type               Context\n\n",
			"port":     "SELinux Port Type              Proto    Port Number\n\n"}[c.Args[1]]
		return &host.Output{Stdout: []byte(head + strings.Join(lines(m, c.Args[1]), "\n") + "\n")}, nil
	}
	if c.Args[1] == "port" {
		return port(m, c.Args, last)
	}
	return fcontext(m, c.Args, last)
}

func setsebool(m *hosttest.Memory, args []string) (*host.Output, error) {
	persist := args[0] == "-P"
	if persist {
		args = args[1:]
	}
	all := lines(m, "boolean")
	for i, l := range all {
		if f := strings.Fields(l); f[0] == args[0] {
			boot := strings.Trim(f[3], ")")
			if persist {
				boot = args[1]
			}
			all[i] = args[0] + "  (" + args[1] + " , " + boot + ")  What it is for"
		}
	}
	return keep(m, "boolean", all)
}

func semodule(m *hosttest.Memory, option, name string) (*host.Output, error) {
	all := lines(m, "semodule")
	if option == "-lfull" {
		return &host.Output{Stdout: []byte(strings.Join(all, "\n") + "\n")}, nil
	}
	if strings.Contains(name, "broken") {
		return refused("semodule:  Failed on " + name)
	}
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".pp")
	all = slices.DeleteFunc(all, func(l string) bool { return strings.Fields(l)[1] == name })
	if option != "-r" {
		all = append(all, "400 "+name+" pp "+map[string]string{"-d": "disabled"}[option])
	}
	return keep(m, "semodule", all)
}

func restorecon(m *hosttest.Memory, dry bool) (*host.Output, error) {
	if len(lines(m, "wrong")) == 0 {
		return &host.Output{}, nil
	}
	if dry {
		return &host.Output{Stdout: []byte("Would relabel /srv/web from system_u:object_r:var_t:s0 to " +
			"system_u:object_r:httpd_sys_content_t:s0\n")}, nil
	}
	return keep(m, "wrong", nil)
}

func after(args []string, option, otherwise string) string {
	if i := slices.Index(args, option); i >= 0 {
		return args[i+1]
	}
	return otherwise
}

func port(m *hosttest.Memory, args []string, last string) (*host.Output, error) {
	proto := after(args, "--proto", "")
	all := slices.DeleteFunc(lines(m, "port"), func(l string) bool { return strings.HasSuffix(l, proto+"   "+last) })
	if args[2] == "--add" {
		all = append([]string{after(args, "--type", "") + "   " + proto + "   " + last}, all...)
	} else if len(all) == len(lines(m, "port")) {
		return refused("ValueError: Port " + proto + "/" + last + " is defined in policy, cannot be deleted")
	}
	return keep(m, "port", all)
}

func fcontext(m *hosttest.Memory, args []string, last string) (*host.Output, error) {
	all := slices.DeleteFunc(lines(m, "fcontext"), func(l string) bool { return strings.HasPrefix(l, last+" ") })
	if args[2] == "--add" && len(all) < len(lines(m, "fcontext")) {
		return refused("ValueError: File context for " + last + " already defined")
	}
	if args[2] != "--delete" {
		all = append(all, last+"     "+kinds(after(args, "--ftype", "a"))+"   "+after(args, "--seuser", "system_u")+
			":object_r:"+after(args, "--type", "")+":"+after(args, "--range", "s0")+" ")
	}
	return keep(m, "fcontext", all)
}

func with(mode string, set func(m *hosttest.Memory)) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		for _, p := range []string{"semanage", "setsebool", "semodule", "restorecon", "setenforce"} {
			m.MustWrite("/usr/sbin/"+p, "", 0o755)
		}
		if mode != "" {
			m.MustWrite("/sys/fs/selinux/enforce", mode, 0o644)
		}
		m.MustWrite(configFile, "# the mode\nSELINUX=permissive\nSELINUXTYPE=default\n", 0o644)
		m.MustMkdir("/var/lib/selinux")
		m.MustMkdir("/srv/web")
		m.MustWrite("/srv/app.pp", "", 0o644)
		m.MustWrite("/srv/broken.pp", "", 0o644)
		for name, text := range map[string]string{
			"boolean":  "httpd_can  (off  ,  off)  Allow httpd\nssh_can   (on   ,  off)  Allow ssh\n",
			"semodule": "100 ssh   pp  \n100 old   pp  disabled\n",
			"port":     "http_port_t   tcp   80, 81-83, 443\nafs_t   udp   7001\n",
			"fcontext": "/etc/x y(/.*)?    all files    system_u:object_r:etc_t:s0 \n/srv/old  regular file  " +
				"system_u:object_r:var_t:s0 \n/bin -> /usr/bin\n",
		} {
			m.MustWrite(store+name, text, 0o644)
		}
		if set != nil {
			set(m)
		}
	})
}

type sources struct{ modules.Files }

func (sources) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if source == "salt://web.pp" {
		return []byte("module"), nil
	}
	return nil, errors.New(source + " is not there")
}

func TestConformance(t *testing.T) {
	s := func(fun, name string, args ...any) modtest.Deed { return modtest.State("selinux."+fun, name, args...) }
	fc := func(fun, name string, args ...any) modtest.Deed { return s("fcontext_policy_"+fun, name, args...) }
	modtest.Suite{
		Family: Family(),
		Beyond: []string{strings.TrimSuffix(store, "/"), "/sys"},
		Env: func(*testing.T) *modules.Env {
			return &modules.Env{Files: sources{}, Cache: modules.NewCache(), Progress: func(string) {}}
		},
		Situations: modtest.Situations{"not installed": modtest.Memory(tools, nil), "off": with("", nil),
			"permissive": with("0", nil), "enforcing": with("1", func(m *hosttest.Memory) {
				m.MustWrite(store+"wrong", "/srv/web\n", 0o644)
				m.MustWrite(configFile, "SELINUX=enforcing\n", 0o644)
			})},
		Deeds: []modtest.Deed{
			s("mode", "enforcing"), s("mode", "Permissive"), s("mode", "disabled"),
			s("boolean", "httpd_can", "value", true), s("boolean", "ssh_can", "value", "on", "persist", true),
			s("boolean", "ssh_can", "value", 1), s("boolean", "none", "value", false),
			s("module", "ssh"), s("module", "ssh", "module_state", "disabled"), s("module", "old"), s("module", "none"),
			s("module", "ssh", "version", "1.0"), s("module", "old", "remove", true), s("module", "none", "remove", true),
			s("module", "app", "install", true, "source", "/srv/app.pp"), s("module", "web", "install", true, "source",
				"salt://web.pp", "module_state", "disabled"), s("module", "none", "install", true, "source", "/srv/none.pp"),
			s("module_install", "/srv/app.pp"), s("module_install", "/srv/broken.pp").Untold("semodule alone knows"),
			s("module_install", "salt://web.pp"), s("module_install", "salt://none.pp"),
			s("module_remove", "ssh"), s("module_remove", "none"),
			fc("present", "/srv/web(/.*)?", "sel_type", "httpd_sys_content_t"), fc("present", "/srv/old", "sel_type", "var_t",
				"filetype", "f"), fc("present", "/srv/old", "sel_type", "tmp_t", "filetype", "f", "sel_level", "s1"),
			fc("present", "/etc/x y(/.*)?", "sel_type", "etc_t"),
			fc("absent", "/srv/old", "filetype", "f"), fc("absent", "/srv/none"), fc("absent", "/srv/old", "sel_type", "x_t"),
			fc("applied", "/srv/web", "recursive", true), fc("applied", "/srv/none"),
			s("port_policy_present", "tcp/80", "sel_type", "http_port_t"), s("port_policy_present", "tcp/8080-8082",
				"sel_type", "http_port_t", "sel_range", "s0"), s("port_policy_present", "afs", "protocol", "udp", "port", 7001,
				"sel_type", "afs_t"),
			s("port_policy_absent", "udp/7001"), s("port_policy_absent", "udp/7001", "sel_type", "x_t"),
			s("port_policy_absent", "tcp/443").Untold("whether it is of the policy itself semanage alone knows"),
		},
	}.Run(t)
}

// TestChanges: their shape and the words are Salt's.
func TestChanges(t *testing.T) {
	h := with("0", func(m *hosttest.Memory) { m.MustWrite(store+"wrong", "x\n", 0o644) })(t)
	for _, r := range []struct {
		fn         modules.StateFunc
		want, said string
	}{
		{&Mode{Name: "enforcing"}, `{'old': 'Permissive', 'new': 'Enforcing'}`, "SELinux has been set to Enforcing mode"},
		{&Mode{Name: "disabled"}, `{'old': 'Enforcing', 'new': 'Disabled'}`,
			"SELinux has been set to Disabled mode: it takes a reboot"},
		{&Boolean{Name: "httpd_can", Value: "True", Persist: true}, `{'State': {'old': 'off', 'new': 'on'}, 'Default': ` +
			`{'old': 'off', 'new': 'on'}}`, "Boolean httpd_can has been set to on"},
		{&FContextPresent{FContext{Name: "/new", FileType: "d"}, "tmp_t"}, `{'old': {}, 'new': {'/new': {'filetype': ` +
			`'directory', 'sel_type': 'tmp_t'}}}`, ""},
		{&FContextPresent{FContext{Name: "/srv/old", FileType: "f"}, "tmp_t"},
			`{'old': {'/srv/old': {'sel_type': 'var_t'}}, ` +
				`'new': {'/srv/old': {'sel_type': 'tmp_t'}}}`, ""},
		{&FContextAbsent{FContext{Name: "/new", FileType: "d"}, ""}, `{'old': {'/new': {'filespec': '/new', 'filetype': ` +
			`'directory', 'sel_user': 'system_u', 'sel_role': 'object_r', 'sel_type': 'tmp_t', 'sel_level': 's0'}}, 'new': {}}`,
			""},
		{&Applied{Name: "/srv/web"}, `{'/srv/web': {'old': {'sel_type': 'var_t'}, 'new': {'sel_type': ` +
			`'httpd_sys_content_t'}}}`, ""},
		{&PortPresent{Port{Name: "tcp/8080"}, "http_port_t", ""}, `{'old': None, 'new': {'sel_type': 'http_port_t', ` +
			`'protocol': 'tcp', 'port': '8080'}}`, ""},
	} {
		e, err := r.fn.Act(t.Context(), nil, h)
		if d := cmp.Diff(r.want+r.said, value.Repr(e.Changes)+e.Comment); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
}

// TestLabelsUnknown: what a new policy would relabel nobody knows before it is there.
func TestLabelsUnknown(t *testing.T) {
	over := host.NewOverlay(with("1", nil)(t))
	_, _ = (&FContextPresent{FContext{Name: "/srv/web", FileType: "a"}, "tmp_t"}).Act(t.Context(), nil, over)
	if _, err := (&Applied{Name: "/srv/web"}).Act(t.Context(), nil, over); !host.IsUnknown(err) {
		t.Error(err)
	}
}

func TestExecs(t *testing.T) {
	modtest.Execs{Family: Family(), Host: with("0", nil)(t)}.Table(t, [][4]string{
		{"selinux.getenforce", `[]`, "", `'Permissive'`}, {"selinux.getconfig", `[]`, "", `'Permissive'`},
		{"selinux.getsebool", `["httpd_can"]`, "", `{'State': 'off', 'Default': 'off', 'Description': 'Allow httpd'}`},
		{"selinux.getsebool", `["none"]`, "", `{}`}, {"selinux.setsebool", `["httpd_can", "on"]`, "", `True`},
		{"selinux.getsemod", `["old"]`, "", `{'Enabled': False, 'Version': None}`},
		{"selinux.setenforce", `["enforcing"]`, "", `'Enforcing'`},
		{"selinux.setenforce", `["bogus"]`, "", `'Invalid mode bogus'`},
		{"selinux.filetype_id_to_string", `["l"]`, "", `'symbolic link'`},
		{"selinux.fcontext_get_policy", `["/srv/none"]`, "", `None`},
		{"selinux.port_get_policy", `["tcp/82"]`, "", `None`},
		{"selinux.port_get_policy", `["tcp/81-83"]`, "",
			`{'sel_type': 'http_port_t', 'protocol': 'tcp', 'port': '80, 81-83, 443'}`},
		{"selinux.port_delete_policy", `["udp/7001"]`, "", `{'pid': 0, 'retcode': 0, 'stdout': '', 'stderr': ''}`},
	})
}
