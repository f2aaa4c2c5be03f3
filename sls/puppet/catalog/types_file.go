package catalog

import (
	"path"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// fileOf keeps a file, a directory or a link.
func fileOf(a *attrs) []*call {
	name := path.Clean(a.title("path"))
	if !strings.HasPrefix(name, "/") {
		a.m.fault(a.r, "file paths must be fully qualified, not '%s'", name)
		return nil
	}
	a.ignore("backup", "name", "provider", "max_files", "selinux_ignore_defaults", "staging_location")
	if s := a.text("backup"); strings.HasPrefix(s, ".") {
		a.m.fault(a.r, "backup => '%s' is not supported", s).WithHint("gostate keeps a report of each run with the diff")
	}
	a.word("source_permissions", "ignore")
	ensure := a.text("ensure")
	switch ensure {
	case "absent", "false":
		return a.noFile(name)
	case "directory":
		return a.directory(name)
	case "link":
		return a.link(name, a.text("target"))
	case "file", "present", "":
		if ensure == "" && a.has("target") {
			return a.link(name, a.text("target"))
		}
		if src := a.source(); src != nil && src.dir && ensure != "file" {
			return a.directory(name)
		}
		return a.file(name, ensure)
	}
	if a.has("content") || a.has("source") {
		a.m.fault(a.r, "ensure => '%s' is not supported", ensure).WithHint("file, directory, link, present or absent")
		return nil
	}
	return a.link(name, ensure)
}

// noFile removes; a directory only with force, as in Puppet.
func (a *attrs) noFile(name string) []*call {
	a.ignore("owner", "group", "mode", "content", "source", "purge", "recurse", "target", "replace", "show_diff", "links",
		"validate_cmd", "checksum", "checksum_value", "recurselimit", "ignore")
	c := of("file.absent", name)
	if !a.isTrue("force") {
		q := value.ShellQuote(name)
		c.text("unless", "test -d "+q+" && ! test -h "+q)
	}
	return []*call{c}
}

func (a *attrs) link(name, target string) []*call {
	a.ignore("mode", "links", "recurse", "replace", "checksum", "show_diff")
	if target == "" {
		a.m.fault(a.r, "a link needs a target").WithHint("target => '/path'")
	}
	c := of("file.symlink", name).text("target", target).truth("atomic", true)
	if a.isTrue("force") {
		c.truth("force", true)
	}
	a.to(c, "owner", "user", "group", "group")
	return []*call{c}
}

// file keeps a file. Without ensure, content and source one that is not there stays away.
func (a *attrs) file(name, ensure string) []*call {
	c := of("file.managed", name)
	a.content(c)
	a.owner(c, false)
	if ensure == "" && !a.has("content") && !a.has("source") {
		c.truth("create", false)
	}
	if b, given := a.truth("replace"); given && !b {
		c.truth("replace", false)
	}
	c.truth("follow_symlinks", a.word("links", "follow", "manage") == "follow")
	if b, given := a.truth("show_diff"); given && !b || a.secret("content") {
		c.truth("show_changes", false)
	}
	if a.isTrue("recurse") || a.isTrue("purge") {
		a.m.fault(a.r, "recurse and purge need ensure => directory")
	}
	a.ignore("force", "recurselimit")
	a.check(c)
	return []*call{c}
}

// content sets what a file holds: a text, or a source.
func (a *attrs) content(c *call) {
	a.word("checksum", "sha256", "sha256lite", "md5", "md5lite", "sha224", "sha384", "sha512", "sha1", "sha1lite")
	sum := a.text("checksum_value")
	if v := a.get("content"); v != nil {
		a.fixed(c, v)
		return
	}
	src := a.source()
	switch {
	case src == nil:
	case src.path != "":
		c.text("source", a.m.opts.address(src.path))
	case sum != "":
		kind := a.text("checksum")
		if kind == "" {
			kind = "sha256"
		}
		c.text("source", src.uri).text("source_hash", kind+"="+sum)
	default:
		c.text("source", src.uri).truth("use_etag", true)
	}
}

// fixed is content that stands in the catalog.
func (a *attrs) fixed(c *call, v value.Value) {
	s, ok := v.(value.Str)
	switch {
	case !ok:
		a.wrong("content", "a text", v)
	case strings.HasPrefix(string(s), "{md5}") || strings.HasPrefix(string(s), "{sha256}"):
		a.m.fault(a.r, "content that is a checksum names a file of a filebucket, which gostate has not")
	}
	c.set("contents", v)
}

// owner sets owner, group and mode.
func (a *attrs) owner(c *call, dir bool) {
	a.to(c, "owner", "user", "group", "group")
	if mode, ok := a.mode(dir); ok {
		c.text("mode", mode)
	}
	label := value.NewDict(4)
	for _, name := range []string{"seluser", "serole", "setype", "selrange"} {
		attr := map[string]string{"setype": "seltype"}[name]
		if attr == "" {
			attr = name
		}
		if v := a.get(attr); v != nil && !dir {
			label.SetStr(map[string]string{"selrange": "serange"}[name]+map[bool]string{true: name}[name != "selrange"], v)
		} else if v != nil {
			a.m.fault(a.r, "%s of a directory is not supported", attr)
		}
	}
	if label.Len() > 0 {
		c.set("selinux", label)
	}
}

// mode is the mode in octal. A directory can be entered by whom it can be read by, as in Puppet.
func (a *attrs) mode(dir bool) (string, bool) {
	s := a.text("mode")
	if s == "" {
		return "", false
	}
	bits, err := strconv.ParseUint(s, 8, 16)
	if err != nil {
		n, ok := symbolic(s)
		if !ok {
			a.m.fault(a.r, "mode => '%s' is not supported", s).
				WithHint("write it in octal, or all of it: 'u=rw,g=r,o='")
			return "", false
		}
		return octal(n), true
	}
	if dir {
		bits |= bits & 0o444 >> 2
	}
	return octal(bits), true
}

func octal(bits uint64) string { return "0" + strconv.FormatUint(bits, 8) }

// symbolic reads a mode in letters that says all: u=rwx,g=rx,o=. What is relative to the mode that is there is none.
func symbolic(s string) (bits uint64, ok bool) {
	var said uint64
	for part := range strings.SplitSeq(s, ",") {
		who, perms, isSet := strings.Cut(part, "=")
		if !isSet || strings.Trim(who, "ugoa") != "" || strings.Trim(perms, "rwx") != "" {
			return 0, false
		}
		if who == "" || strings.Contains(who, "a") {
			who = "ugo"
		}
		var p uint64
		for _, c := range perms {
			p |= map[rune]uint64{'r': 4, 'w': 2, 'x': 1}[c]
		}
		for _, c := range who {
			shift := map[rune]int{'u': 6, 'g': 3, 'o': 0}[c]
			bits = bits&^(7<<shift) | p<<shift
			said |= 7 << shift
		}
	}
	return bits, said == 0o777
}

// check sets the command that judges a file before it is put in place: % stands for it.
func (a *attrs) check(c *call) {
	cmd := a.text("validate_cmd")
	mark := a.text("validate_replacement")
	if cmd == "" {
		return
	}
	if mark == "" {
		mark = "%"
	}
	c.text("check_cmd", "sh -c "+value.ShellQuote(strings.ReplaceAll(cmd, mark, `"$0"`)))
}
