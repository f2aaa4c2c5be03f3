package file

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// A test of find judges one path.
type findTest func(h host.Reader, name string, i host.Info) bool

// A finder walks trees and takes what passes all tests.
type finder struct {
	tests              []findTest
	maxdepth, mindepth int
	print              []string
	delete             bool
}

func find(_ context.Context, c *modules.Call) (value.Value, error) {
	f := finder{maxdepth: -1, print: []string{"path"}}
	for k, v := range c.Extra().All() {
		if err := f.option(c, value.String(k), v); err != nil {
			return nil, err
		}
	}
	h := c.Host
	out := value.NewList()
	for _, root := range modules.Glob(h, pathArg(c, "path")) {
		for _, name := range f.walk(h, root) {
			i, err := h.Lstat(name)
			if err != nil {
				continue
			}
			if f.delete {
				if err := h.RemoveAll(name); err != nil {
					return nil, wrong(err)
				}
			}
			out.Items = append(out.Items, f.show(h, name, i))
		}
	}
	return out, nil
}

// option reads one keyword of the call.
func (f *finder) option(c *modules.Call, key string, v value.Value) error {
	text := value.String(v)
	number, err := strconv.Atoi(text)
	switch key {
	case "maxdepth":
		f.maxdepth = number
	case "mindepth":
		f.mindepth, err = number, nil
	case "print":
		f.print, err = strings.Split(strings.ReplaceAll(text, " ", ""), ","), nil
	case "delete":
		f.delete = text != "" && value.Truth(v)
		var test findTest
		if err = nil; text != "True" {
			test, err = findType(text)
			f.tests = append(f.tests, test)
		}
	default:
		var test findTest
		test, err = findCriterion(c, key, text)
		f.tests = append(f.tests, test)
	}
	if err != nil {
		return invalid("find: %s=%s: %v", key, text, err)
	}
	return nil
}

func findCriterion(c *modules.Call, key, text string) (findTest, error) {
	switch key {
	case "name":
		return func(_ host.Reader, n string, _ host.Info) bool { return fnmatch.Match(text, path.Base(n)) }, nil
	case "iname":
		low := strings.ToLower(text)
		return func(_ host.Reader, n string, _ host.Info) bool {
			return fnmatch.Match(low, strings.ToLower(path.Base(n)))
		}, nil
	case "regex":
		return findRegex(text, 0)
	case "iregex":
		return findRegex(text, pyre.IgnoreCase)
	case "type":
		return findType(text)
	case "owner":
		uid := accountNumber(text, func(n string) (int, error) { u, err := c.Host.User(n); return u.UID, err })
		return func(_ host.Reader, _ string, i host.Info) bool { return slices.Contains(uid, i.UID) }, nil
	case "group":
		gid := accountNumber(text, func(n string) (int, error) { g, err := c.Host.Group(n); return g.GID, err })
		return func(_ host.Reader, _ string, i host.Info) bool { return slices.Contains(gid, i.GID) }, nil
	case "size":
		return findSize(text)
	case "mtime":
		return findTime(text, c.Time())
	case "grep":
		return findGrep(text)
	}
	return nil, fmt.Errorf("there is no such option")
}

func accountNumber(text string, look func(string) (int, error)) []int {
	var ids []int
	for _, n := range strings.Split(text, ",") {
		if id, err := look(n); err == nil {
			ids = append(ids, id)
		} else if id, err := strconv.Atoi(n); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func findRegex(text string, flags pyre.Flags) (findTest, error) {
	re, err := pyre.Compile(text, flags)
	return func(_ host.Reader, n string, _ host.Info) bool {
		ok, err := re.Matches(path.Base(n))
		return ok && err == nil
	}, err
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
	if strings.Trim(text, "bcdfpls") != "" {
		return nil, fmt.Errorf("a type is one of b, c, d, f, p, l, s")
	}
	return func(_ host.Reader, _ string, i host.Info) bool { return strings.Contains(text, typeLetter(i.Mode)) }, nil
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

// findTime reads [+-]intervals such as 1w2d3h4m5s: longer ago, not so long ago, or within that unit of it.
func findTime(text string, now time.Time) (findTest, error) {
	units := map[byte]time.Duration{'w': 7 * 24 * time.Hour, 'd': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute,
		's': time.Second}
	var total, step time.Duration
	digits := ""
	for _, r := range strings.TrimLeft(text, "+-") {
		u, isUnit := units[byte(r)]
		n, err := strconv.Atoi(digits)
		switch {
		case r >= '0' && r <= '9':
			digits += string(r)
		case !isUnit || err != nil:
			return nil, fmt.Errorf("an interval is such as 1w2d3h4m5s")
		default:
			total, step, digits = total+time.Duration(n)*u, u, ""
		}
	}
	if digits != "" {
		n, _ := strconv.Atoi(digits)
		total, step = total+time.Duration(n)*time.Second, time.Second
	}
	return func(_ host.Reader, _ string, i host.Info) bool {
		age := now.Sub(i.MTime)
		switch text[0] {
		case '+':
			return age >= total
		case '-':
			return age <= total
		}
		return age >= total && age <= total+step
	}, nil
}

// walk gives the paths that pass, sorted.
func (f *finder) walk(h host.Reader, root string) []string {
	var out []string
	judge := func(name string) {
		i, err := h.Lstat(name)
		if err != nil {
			return
		}
		for _, test := range f.tests {
			if !test(h, name, i) {
				return
			}
		}
		out = append(out, name)
	}
	if f.mindepth < 1 {
		judge(root)
	}
	if i, err := h.Stat(root); err == nil && i.IsDir() && f.maxdepth != 0 {
		_ = descend(h, root, 1, func(name string, _ bool, level int) (bool, error) {
			if level >= f.mindepth {
				judge(name)
			}
			return f.maxdepth <= 0 || level < f.maxdepth, nil
		})
	}
	slices.Sort(out)
	return out
}

// show is what is printed of a path: the path, or a list of what print names.
func (f *finder) show(h host.Reader, name string, i host.Info) value.Value {
	l := value.NewList()
	for _, p := range f.print {
		var v value.Value = value.None
		switch p {
		case "path":
			v = value.Str(name)
		case "name":
			v = value.Str(path.Base(name))
		case "size":
			v = value.Int(i.Size)
		case "mtime":
			v = value.Int(i.MTime.Unix())
		case "user":
			v = value.Str(userName(h, i.UID))
		case "group":
			v = value.Str(groupName(h, i.GID))
		case "type":
			v = value.Str(typeLetter(i.Mode))
		case "mode":
			v = value.Int(i.Perm())
		case "md5":
			if sum, err := hashFile(h, name, "md5"); err == nil && i.IsRegular() {
				v = value.Str(sum)
			}
		}
		l.Items = append(l.Items, v)
	}
	if len(l.Items) == 1 {
		return l.Items[0]
	}
	return l
}
