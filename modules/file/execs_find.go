package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// A test of find judges one path, as what it leads to.
type findTest func(h host.Reader, name string, i host.Info) bool

// An action of find does something with a path that passed; it gives nil for nothing to show.
type findAction func(ctx context.Context, c *modules.Call, name string, i host.Info) (value.Value, error)

// A finder walks trees and takes what passes all tests.
type finder struct {
	tests              []findTest
	maxdepth, mindepth int // maxdepth -1 for any
	actions            []findAction
	test               bool // nothing is deleted
}

func find(ctx context.Context, c *modules.Call) (value.Value, error) {
	f := finder{maxdepth: -1}
	options := c.Extra().Copy()
	for _, word := range c.Rest() {
		switch value.String(word) {
		case "delete":
			options.SetStr("delete", value.Str("f"))
		case "print":
			options.SetStr("print", value.Str("path"))
		}
	}
	for k, v := range options.All() {
		if err := f.option(c, value.String(k), v); err != nil {
			return value.Str("error: " + err.Error()), nil
		}
	}
	if f.actions == nil {
		f.actions = []findAction{show([]string{"path"})}
	}
	out := value.NewList()
	for _, root := range modules.Glob(c.Host, pathArg(c, "path")) {
		for _, name := range f.walk(c.Host, root) {
			i, err := leadsTo(c.Host, name)
			if err != nil {
				continue
			}
			for _, act := range f.actions {
				v, err := act(ctx, c, name, i)
				if err != nil {
					return nil, err
				}
				if v != nil {
					out.Items = append(out.Items, v)
				}
			}
		}
	}
	return out, value.Sort(out.Items, nil, false)
}

// leadsTo is what a path leads to, or the link itself where that is nowhere.
func leadsTo(h host.Reader, name string) (host.Info, error) {
	if i, err := h.Stat(name); err == nil {
		return i, nil
	}
	return h.Lstat(name)
}

// option reads one keyword of the call.
func (f *finder) option(c *modules.Call, key string, v value.Value) (err error) {
	text := value.String(v)
	switch key {
	case "maxdepth":
		f.maxdepth, err = depth(key, text)
		return err
	case "mindepth":
		f.mindepth, err = depth(key, text)
		return err
	case "test":
		f.test = value.Truth(v)
		return nil
	}
	if strings.HasPrefix(key, "_") {
		return nil
	}
	if !value.Truth(v) {
		return fmt.Errorf("missing value for %q option", key)
	}
	var test findTest
	switch key {
	case "print":
		f.actions = append(f.actions, show(listed(text)))
		return nil
	case "exec":
		f.actions = append(f.actions, execute(text))
		return nil
	case "delete":
		if strings.Contains(text, "a") {
			text = "bcdpfls"
		}
		if test, err = findType(text); err == nil {
			f.actions = append(f.actions, f.remove)
		}
	default:
		test, err = findCriterion(c, key, text)
	}
	f.tests = append(f.tests, test)
	return err
}

func depth(key, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s takes a number, not %q", key, text)
	}
	return n, nil
}

// listed are words between commas and spaces.
func listed(text string) []string { return strings.Fields(strings.ReplaceAll(text, ",", " ")) }

func (f *finder) remove(_ context.Context, c *modules.Call, name string, _ host.Info) (value.Value, error) {
	if !f.test {
		if err := c.Host.RemoveAll(name); err != nil {
			return nil, wrong(err)
		}
	}
	return value.Str(name), nil
}

// execute runs a command for each path, in which {} is the path.
//
// Salt differs: it puts the path in before it splits the command into words, so that a name can be several words.
func execute(command string) findAction {
	return func(ctx context.Context, c *modules.Call, name string, _ host.Info) (value.Value, error) {
		words, err := modules.Words(command)
		if err != nil || len(words) == 0 {
			return value.Str(name + ": Failed"), nil
		}
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "{}", name)
		}
		out, err := c.Outright(ctx, words...)
		switch {
		case errors.Is(err, host.ErrPreview):
			return nil, err
		case err != nil:
			return value.Str(name + ": Failed"), nil
		}
		return value.Str(strings.ReplaceAll(command, "{}", name) + ":\n" + string(out.Stdout) + "\n"), nil
	}
}

func findCriterion(c *modules.Call, key, text string) (findTest, error) {
	switch key {
	case "name":
		return findRegex(globRegex(text), 0)
	case "iname":
		return findRegex(globRegex(text), pyre.IgnoreCase)
	case "regex":
		return findRegex(text, 0)
	case "iregex":
		return findRegex(text, pyre.IgnoreCase)
	case "type":
		return findType(text)
	case "owner":
		uids, err := numbers("user", text, func(n string) (int, error) { u, err := c.Host.User(n); return u.UID, err })
		return func(_ host.Reader, _ string, i host.Info) bool { return slices.Contains(uids, i.UID) }, err
	case "group":
		gids, err := numbers("group", text, func(n string) (int, error) { g, err := c.Host.Group(n); return g.GID, err })
		return func(_ host.Reader, _ string, i host.Info) bool { return slices.Contains(gids, i.GID) }, err
	case "size":
		return findSize(text)
	case "mtime":
		return findTime(text, c.Time())
	case "grep":
		return findGrep(text)
	}
	return nil, fmt.Errorf("invalid option %q", key)
}

// globRegex is the regular expression that Salt makes of a glob.
func globRegex(glob string) string {
	return strings.NewReplacer(".", `\.`, "?", ".?", "*", ".*").Replace(glob) + "$"
}

// numbers are those of accounts given by names or numbers.
func numbers(kind, text string, look func(string) (int, error)) ([]int, error) {
	var ids []int
	for _, n := range listed(text) {
		id, err := strconv.Atoi(n)
		if err != nil {
			id, err = look(n)
		}
		if err != nil {
			return nil, fmt.Errorf("no such %s %q", kind, n)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func findRegex(text string, flags pyre.Flags) (findTest, error) {
	re, err := pyre.Compile(text, flags)
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression: %q", text)
	}
	return func(_ host.Reader, n string, _ host.Info) bool {
		ok, err := re.Matches(path.Base(n))
		return ok && err == nil
	}, nil
}

func findGrep(text string) (findTest, error) {
	re, err := pyre.Compile(text, pyre.Multiline)
	return func(h host.Reader, n string, i host.Info) bool {
		raw, rerr := h.ReadFile(n)
		if rerr != nil || !i.IsRegular() {
			return false
		}
		m, merr := re.Search(string(raw))
		return m != nil && merr == nil
	}, err
}

func findType(text string) (findTest, error) {
	types := strings.Join(listed(text), "")
	if bad := strings.Trim(types, "bcdfpls"); bad != "" {
		return nil, fmt.Errorf("invalid file type %q", bad[:1])
	}
	return func(_ host.Reader, _ string, i host.Info) bool { return strings.Contains(types, typeLetter(i.Mode)) }, nil
}

func typeLetter(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return "f"
	case m.IsDir():
		return "d"
	case m&fs.ModeSymlink != 0:
		return "l"
	case m&fs.ModeNamedPipe != 0:
		return "p"
	case m&fs.ModeSocket != 0:
		return "s"
	case m&fs.ModeCharDevice != 0:
		return "c"
	}
	return "b"
}

// findSize reads [+-]NUMBER[bkmgt]: at least, at most, or the number of such units.
func findSize(text string) (findTest, error) {
	digits := strings.ToLower(strings.TrimLeft(text, "+-"))
	unit := int64(1)
	if n := len(digits); n > 0 {
		if shift := strings.IndexByte("bkmgt", digits[n-1]); shift >= 0 {
			unit, digits = int64(1)<<(10*shift), digits[:n-1]
		}
	}
	number, err := strconv.ParseFloat(digits, 64)
	least := int64(number * float64(unit))
	most := least + unit - 1
	switch {
	case strings.HasPrefix(text, "+"):
		most = 1<<63 - 1
	case strings.HasPrefix(text, "-"):
		most, least = least, 0
	}
	return func(_ host.Reader, _ string, i host.Info) bool { return i.Size >= least && i.Size <= most }, err
}

// findTime reads [+-]intervals such as 1w2d3h4m5s: with a minus not so long ago, else longer ago, in whole units of the
// smallest that is named.
func findTime(text string, now time.Time) (findTest, error) {
	interval := regexp.MustCompile(`(?i)^\s*([+-]?)(?:(\d+(?:\.\d*)?)\s*w)?\s*(?:(\d+(?:\.\d*)?)\s*d)?\s*` +
		`(?:(\d+(?:\.\d*)?)\s*h)?\s*(?:(\d+(?:\.\d*)?)\s*m)?\s*(?:(\d+(?:\.\d*)?)\s*s)?\s*$`)
	m := interval.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("invalid time interval: '%s'", text)
	}
	const hour, day = 3600, 24 * 3600
	seconds, step := 0.0, 0.0
	for i, unit := range []float64{7 * day, day, hour, 60, 1} {
		if n, err := strconv.ParseFloat(m[2+i], 64); err == nil {
			seconds, step = seconds+n*unit, unit
		}
	}
	if step == 0 {
		return nil, fmt.Errorf("invalid time interval: '%s'", text)
	}
	then := now.Add(-time.Duration(math.Floor(seconds/step)*step) * time.Second)
	return func(_ host.Reader, _ string, i host.Info) bool {
		made := i.MTime.Truncate(time.Second)
		if m[1] == "-" {
			return !made.Before(then)
		}
		return !made.After(then)
	}, nil
}

// walk gives the paths that pass. Links to directories are judged and not entered, but the root is.
func (f *finder) walk(h host.Reader, root string) []string {
	var out []string
	judge := func(name string) {
		i, err := leadsTo(h, name)
		if err == nil && !slices.ContainsFunc(f.tests, func(t findTest) bool { return !t(h, name, i) }) {
			out = append(out, name)
		}
	}
	if f.mindepth < 1 {
		judge(root)
	}
	if i, err := h.Stat(root); err != nil || !i.IsDir() || f.maxdepth == 0 {
		return out
	}
	_ = descend(h, root, 1, func(name string, _ bool, level int) (bool, error) {
		if level >= f.mindepth {
			judge(name)
		}
		return f.maxdepth < 0 || level < f.maxdepth, nil
	})
	return out
}

// show gives of a path what print names: one thing, or a list.
func show(what []string) findAction {
	return func(_ context.Context, c *modules.Call, name string, i host.Info) (value.Value, error) {
		l := value.NewList()
		for _, p := range what {
			if v := shown(c.Host, p, name, i); v != nil {
				l.Items = append(l.Items, v)
			}
		}
		if len(l.Items) == 1 {
			return l.Items[0], nil
		}
		return l, nil
	}
}

func shown(h host.Reader, what, name string, i host.Info) value.Value {
	switch what {
	case "path":
		return value.Str(name)
	case "name":
		return value.Str(path.Base(name))
	case "size":
		return value.Int(i.Size)
	case "mtime":
		return value.Int(i.MTime.Unix())
	case "user":
		if u, err := h.UserByID(i.UID); err == nil {
			return value.Str(u.Name)
		}
		return value.Int(i.UID)
	case "group":
		if g, err := h.GroupByID(i.GID); err == nil {
			return value.Str(g.Name)
		}
		return value.Int(i.GID)
	case "type":
		return value.Str(typeLetter(i.Mode))
	case "mode":
		return value.Int(i.Perm() & 0o777)
	case "md5":
		if sum, err := hashFile(h, name, "md5"); err == nil && i.IsRegular() {
			return value.Str(sum)
		}
		return value.Str("")
	}
	return nil
}
