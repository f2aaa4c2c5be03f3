package file

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func touchSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.touch",
		Doc:  `Makes an empty file, or sets the times of one that is there: in every run, where no time is given.`,
		Example: `
/var/log/app/empty:
  file.touch:
    - makedirs: true
`,
		New: func() modules.StateFunc { return &Touch{} },
	}
}

// Touch is file.touch.
type Touch struct {
	Name     Path        `arg:"name,required,path" doc:"The file."`
	Atime    value.Value `arg:"atime" doc:"The time of the last reading, in seconds since 1970."`
	Mtime    value.Value `arg:"mtime" doc:"The time of the last change, in seconds since 1970."`
	Makedirs bool        `arg:"makedirs" doc:"Makes the directories above it."`
}

// Act makes the file, or sets its times.
func (t *Touch) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	name, dir := t.Name.String(), t.Name.dir()
	if !isDir(h, dir) {
		if !t.Makedirs {
			return state.Effect{}, fmt.Errorf("Directory not present to touch file %s", name)
		}
		if err := modules.MakeDirs(h, dir, host.KeepAttr()); err != nil {
			return state.Effect{}, err
		}
	}
	e := state.NewEffect()
	e.Once = true
	i, err := h.Stat(name)
	if err != nil {
		e.Comment = fmt.Sprintf("Created empty file %s", name)
		e.Preview = fmt.Sprintf("File %s is set to be created", name)
		e.Changes.SetStr("new", value.Str(name))
		return e, touchFile(h, name, t.Atime, t.Mtime, env.Time())
	}
	word := "file"
	if i.IsDir() {
		word = "directory"
	}
	if (t.Atime != nil || t.Mtime != nil) && t.isSet(i) {
		// Salt differs: it sets the times again, and says that it touched the file.
		return state.Settled(fmt.Sprintf("File %s exists and has the correct times", name)), nil
	}
	e.Comment = fmt.Sprintf("Updated times on %s %s", word, name)
	e.Preview = fmt.Sprintf("Times set to be updated on file %s", name)
	e.Changes.SetStr("touched", value.Str(name))
	return e, touchFile(h, name, t.Atime, t.Mtime, env.Time())
}

// isSet says whether the times that are given are those of the file, to the second.
func (t *Touch) isSet(i host.Info) bool {
	if at, err := timeOf(t.Atime, i.ATime); err != nil || at.Unix() != i.ATime.Unix() {
		return false
	}
	mt, err := timeOf(t.Mtime, i.MTime)
	return err == nil && mt.Unix() == i.MTime.Unix()
}
