package jinja

import (
	"maps"
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

// builtinFilters are the filters of Jinja.
func builtinFilters() map[string]Filter {
	all := map[string]Filter{}
	maps.Copy(all, textFilters())
	maps.Copy(all, listFilters())
	maps.Copy(all, numberFilters())
	maps.Copy(all, markupFilters())
	return all
}

func textFilters() map[string]Filter {
	def := signed("do_default(value, default_value, boolean)", filterDefault)
	return map[string]Filter{
		"capitalize": method("do_capitalize(s)", "capitalize"),
		"lower":      method("do_lower(s)", "lower"),
		"upper":      method("do_upper(s)", "upper"),
		"title":      signed("do_title(s)", filterTitle),
		"trim":       signed("do_trim(value, chars)", filterTrim),
		"center":     signed("do_center(value, width)", filterCenter),
		"replace":    signed("+do_replace(s, *old, *new, count)", filterReplace),
		"format":     filterFormat,
		"indent":     signed("do_indent(s, width, first, blank)", filterIndent),
		"truncate":   signed("+do_truncate(s, length, killwords, end, leeway)", filterTruncate),
		"wordwrap":   signed("+do_wordwrap(s, width, break_long_words, wrapstring, break_on_hyphens)", filterWordwrap),
		"wordcount":  signed("do_wordcount(s)", filterWordcount),
		"string":     signed("soft_str(s)", filterString),
		"pprint":     signed("do_pprint(value)", filterPprint),
		"urlencode":  signed("do_urlencode(value)", filterURLEncode),
		"tojson":     signed("+do_tojson(value, indent)", filterToJSON),
		"attr":       signed("+do_attr(obj, *name)", filterAttr),
		"default":    def,
		"d":          def,
	}
}

func listFilters() map[string]Filter {
	count := signed("len(obj)", filterLength)
	return map[string]Filter{
		"batch":      signed("do_batch(value, *linecount, fill_with)", filterBatch),
		"slice":      signed("sync_do_slice(value, *slices, fill_with)", filterSlice),
		"dictsort":   signed("do_dictsort(value, case_sensitive, by, reverse)", filterDictsort),
		"first":      signed("+sync_do_first(seq)", filterFirst),
		"last":       signed("+do_last(seq)", filterLast),
		"random":     signed("+do_random(seq)", filterRandom),
		"groupby":    signed("+sync_do_groupby(value, *attribute, default, case_sensitive)", filterGroupby),
		"items":      signed("do_items(value)", filterItems),
		"join":       signed("+sync_do_join(value, d, attribute)", filterJoin),
		"list":       signed("sync_do_list(value)", filterList),
		"map":        filterMap,
		"max":        signed("+do_max(value, case_sensitive, attribute)", minOrMax(opGt)),
		"min":        signed("+do_min(value, case_sensitive, attribute)", minOrMax(opLt)),
		"reject":     selectOrReject("sync_do_reject", false, false),
		"rejectattr": selectOrReject("sync_do_rejectattr", false, true),
		"select":     selectOrReject("sync_do_select", true, false),
		"selectattr": selectOrReject("sync_do_selectattr", true, true),
		"reverse":    signed("do_reverse(value)", filterReverse),
		"sort":       signed("+do_sort(value, reverse, case_sensitive, attribute)", filterSort),
		"sum":        signed("+sync_do_sum(iterable, attribute, start)", filterSum),
		"unique":     signed("+sync_do_unique(value, case_sensitive, attribute)", filterUnique),
		"count":      count,
		"length":     count,
	}
}

func numberFilters() map[string]Filter {
	return map[string]Filter{
		"abs":            signed("abs(x)", func(_ *Call, p []value.Value) (value.Value, error) { return absolute(p[0]) }),
		"int":            signed("do_int(value, default, base)", filterInt),
		"float":          signed("do_float(value, default)", filterFloat),
		"round":          signed("do_round(value, precision, method)", filterRound),
		"filesizeformat": signed("do_filesizeformat(value, binary)", filterFilesize),
	}
}

func markupFilters() map[string]Filter {
	esc := signed("escape(s)", func(_ *Call, p []value.Value) (value.Value, error) { return escape(p[0]) })
	return map[string]Filter{
		"escape":      esc,
		"e":           esc,
		"forceescape": signed("do_forceescape(value)", filterForceEscape),
		"safe":        signed("do_mark_safe(value)", filterSafe),
		"striptags":   signed("do_striptags(value)", filterStriptags),
		"urlize":      signed("+do_urlize(value, trim_url_limit, nofollow, target, rel, extra_schemes)", filterURLize),
		"xmlattr":     signed("+do_xmlattr(d, autospace)", filterXMLAttr),
	}
}

// method is a filter that calls a method of text.
func method(signature, name string) Filter {
	letters := letterFilters()[name]
	return signed(signature, func(c *Call, p []value.Value) (value.Value, error) {
		s, err := str(p[0])
		if err != nil {
			return nil, err
		}
		if letters != nil && isASCII(s) {
			text := []byte(s)
			letters(text)
			return like(p[0], string(text)), nil
		}
		out, _, err := value.CallMethod(c.Ctx, value.Str(s), name, nil, nil)
		if err != nil {
			return nil, err
		}
		return like(p[0], value.String(out)), nil
	})
}

// letterFilters are those of the filters that change letters in their places.
func letterFilters() map[string]letterFilter {
	return map[string]letterFilter{
		"upper": func(text []byte) {
			for i, b := range text {
				if b >= 'a' && b <= 'z' {
					text[i] = b - 'a' + 'A'
				}
			}
		},
		"lower": func(text []byte) {
			for i, b := range text {
				if b >= 'A' && b <= 'Z' {
					text[i] = b - 'A' + 'a'
				}
			}
		},
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
