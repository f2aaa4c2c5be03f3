package main

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// ownCommand are the words of gostate that do what a function of Salt's does with its arguments.
func ownCommand(fun string, args []string) ([]string, error) {
	params, own := stateFunctions()[fun]
	module, _, _ := strings.Cut(fun, ".")
	switch {
	case own:
		return stateCommand(fun, params, args)
	case fun == "state.single":
		return append([]string{"single"}, escaped(args)...), nil
	case module == "state" || module == "pillar":
		flags, rest, err := keywords(args, saltKeywords("pillar", "pillarenv", "localconfig", "mock"))
		return append(append(flags, "call"), escaped(append([]string{fun}, rest...))...), err
	}
	return append([]string{"call"}, escaped(append([]string{fun}, args...))...), nil
}

// escaped are words of which none is taken for a flag. Keywords of a run still are.
func escaped(words []string) []string { return append([]string{"--"}, words...) }

// stateFunctions are the functions that a command of its own does, with their positional parameters.
func stateFunctions() map[string][]string {
	return map[string][]string{
		"state.apply":     {"mods"},
		"state.sls":       {"mods", "test", "exclude", "queue"},
		"state.test":      {"mods"},
		"state.highstate": {"test", "queue"},
		"state.top":       {"topfn", "test", "queue"},
		"state.sls_id":    {"id_", "mods", "test", "queue"},

		"state.orchestrate": {"mods", "saltenv", "test", "exclude", "pillar", "pillarenv"},
		"state.orch":        {"mods", "saltenv", "test", "exclude", "pillar", "pillarenv"},
	}
}

// stateCommand is sls or highstate with the arguments of a function of Salt's.
func stateCommand(fun string, params, args []string) ([]string, error) {
	given, err := arguments(fun, params, args)
	if err != nil {
		return nil, err
	}
	for _, need := range []string{"id_", "topfn"} {
		if slices.Contains(params, need) && given[need] == nil {
			return nil, usagef("%s needs the argument %s", fun, need)
		}
	}
	var words []string
	for name, flag := range saltKeywords(runKeywords()...) {
		if v, ok := given[name]; ok && v != value.None {
			words = append(words, flag+"="+flagText(v))
		}
	}
	slices.Sort(words)
	words, _, err = keywords(words, saltKeywordFlags())
	if err != nil {
		return nil, err
	}
	if fun == "state.test" {
		words = append(words, "--test=true")
	}
	if v, ok := given["topfn"]; ok {
		words = append(words, "--top-file="+strings.TrimPrefix(value.String(v), "salt://"))
	}
	mods := texts(given["mods"])
	conducts := fun == "state.orchestrate" || fun == "state.orch"
	switch {
	case len(mods) == 0 && (fun == "state.sls" || fun == "state.sls_id" || conducts):
		return nil, usagef("%s needs the argument mods\nhint: the names of SLS files, with commas between them", fun)
	case conducts:
		words = append(words, "orchestrate")
	case len(mods) == 0:
		words = append(words, "highstate")
	default:
		words = append(words, "sls")
		for _, id := range texts(given["id_"]) {
			words = append(words, "--id="+id)
		}
	}
	words = append(append(words, "--"), mods...)
	if skip, ok := given["exclude"]; ok && skip != value.None {
		list, err := excluded(skip)
		if err != nil {
			return nil, err
		}
		words = append(words, "exclude="+strings.Join(list, ","))
	}
	return words, nil
}

// runKeywords are the keywords of Salt's that flags of a run stand for.
func runKeywords() []string {
	return []string{"test", "pillar", "saltenv", "pillarenv", "queue", "concurrent", "mock", "localconfig"}
}

// saltKeywordFlags are the flags of the keywords of a run, by themselves.
func saltKeywordFlags() map[string]string {
	out := map[string]string{}
	for _, flag := range saltKeywords(runKeywords()...) {
		out[flag] = flag
	}
	return out
}

// ignoredKeywords are those that change nothing here: the tree's modules are always current, and there are no jobs.
func ignoredKeywords() []string { return []string{"sync_mods", "orchestration_jid", "state_events"} }

// arguments are the values of a call by their names. One that there is not is an error: Salt ignores it, and then
// `tets=True` would change the machine. Salt differs: it takes them without a word.
func arguments(fun string, params, words []string) (map[string]value.Value, error) {
	given := map[string]value.Value{}
	known := slices.Concat(params, runKeywords(), []string{"exclude"})
	if i := slices.Index(known, "topfn"); i < 0 && fun != "state.highstate" {
		known = append(known, "mods")
	}
	place := 0
	for _, w := range words {
		name, text, isKeyword := cutKeyword(w)
		switch {
		case isKeyword && slices.Contains(ignoredKeywords(), name):
			continue
		case isKeyword && !slices.Contains(known, name):
			return nil, unknownKeyword(fun, name, known)
		case !isKeyword && place >= len(params):
			return nil, usagef("%s has no argument for %q\nhint: names of SLS files have commas between them: %s a,b", fun, w,
				fun)
		case !isKeyword:
			name, text = params[place], w
			place++
		}
		given[name] = commandValue(name, text)
	}
	return given, nil
}

// unknownKeyword is the error of NAME=VALUE with a name that there is not.
func unknownKeyword(what, name string, known []string) error {
	if name == "noop" {
		return usagef("%s has no argument %q\nhint: --noop is a flag; test=True says what would change", what, name)
	}
	if slices.Contains([]string{"dry_run", "dryrun", "check"}, name) {
		return usagef("%s has no argument %q\nhint: test=True says what would change and changes nothing", what, name)
	}
	if near := diag.Nearest(name, known); near != "" {
		return usagef("%s has no argument %q\nhint: did you mean %s=?", what, name, near)
	}
	return usagef("%s has no argument %q\nhint: it takes %s", what, name, strings.Join(slices.Sorted(slices.Values(known)),
		", "))
}

// flagText is a value as a flag takes it.
func flagText(v value.Value) string {
	if _, ok := v.(*value.Dict); ok {
		text, err := value.DumpsJSON(v, value.JSONOptions{Unicode: true})
		if err == nil {
			return text
		}
	}
	return value.String(v)
}

// texts are the names that an argument gives: a list, or a text with commas.
func texts(v value.Value) []string {
	var out []string
	switch v := v.(type) {
	case nil, value.NoneType:
	case *value.List:
		for _, it := range v.Items {
			out = append(out, value.String(it))
		}
	default:
		for _, part := range strings.Split(value.String(v), ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

// excluded are the SLS files that the argument exclude names; those of an ID are not taken.
func excluded(v value.Value) ([]string, error) {
	list, ok := v.(*value.List)
	if !ok {
		return texts(v), nil
	}
	var out []string
	for _, it := range list.Items {
		d, ok := it.(*value.Dict)
		if !ok {
			out = append(out, value.String(it))
			continue
		}
		name, ok := d.GetStr("sls")
		if !ok {
			return nil, usagef("exclude takes SLS files, not %s\nhint: write `exclude:` in an SLS file to leave out an ID",
				value.Repr(it))
		}
		out = append(out, value.String(name))
	}
	return out, nil
}
