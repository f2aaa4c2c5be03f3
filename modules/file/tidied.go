package file

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
)

func tidiedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.tidied",
		Doc: `Removes files of a tree that are too old or too large.

A file goes when it is as old as age or as large as size, and its name matches. Directories go only with rmdirs.`,
		Example: `
/var/tmp/cache:
  file.tidied:
    - age: 7
    - matches:
      - .*\.tmp
`,
		New:     func() modules.StateFunc { return &Tidied{} },
		AnyArgs: true,
	}
}

// Tidied is file.tidied.
type Tidied struct {
	Name           Path     `arg:"name,required,path" doc:"The directory."`
	Age            int      `arg:"age" default:"0" doc:"From how many days on a file is too old."`
	Matches        []string `arg:"matches,text" doc:"Regular expressions of the names that may go; all if not given."`
	Rmdirs         bool     `arg:"rmdirs" doc:"Removes directories too."`
	Size           string   `arg:"size" default:"'0'" doc:"From what size on a file is too large: bytes, or with K, M, G, T."`
	Exclude        []string `arg:"exclude,text" doc:"Regular expressions of the names that stay."`
	FullPathMatch  bool     `arg:"full_path_match" doc:"Matches the whole path instead of the name."`
	Followlinks    bool     `arg:"followlinks" doc:"Goes into directories that links lead to."`
	TimeComparison string   `arg:"time_comparison,fold" default:"atime" choices:"atime|mtime|ctime" doc:"The time that tells the age: atime, mtime or ctime."`
	AgeSizeOnly    string   `arg:"age_size_only" doc:"What alone decides: age, or size."`
	Rmlinks        bool     `arg:"rmlinks" default:"true" doc:"Removes symbolic links too."`
	AgeSize        string   `arg:"age_size_logical_operator,fold" default:"OR" choices:"OR|AND" doc:"AND wants both: too old and too large."`
}

// Validate compiles the expressions.
func (t *Tidied) Validate() []modules.Fault {
	var faults []modules.Fault
	for _, l := range []struct {
		arg   string
		exprs []string
	}{{"matches", t.Matches}, {"exclude", t.Exclude}} {
		for _, expr := range l.exprs {
			if _, err := pyre.Compile(expr, 0); err != nil {
				faults = append(faults, modules.Fault{Arg: l.arg, Msg: err.Error()})
			}
		}
	}
	if _, err := humanSize(t.Size); err != nil {
		faults = append(faults, modules.Fault{Arg: "size", Msg: err.Error()})
	}
	return faults
}

// humanSize reads a number of bytes such as 10K, 5MB or 3.5G.
func humanSize(text string) (int64, error) {
	s := strings.ToUpper(strings.TrimSpace(text))
	digits := strings.TrimRight(s, "BIKMGTP ")
	unit := int64(1)
	if rest := strings.TrimSpace(s[len(digits):]); rest != "" && rest != "B" {
		unit = int64(1) << (10 * (1 + strings.IndexByte("KMGTP", rest[0])))
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || unit < 1 {
		return 0, fmt.Errorf("the size %q is no number of bytes", text)
	}
	return int64(n * float64(unit)), nil
}

// Act removes what matches.
func (t *Tidied) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	root := path.Clean(t.Name.String())
	if !isDir(h, root) {
		return state.Effect{}, fmt.Errorf("%s does not exist or is not a directory.", root)
	}
	size, err := humanSize(t.Size)
	if err != nil {
		return state.Effect{}, err
	}
	var old []string
	if err := t.collect(h, root, size, env.Time(), &old, 0); err != nil {
		return state.Effect{}, err
	}
	if len(old) == 0 {
		return state.Settled(fmt.Sprintf("Nothing to remove from directory %s", root)), nil
	}
	e := state.NewEffect()
	for _, name := range old {
		if err := h.RemoveAll(name); err != nil {
			return e, err
		}
	}
	e.Once = true
	e.Changes.SetStr("removed", modules.TextList(old))
	e.Comment = fmt.Sprintf("Removed %d files or directories from directory %s", len(old), root)
	e.Preview = fmt.Sprintf("%s is set for tidy", root)
	return e, nil
}

// collect finds what is to go, what is deepest first.
func (t *Tidied) collect(h host.Reader, dir string, size int64, now time.Time, old *[]string, depth int) error {
	infos, err := h.ReadDir(dir)
	if err != nil || depth > 256 {
		return err
	}
	for _, i := range infos {
		name := path.Join(dir, i.Path)
		if i.IsDir() || (i.IsSymlink() && t.Followlinks && isDir(h, name)) {
			if err := t.collect(h, name, size, now, old, depth+1); err != nil {
				return err
			}
		}
	}
	for _, i := range infos {
		name := path.Join(dir, i.Path)
		goes, err := t.goes(name, i, size, now)
		if err != nil {
			return err
		}
		if goes {
			*old = append(*old, name)
		}
	}
	return nil
}

func (t *Tidied) goes(name string, i host.Info, size int64, now time.Time) (bool, error) {
	if i.IsDir() && !t.Rmdirs || i.IsSymlink() && !t.Rmlinks {
		return false, nil
	}
	at := i.ATime
	switch strings.ToLower(t.TimeComparison) {
	case "mtime":
		at = i.MTime
	case "ctime":
		at = i.CTime
	}
	bytes := int64(0)
	if i.IsRegular() {
		bytes = i.Size
	}
	if !t.due(bytes >= size, days(at, now) >= t.Age) {
		return false, nil
	}
	subject := path.Base(name)
	if t.FullPathMatch {
		subject = name
	}
	hit, err := matchesOne(subject, t.Matches)
	if err != nil || !(hit || len(t.Matches) == 0) {
		return false, err
	}
	stays, err := matchesOne(subject, t.Exclude)
	return !stays, err
}

// due says whether what is so large and so old goes.
func (t *Tidied) due(large, aged bool) bool {
	switch {
	case strings.EqualFold(t.AgeSizeOnly, "age"):
		return aged
	case strings.EqualFold(t.AgeSizeOnly, "size"):
		return large
	case strings.EqualFold(t.AgeSize, "AND"):
		return large && aged
	}
	return large || aged
}

// days is how many dates lie between two times.
func days(a, b time.Time) int {
	day := func(t time.Time) time.Time {
		y, m, d := t.Local().Date()
		return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
	}
	n := int(day(b).Sub(day(a)).Hours() / 24)
	return max(n, -n)
}

// matchesOne says whether one of the expressions matches at the beginning.
func matchesOne(subject string, exprs []string) (bool, error) {
	for _, expr := range exprs {
		re, err := pyre.Compile(expr, 0)
		if err != nil {
			return false, err
		}
		if ok, err := re.Matches(subject); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}
