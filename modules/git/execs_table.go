package git

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// functions are those that are one call of git.
func functions() []function {
	return slices.Concat(commits(), branches(), exchanges(), looks())
}

// yes is the answer of what says nothing.
func yes(*words, string) (value.Value, error) { return value.Bool(true), nil }

// commits are about files and commits.
func commits() []function {
	return []function{
		{name: "add", doc: "Stages a file or a folder.", params: "cwd filename" + opts + asWhom, class: modules.Writes,
			words: func(w *words) { w.add("add", "--verbose").opts("-v", "--verbose").add("--", w.c.Str("filename")) }},
		{name: "rm", doc: "Removes a file from the checkout and its index.", params: "cwd filename" + opts + asWhom,
			class: modules.Writes,
			words: func(w *words) { w.add("rm").opts().add("--", w.c.Str("filename")) }},
		{name: "commit", doc: "Makes a commit.", params: "cwd message:text" + opts + " user= password= filename= " +
			"ignore_retcode=False output_encoding=", class: modules.Writes, words: commit},
		{name: "stash", doc: "Puts changes aside: the action is save, pop, list and so on.",
			params: "cwd action=save" + opts + asWhom, class: modules.Writes,
			words: func(w *words) { w.add("stash").operand("action").opts() }},
		{name: "reset", doc: "Runs git reset, with its options and revision in opts.", params: "cwd" + opts + keyedIn,
			class: modules.Writes, words: func(w *words) { w.add("reset").opts() }},
		{name: "discard_local_changes", doc: "Takes back changes to a path that are not committed.",
			params: "cwd path=." + asWhom, class: modules.Writes, both: true,
			words: func(w *words) { w.add("checkout", "--", w.c.Str("path")) }},
		{name: "tag", doc: "Makes a tag, with a message an annotated one; opts -d deletes it.",
			params: "cwd name ref=HEAD message:text=" + opts + asWhom, class: modules.Writes, both: true, words: tag},
		{name: "archive", doc: "Writes an archive of a revision; format is told by the name of the output.",
			params: "cwd output rev=HEAD prefix= git_opts=" + asWhom + " format=", class: modules.Writes, give: yes,
			words: archiveWords},
		{name: "submodule", doc: "Runs a command of git submodule.", params: "cwd command" + opts + keyed + " init=False",
			class: modules.Writes, words: submodule},
	}
}

func commit(w *words) {
	w.add("commit", "-m", w.c.Str("message")).opts()
	if f := w.c.Str("filename"); f != "" {
		w.add("--", f)
	}
}

// Salt differs: it takes a message and makes a tag without one.
func tag(w *words) {
	if w.add("tag"); w.c.Str("message") != "" {
		w.add("-a", "-m", w.c.Str("message"))
	}
	n := len(w.list)
	w.opts("-a", "--annotate")
	given := w.list[n:]
	for _, o := range given {
		if o == "-m" || strings.Contains(o, "--message") {
			w.refuse(refused(`Tag messages must be passed in the "message" argument`))
		}
	}
	if w.operand("name"); !slices.Contains(given, "-d") && !slices.Contains(given, "--delete") {
		w.operand("ref")
	}
}

func archiveWords(w *words) {
	w.add("archive")
	prefix := w.c.Str("prefix")
	if prefix == "" && w.c.Arg("prefix") == value.Value(value.None) {
		prefix = path.Base(inHome(w.c, w.c.Str("cwd"))) + "/"
	}
	if prefix != "" {
		w.add("--prefix", prefix)
	}
	if f := w.c.Str("format"); f != "" {
		w.add("--format", f)
	}
	w.add("--output", inHome(w.c, w.c.Str("output"))).operand("rev")
}

func submodule(w *words) {
	if w.c.Bool("init") {
		w.refuse(refused("The 'init' argument is no longer supported. Either set 'command' to 'init', or include '--init' " +
			"in the 'opts' argument and set 'command' to 'update'."))
	}
	w.add("submodule").operand("command").opts()
}

// branches are about branches and what they point to.
func branches() []function {
	return []function{
		{name: "branch", doc: "Makes a branch, or what opts say: -d deletes it.", params: "cwd name=" + opts + asWhom,
			class: modules.Writes, give: yes, words: func(w *words) { w.add("branch").opts().operand("name") }},
		{name: "checkout", doc: "Checks a revision out.", params: "cwd rev= force=False" + opts + asWhom,
			class: modules.Writes, both: true, words: checkout},
		{name: "merge", doc: "Merges a revision into the branch.", params: "cwd rev=" + opts + keyedIn,
			class: modules.Writes, words: func(w *words) { w.add("merge").opts().operand("rev") }},
		{name: "rebase", doc: "Puts the branch on top of another.", params: "cwd rev=master" + opts + asWhom,
			class: modules.Writes, words: rebase},
		{name: "symbolic_ref", doc: "Gives what a symbolic reference points to, or sets or deletes it.",
			params: "cwd ref value=" + opts + asWhom, class: modules.Writes, words: symbolicRef},
	}
}

func checkout(w *words) {
	n := len(w.add("checkout").flag("force", "--force").list)
	given := w.opts().list[n:]
	if w.c.Str("rev") == "" && !slices.Contains(given, "-b") && !slices.Contains(given, "-B") {
		w.refuse(refused("'rev' argument is required unless -b or -B in opts"))
	}
	w.operand("rev")
}

func rebase(w *words) {
	w.add("rebase").opts()
	if slices.Contains(w.list, "-i") || slices.Contains(w.list, "--interactive") {
		w.refuse(refused("Interactive rebases are not supported"))
	}
	revs, err := modules.Words(w.c.Str("rev"))
	if err != nil {
		w.refuse(refused("rev: %v", err))
	}
	for _, rev := range revs {
		w.noOption("rev", rev).add(rev)
	}
}

// Salt differs: it hands the letters of the value to git, one by one, which refuses them.
func symbolicRef(w *words) {
	n := len(w.add("symbolic-ref").list)
	given := w.options("opts").list[n:]
	deletes := slices.Contains(given, "-d") || slices.Contains(given, "--delete")
	if deletes && w.c.Str("value") != "" {
		w.refuse(refused("Value cannot be set for symbolic ref if -d/--delete is included in opts"))
	}
	w.look = !deletes && w.c.Str("value") == "" && n == 1
	w.operand("ref", "value")
}

// looks are those that change nothing.
func looks() []function {
	return []function{
		{name: "current_branch", doc: "The branch that is checked out, HEAD where none is.", params: "cwd" + asWhom,
			words: func(w *words) { w.add("rev-parse", "--abbrev-ref", "HEAD") }},
		{name: "describe", doc: "A revision by the nearest tag.", params: "cwd rev=HEAD" + asWhom,
			words: func(w *words) { w.add("describe", "--always").operand("rev") }},
		{name: "revision", doc: "The commit of a revision.", params: "cwd rev=HEAD short=False" + asWhom,
			words: func(w *words) { w.add("rev-parse").flag("short", "--short").operand("rev") }},
		{name: "rev_parse", doc: "What git rev-parse says.", params: "cwd rev=" + opts + asWhom, class: modules.Writes,
			words: func(w *words) { w.look = len(w.list) == 0; w.add("rev-parse").options("opts").operand("rev") }},
		{name: "diff", doc: "The differences between revisions, the index and the files.",
			params: "cwd item1= item2=" + opts + " user= password= no_index=False cached=False paths= output_encoding=",
			class:  modules.Writes, both: true, words: diff},
		{name: "status", doc: "What is modified, new, deleted and untracked.", params: "cwd" + asWhom, give: status,
			words: func(w *words) { w.add("status", "-z", "--porcelain") }},
		{name: "list_branches", doc: "The branches, with remote those of the remotes.",
			params: "cwd remote=False" + asWhom, give: lines, words: func(w *words) {
				where := "refs/heads/"
				if w.c.Bool("remote") {
					where = "refs/remotes/"
				}
				w.add("for-each-ref", "--format", "%(refname:short)", where)
			}},
		{name: "list_tags", doc: "The tags.", params: "cwd" + asWhom, give: lines,
			words: func(w *words) { w.add("for-each-ref", "--format", "%(refname:short)", "refs/tags/") }},
		{name: "remotes", doc: "The remotes with their addresses for fetch and push.",
			params: "cwd user= password= redact_auth=True ignore_retcode=False output_encoding=",
			words:  func(w *words) { w.add("remote", "--verbose") }, give: remotes},
		{name: "version", doc: "The version of git, as a list with versioninfo.", params: "versioninfo=False",
			words: func(w *words) { w.nowhere = true; w.add("--version") }, give: version},
		{name: "merge_base", doc: "The commit that revisions come from.", params: "cwd refs= octopus=False " +
			"is_ancestor=False independent=False fork_point=" + opts + asWhom + " all=False", class: modules.Writes,
			words: mergeBase, give: bases},
		{name: "worktree_prune", doc: "Forgets worktrees that are gone.", params: "cwd dry_run=False verbose=True expire=" +
			opts + asWhom, class: modules.Writes, both: true, words: prune},
	}
}

func diff(w *words) {
	c := w.c
	w.look = len(w.list) == 0
	noIndex, cached := c.Bool("no_index"), c.Bool("cached")
	if noIndex && cached {
		w.refuse(failed("The 'no_index' and 'cached' options cannot be used together"))
	}
	if w.add("diff").opts(); w.look {
		w.add("--no-ext-diff", "--no-textconv") // programs that the repository's configuration names
	}
	switch {
	case noIndex:
		w.add("--no-index")
		w.lenient = true
	case cached:
		w.add("--cached").operand("item1")
	default:
		w.operand("item1", "item2")
	}
	if paths := c.Strs("paths"); len(paths) > 0 {
		w.add("--").add(paths...)
	}
}

// lines is the output as a list.
func lines(_ *words, out string) (value.Value, error) {
	l := value.NewList()
	for line := range strings.Lines(out) {
		l.Items = append(l.Items, value.Str(strings.TrimRight(line, "\r\n")))
	}
	return l, nil
}

// status are the files by what became of them.
func status(_ *words, out string) (value.Value, error) {
	names := map[string]string{"M": "modified", "A": "new", "D": "deleted", "??": "untracked"}
	found := value.NewDict(0)
	for _, entry := range strings.Split(out, "\x00") {
		kind, file, ok := strings.Cut(strings.TrimLeft(entry, " "), " ")
		if file = strings.TrimLeft(file, " "); !ok || file == "" {
			continue
		}
		if n := names[kind]; n != "" {
			kind = n
		}
		collect(found, kind, value.Str(file))
	}
	return found, nil
}

// collect appends to the list under a key.
func collect(d *value.Dict, key string, v value.Value) {
	l, _ := d.GetStr(key)
	if l == nil {
		l = value.NewList()
		d.SetStr(key, l)
	}
	l.(*value.List).Items = append(l.(*value.List).Items, v)
}

// version is the version that `git --version` names.
func version(w *words, out string) (value.Value, error) {
	out, _, _ = strings.Cut(out, "(")
	v := ""
	if words := strings.Fields(out); len(words) > 0 {
		v = words[len(words)-1]
	}
	if !w.c.Bool("versioninfo") {
		return value.Str(v), nil
	}
	l := value.NewList()
	for _, part := range strings.Split(v, ".") {
		if n, err := strconv.Atoi(part); err == nil {
			l.Items = append(l.Items, value.Int(n))
		} else {
			l.Items = append(l.Items, value.Str(part))
		}
	}
	return l, nil
}

func execSpecs() []modules.ExecSpec {
	specs := slices.Concat(configSpecs(), remoteSpecs(), worktreeSpecs(), []modules.ExecSpec{mergeTreeSpec()})
	for _, f := range functions() {
		specs = append(specs, f.spec())
	}
	return specs
}
