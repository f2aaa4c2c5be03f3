package value

import (
	"strconv"
	"strings"
)

// Lookup follows path, its parts separated by sep, through dicts and lists as Salt's pillar.get does: a part is a key,
// in a list an index or a key of the first dict of the list that has it. A part that is a number also finds an integer
// key.
func Lookup(v Value, path, sep string) (Value, bool) {
	if sep == "" {
		return lookupPart(v, path)
	}
	for part := range strings.SplitSeq(path, sep) {
		var ok bool
		if v, ok = lookupPart(v, part); !ok {
			return nil, false
		}
	}
	return v, true
}

func lookupPart(v Value, part string) (Value, bool) {
	switch v := v.(type) {
	case *Dict:
		return lookupKey(v, part)
	case *List:
		for _, it := range v.Items {
			if d, ok := it.(*Dict); ok {
				if found, ok := lookupKey(d, part); ok {
					return found, true
				}
			}
		}
		i, err := strconv.Atoi(part)
		if err == nil && i < 0 {
			i += len(v.Items)
		}
		if err != nil || i < 0 || i >= len(v.Items) {
			return nil, false
		}
		return v.Items[i], true
	}
	return nil, false
}

func lookupKey(d *Dict, part string) (Value, bool) {
	if found, ok := d.GetStr(part); ok {
		return found, true
	}
	if n, err := strconv.ParseInt(part, 10, 64); err == nil {
		return d.Get(Int(n))
	}
	switch part {
	case "True", "true":
		return d.Get(Bool(true))
	case "False", "false":
		return d.Get(Bool(false))
	}
	return nil, false
}
