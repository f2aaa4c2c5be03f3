package catalog

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// fileLine keeps a line in a file.
func fileLine(a *attrs) []*call {
	file, line, match := a.text("path"), a.text("line"), a.text("match")
	a.ignore("name", "encoding", "replace_all_matches_not_matching_line", "multiple", "append_on_no_match", "replace")
	if file == "" {
		a.m.fault(a.r, "path is needed")
		return nil
	}
	if a.absent() {
		return a.noLine(file, line, match)
	}
	if line == "" {
		a.m.fault(a.r, "line is needed")
		return nil
	}
	if b, given := a.truth("replace"); given && !b {
		a.m.fault(a.r, "replace => false is not supported")
	}
	there := "grep -qxF -e " + value.ShellQuote(line) + " " + value.ShellQuote(file)
	if after := a.text("after"); after != "" && match == "" {
		c := of("file.line", file).text("mode", "insert").text("content", line).text("after", after).truth("indent", false)
		return []*call{c.text("unless", there)}
	}
	a.ignore("after")
	pattern := "^" + regexp.QuoteMeta(line) + "$"
	if match != "" {
		pattern = "^.*(?:" + match + ").*$"
	}
	c := of("file.replace", file).text("pattern", pattern).text("repl", line).truth("backslash_literal", true).
		truth("backup", false)
	if b, given := a.truth("append_on_no_match"); !given || b {
		c.truth("append_if_not_found", true)
	}
	if match != "" {
		c.text("unless", there)
	}
	return []*call{c}
}

// noLine removes a line, or all that match.
func (a *attrs) noLine(file, line, match string) []*call {
	pattern := "^" + regexp.QuoteMeta(line) + `(?:\n|$)`
	if a.isTrue("match_for_absence") && match != "" {
		pattern = "^.*(?:" + match + `).*(?:\n|$)`
	}
	a.ignore("after")
	return []*call{of("file.replace", file).text("pattern", pattern).set("repl", value.Str("")).
		truth("backup", false).truth("ignore_if_missing", true)}
}

func iniSetting(a *attrs) []*call {
	file, section, setting := a.text("path"), a.text("section"), a.text("setting")
	a.ignore("name", "show_diff", "refreshonly", "force_new_section_creation", "section_prefix", "section_suffix",
		"indent_char",
		"indent_width")
	for _, attr := range []string{"section_prefix", "section_suffix", "refreshonly"} {
		if s := a.text(attr); s != "" && s != "false" && s != "[" && s != "]" {
			a.m.fault(a.r, "%s => '%s' is not supported", attr, s)
		}
	}
	if file == "" || setting == "" {
		a.m.fault(a.r, "path and setting are needed")
		return nil
	}
	sep := a.text("key_val_separator")
	if sep == "" {
		sep = " = "
	}
	if a.absent() {
		a.ignore("value")
		v := value.Value(value.DictOf(section, value.NewList(value.Str(setting))))
		if section == "" {
			v = value.NewList(value.Str(setting))
		}
		return []*call{of("ini.options_absent", file).text("separator", strings.TrimSpace(sep)).set("sections", v)}
	}
	v := value.DictOf(setting, value.Str(a.text("value")))
	if section != "" {
		v = value.DictOf(section, v)
	}
	c := of("ini.options_present", file).set("sections", v)
	if t := strings.TrimSpace(sep); t != "" {
		c.text("separator", t).truth("no_spaces", t == sep)
	} else {
		c.set("separator", value.Str(sep)).truth("no_spaces", true)
	}
	return []*call{c}
}

// concatFile writes a file of its fragments.
func concatFile(a *attrs) []*call {
	name := a.title("path")
	a.ignore("tag", "name", "force", "backup", "selinux_ignore_defaults", "create_empty_file")
	if a.text("ensure") == "absent" {
		return a.noFile(name)
	}
	a.word("ensure", "present", "file")
	a.word("format", "plain")
	c := of("file.managed", name)
	text := a.m.fragments(a, name)
	c.set("contents", value.Str(text))
	a.owner(c, false)
	a.check(c)
	if b, given := a.truth("replace"); given && !b {
		c.truth("replace", false)
	}
	if b, given := a.truth("show_diff"); given && !b {
		c.truth("show_changes", false)
	}
	return []*call{c}
}

type fragment struct{ order, name, text string }

// fragments are the text of a file that is made of parts, in their order.
func (m *maker) fragments(file *attrs, name string) string {
	newline, numeric := file.isTrue("ensure_newline"), file.text("order") == "numeric"
	var all []fragment
	for _, r := range m.native {
		if strings.ToLower(r.Type) != "concat_fragment" {
			continue
		}
		a := &attrs{m: m, r: r, used: map[string]bool{}}
		tag := a.text("tag")
		if t := a.text("target"); t != name && t != file.r.Title && (tag == "" || tag != file.text("tag")) {
			continue
		}
		order := a.text("order")
		if order == "" {
			order = "10"
		}
		text := a.fragment()
		if newline && text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		all = append(all, fragment{order, r.Title, text})
	}
	slices.SortStableFunc(all, func(x, y fragment) int { return byOrder(x, y, numeric) })
	var b strings.Builder
	if file.isTrue("warn") {
		b.WriteString("# This file is managed by Puppet. DO NOT EDIT.\n")
	} else if s := file.text("warn"); s != "" && s != "false" {
		b.WriteString(strings.TrimSuffix(s, "\n") + "\n")
	}
	for _, f := range all {
		b.WriteString(f.text)
	}
	return b.String()
}

// byOrder compares parts as the module concat does: their orders, as numbers where it is asked to, then names.
func byOrder(x, y fragment, numeric bool) int {
	a, errA := strconv.Atoi(x.order)
	b, errB := strconv.Atoi(y.order)
	if numeric && errA == nil && errB == nil && a != b {
		return cmp.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(x.order, y.order), cmp.Compare(x.name, y.name))
}

// fragment is the text of one part.
func (a *attrs) fragment() string {
	if a.has("content") {
		return a.text("content")
	}
	src := a.source()
	if src == nil || src.path == "" || a.m.opts.Read == nil {
		if src != nil {
			a.m.fault(a.r, "source %s is no file on this machine", src.uri)
		}
		return ""
	}
	text, err := a.m.opts.Read(src.path)
	if err != nil {
		a.m.fault(a.r, "%v", err)
	}
	return string(text)
}
