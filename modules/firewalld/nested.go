package firewalld

import (
	"slices"

	"github.com/gostate/gostate/state/value"
)

// nested writes changes as Salt does in the comment of a preview.
func nested(v value.Value, indent string) []string {
	var out []string
	switch v := v.(type) {
	case *value.Dict:
		if indent != "" {
			out = append(out, indent+"----------")
		}
		var keys []string
		for k := range v.All() {
			keys = append(keys, value.String(k))
		}
		slices.Sort(keys)
		for _, k := range keys {
			item, _ := v.GetStr(k)
			out = append(append(out, indent+k+":"), nested(item, indent+"    ")...)
		}
	case *value.List:
		for _, i := range v.Items {
			if d, ok := i.(*value.Dict); ok {
				out = append(append(out, indent+"|_"), nested(d, indent+"  ")...)
				continue
			}
			out = append(out, indent+"- "+value.String(i))
		}
	default:
		if text := value.String(v); text != "" {
			out = append(out, indent+text)
		}
	}
	return out
}
