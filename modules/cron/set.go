package cron

import "slices"

// The answers of cron's execution functions.
const (
	isNew     = "new"
	isUpdated = "updated"
	isPresent = "present"
	isRemoved = "removed"
	isAbsent  = "absent"
)

// find is the place of the first job of a class that is meant and that fits, -1 for none.
func (t *table) find(class int, command, id string, fits func(*job) bool) int {
	return slices.IndexFunc(t.managed, func(l line) bool {
		c, _ := l.class()
		return l.job != nil && c == class && l.job.is(command, id) && (fits == nil || fits(l.job))
	})
}

// remove takes that job away.
func (t *table) remove(class int, command, id string, fits func(*job) bool) string {
	i := t.find(class, command, id, fits)
	if i < 0 {
		return isAbsent
	}
	t.managed = slices.Delete(t.managed, i, i+1)
	return isRemoved
}

// set makes the job as it is wished for. One that changes becomes the last, as with Salt.
func (t *table) set(w wish) string {
	class, _ := line{job: &w.job}.class()
	i := t.find(class, w.command, w.id, nil)
	if i < 0 {
		t.managed = append(t.managed, line{job: w.made(nil)})
		return isNew
	}
	j := w.made(t.managed[i].job)
	if *j == *t.managed[i].job {
		return isPresent
	}
	for i >= 0 {
		t.managed = slices.Delete(t.managed, i, i+1)
		i = t.find(class, w.command, w.id, nil)
	}
	t.managed = append(t.managed, line{job: j})
	return isUpdated
}

// variable is the place of a variable, -1 when there is none.
func (t *table) variable(name string) int {
	return slices.IndexFunc(t.managed, func(l line) bool { return l.env != nil && l.env.name == name })
}

// setVariable makes a variable the last one, unless it is there with its value: "" may be written in quotes.
func (t *table) setVariable(name, val string) string {
	done := isNew
	if i := t.variable(name); i >= 0 {
		if now := t.managed[i].env.value; now == val || val == "" && now == `""` {
			return isPresent
		}
		done = isUpdated
		t.managed = slices.Delete(t.managed, i, i+1)
	}
	t.managed = append(t.managed, line{env: &variable{name, val}})
	return done
}

func (t *table) removeVariable(name string) string {
	i := t.variable(name)
	if i < 0 {
		return isAbsent
	}
	t.managed = slices.Delete(t.managed, i, i+1)
	return isRemoved
}
