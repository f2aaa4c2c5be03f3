package sls

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// extend reads the extend key: a map of IDs like those of the file.
func (f *file) extend(e value.Entry) {
	pos := f.pos(e.KeyAt, f.start)
	ids, ok := e.Val.(*value.Dict)
	if !ok {
		f.diags.Add(diag.Errorf(pos, "'extend' in SLS '%s' is not a map of IDs but %s", f.name,
			article(e.Val)).WithHint("write 'ID:' below it, without '- '"))
		return
	}
	for i := range ids.Len() {
		entry := ids.At(i)
		at := f.pos(entry.KeyAt, pos)
		id, isText := entry.Key.(value.Str)
		body, isDict := entry.Val.(*value.Dict)
		switch {
		case !isText:
			f.diags.Add(diag.Errorf(at, "ID %s of 'extend' in SLS '%s' is no text", value.String(entry.Key),
				f.name).WithHint("quote it"))
			continue
		case !isDict:
			f.diags.Add(diag.Errorf(at, "'%s' of 'extend' in SLS '%s' is not a map of states but %s", id, f.name,
				article(entry.Val)).
				WithHint("write 'MODULE:' below it, with the arguments to change"))
			continue
		}
		d := &state.Decl{ID: string(id), SLS: f.name, Env: f.env, Pos: at}
		d.States = f.modules(d, body, at)
		if len(d.States) == 0 {
			if body.Len() == 0 {
				f.diags.Add(diag.Errorf(at, "'%s' of 'extend' in SLS '%s' extends nothing", id,
					f.name).WithHint("write 'MODULE:' below it, with the arguments to change"))
			}
			continue
		}
		f.high.Extends = append(f.high.Extends, d)
	}
}

// exclude reads the exclude key: a list of SLS names, `sls: NAME` and `id: ID`.
func (f *file) exclude(e value.Entry) {
	pos := f.pos(e.KeyAt, f.start)
	list, ok := e.Val.(*value.List)
	if !ok {
		f.diags.Add(diag.Errorf(pos, "'exclude' in SLS '%s' is not a list but %s", f.name,
			article(e.Val)).WithHint("write '- sls: NAME' or '- id: ID' below it"))
		return
	}
	for i, it := range list.Items {
		at := f.pos(list.MarkAt(i), pos)
		switch it := it.(type) {
		case value.Str:
			f.high.Excludes = append(f.high.Excludes, state.Exclude{SLS: string(it), Pos: at})
			continue
		case *value.Dict:
			if x, ok := excluded(it, at); ok {
				f.high.Excludes = append(f.high.Excludes, x)
				continue
			}
			f.ignored(diag.Warnf(at, "entry %s of 'exclude' in SLS '%s' names neither an SLS nor an ID and is ignored, as "+
				"Salt does", value.Repr(it), f.name).
				WithHint("write '- sls: NAME' or '- id: ID'"))
			continue
		}
		f.diags.Add(diag.Errorf(at, "entry %s of 'exclude' in SLS '%s' names neither an SLS nor an ID", value.Repr(it),
			f.name).
			WithHint("write '- sls: NAME' or '- id: ID'"))
	}
}

func excluded(d *value.Dict, at diag.Pos) (state.Exclude, bool) {
	if d.Len() != 1 {
		return state.Exclude{}, false
	}
	name, ok := d.At(0).Val.(value.Str)
	switch {
	case ok && d.At(0).Key == value.Str("sls"):
		return state.Exclude{SLS: string(name), Pos: at}, true
	case ok && d.At(0).Key == value.Str("id"):
		return state.Exclude{ID: string(name), Pos: at}, true
	}
	return state.Exclude{}, false
}
