package state

// Always says whether the state runs whatever happens: no condition and no requisite may hold it back, unless something
// fails.
func (l *Low) Always() bool {
	o := l.Opts()
	if o.HasOnlyif || o.HasUnless || len(o.Creates) > 0 {
		return false
	}
	for i := range l.Reqs {
		switch l.Reqs[i].Kind {
		case Onchanges, Onfail, Prereq:
			return false
		}
	}
	return true
}
