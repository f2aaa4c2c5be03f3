package archive

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	spec := func(name, params, doc string, fn modules.ExecFunc) modules.ExecSpec {
		return modules.ExecSpec{Name: "archive." + name, Doc: doc, Params: strings.Fields(params), Fn: fn}
	}
	look := " saltenv=None source_hash= use_etag=False"
	return append(modules.Writing(
		spec("tar", "options tarfile sources= dest= cwd= template= runas=", "Runs tar; gives the lines that it prints.",
			runTar),
		spec("gzip", "sourcefile template= runas= options=", "Compresses a file; gives the lines that gzip prints.",
			compress("gzip", "sourcefile")),
		spec("gunzip", "gzipfile template= runas= options=", "Unpacks a file; gives the lines that gunzip prints.",
			compress("gunzip", "gzipfile")),
		spec("cmd_zip", "zip_file sources template= cwd= runas=", "Makes a zip archive with the command zip.", cmdZip),
		spec("zip", "zip_file sources template= cwd= runas= zip64=False", "Makes a zip archive; gives the names in it. "+
			"With runas the command zip does it.", makeZip),
		spec("cmd_unzip", "zip_file dest excludes= options= template= runas= trim_output=False password=",
			"Extracts a zip archive with the command unzip.", cmdUnzip),
		spec("unzip", "zip_file dest excludes= options= template= runas= trim_output=False password= extract_perms=True",
			"Extracts a zip archive; gives the names in it. With runas or password the command unzip does it.", unzip),
		spec("rar", "rarfile sources template= cwd= runas=", "Makes a rar archive with the command rar.", makeRar),
		spec("unrar", "rarfile dest excludes= template= runas= trim_output=False", "Extracts a rar archive with the command "+
			"unrar.", unrar),
	),
		spec("list", "name archive_format= options= strip_components= clean=False verbose=False"+look,
			"What is in an archive: the names, or with verbose folders, files and links.", list),
		spec("is_encrypted", "name clean=False"+look, "Whether a zip archive is encrypted.", isEncrypted),
	)
}

func failed(format string, args ...any) error {
	return value.Raise("CommandExecutionError", format, args...)
}

func refused(format string, args ...any) error {
	return value.Raise("SaltInvocationError", format, args...)
}

// A command is one of the tools as it is put together.
type command struct {
	c   *modules.Call
	cmd host.Cmd
	err error
}

// tool begins the command of a call: as whom and where it says.
func tool(c *modules.Call, words ...string) *command {
	t := &command{c: c, cmd: host.Cmd{Args: words, RunAs: c.Str("runas"), Combine: true}}
	if c.Has("cwd") {
		t.cmd.Dir = c.Str("cwd")
	}
	if _, err := c.Host.LookPath(words[0]); err != nil {
		t.err = err
		if !host.IsUnknown(err) {
			t.err = value.Raise("CommandNotFoundError", "The '%s' binary was not found in $PATH.", words[0])
		}
	}
	return t
}

func (t *command) add(words ...string) *command {
	t.cmd.Args = append(t.cmd.Args, words...)
	return t
}

// file adds the path that a parameter names.
//
// Salt differs: it hands a path such as --checkpoint-action=exec=PROGRAM to tar, which runs the program.
func (t *command) file(ctx context.Context, param string) *command {
	name, err := rendered(ctx, t.c, param)
	if t.err == nil {
		t.err = err
	}
	return t.path(param, name)
}

func (t *command) path(param, name string) *command {
	if strings.HasPrefix(name, "-") && t.err == nil {
		t.err = refused("'%s' argument '%s' would be read as an option; ./ before it makes it a path", param, name)
	}
	return t.add(name)
}

// sources adds the paths that the globs of the parameter mean.
func (t *command) sources() *command {
	for _, s := range expand(t.c) {
		t.path("sources", s)
	}
	return t
}

// expand are the paths of the parameter sources. Salt differs: it looks for relative patterns below its own directory,
// and not below cwd.
func expand(c *modules.Call) []string {
	var out []string
	for _, s := range c.Strs("sources") {
		s = strings.TrimSpace(s)
		switch base := c.Str("cwd"); {
		case !fnmatch.HasMeta(s):
			out = append(out, s)
		case path.IsAbs(s):
			out = append(out, modules.Glob(c.Host, s)...)
		default:
			for _, found := range modules.Glob(c.Host, path.Join(base, s)) {
				out = append(out, strings.TrimPrefix(found, strings.TrimRight(base, "/")+"/"))
			}
		}
	}
	return out
}

// run runs the tool and gives what it printed, line by line. A preview refuses it.
func (t *command) run(ctx context.Context) (lines []string, code int, err error) {
	if t.err != nil {
		return nil, 0, t.err
	}
	err = t.c.Host.Do(ctx, host.Deed{What: strings.Join(t.cmd.Args[:1], " "), On: host.Anything,
		Do: func(ctx context.Context) error {
			out, err := t.c.Host.Run(ctx, t.cmd)
			if err != nil {
				return err
			}
			code = out.Code
			if text := strings.TrimRight(string(out.Stdout), " \t\r\n"); text != "" {
				lines = strings.Split(text, "\n")
			}
			return nil
		}})
	return lines, code, err
}

// answer is what the tool printed, whatever became of it.
func (t *command) answer(ctx context.Context) (value.Value, error) {
	lines, code, err := t.run(ctx)
	if code != 0 {
		t.c.Log("error", t.cmd.Args[0]+" ended with exit code "+strconv.Itoa(code))
	}
	return modules.TextList(lines), err
}

// rendered is a path of a parameter, rendered where there is a template.
func rendered(ctx context.Context, c *modules.Call, param string) (string, error) {
	name := c.Str(param)
	engine := c.Str("template")
	if engine == "" {
		return name, nil
	}
	out, err := c.Templates.Render(ctx, engine, param, []byte(name), "", c.ChosenEnv(), value.NewDict(0))
	return strings.TrimSuffix(string(out), "\n"), err
}

func runTar(ctx context.Context, c *modules.Call) (value.Value, error) {
	options := strings.Fields(c.Str("options"))
	if len(options) == 0 {
		return nil, refused("Tar options can not be empty")
	}
	t := tool(c, "tar").add(options...).file(ctx, "tarfile").sources()
	if c.Str("dest") != "" {
		t.add("-C").file(ctx, "dest")
	}
	return t.answer(ctx)
}

// compress is gzip or gunzip on the file of a parameter.
func compress(program, param string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		t := tool(c, program)
		if o := c.Str("options"); o != "" {
			t.add(o)
		}
		return t.file(ctx, param).answer(ctx)
	}
}

func cmdZip(ctx context.Context, c *modules.Call) (value.Value, error) {
	return tool(c, "zip", "-r").file(ctx, "zip_file").sources().answer(ctx)
}

func makeRar(ctx context.Context, c *modules.Call) (value.Value, error) {
	return tool(c, "rar", "a", "-idp").file(ctx, "rarfile").sources().answer(ctx)
}

func cmdUnzip(ctx context.Context, c *modules.Call) (value.Value, error) {
	t := tool(c, "unzip")
	if p := c.Str("password"); p != "" {
		t.add("-P", p)
	}
	options, err := modules.Words(c.Str("options"))
	if err != nil {
		return nil, refused("options: %v", err)
	}
	t.add(options...).file(ctx, "zip_file").add("-d").file(ctx, "dest")
	if ex := c.Strs("excludes"); ex != nil {
		t.add("-x").add(trimmed(ex)...)
	}
	lines, code, err := t.run(ctx)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, failed("%s", strings.Join(lines, "\n"))
	}
	return modules.TextList(shortened(lines, c.Arg("trim_output"))), nil
}

func unrar(ctx context.Context, c *modules.Call) (value.Value, error) {
	program := "unrar"
	if _, err := c.Host.LookPath(program); err != nil {
		program = "rar"
	}
	t := tool(c, program, "x", "-idp").file(ctx, "rarfile")
	for _, ex := range trimmed(c.Strs("excludes")) {
		t.add("-x", ex)
	}
	lines, _, err := t.file(ctx, "dest").run(ctx)
	return modules.TextList(shortened(lines, c.Arg("trim_output"))), err
}

func trimmed(list []string) []string {
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// shortened are the first lines, as many as trim_output says.
func shortened(lines []string, trim value.Value) []string {
	limit := limitOf(trim, len(lines))
	if len(lines) <= limit {
		return lines
	}
	return append(slices.Clone(lines[:limit]), "List trimmed after "+strconv.Itoa(limit)+" files.")
}

func unzip(ctx context.Context, c *modules.Call) (value.Value, error) {
	if c.Str("runas") != "" || c.Str("password") != "" {
		return cmdUnzip(ctx, c)
	}
	source, err := rendered(ctx, c, "zip_file")
	if err != nil {
		return nil, err
	}
	to, err := rendered(ctx, c, "dest")
	if err != nil {
		return nil, err
	}
	names, err := unzipTo(ctx, c, source, to)
	if err != nil {
		return nil, failed("Exception encountered unpacking zipfile: %v", err)
	}
	return modules.TextList(shortened(names, c.Arg("trim_output"))), nil
}

func unzipTo(ctx context.Context, c *modules.Call, source, to string) (names []string, err error) {
	r, err := c.Host.Open(source)
	if err != nil {
		return nil, err
	}
	p, err := packOf(r, func() (io.ReadCloser, error) { return c.Host.Open(source) })
	if err != nil {
		return nil, err
	}
	defer p.close()
	p.format, p.h = "zip", c.Host
	if _, err := p.members(ctx); err != nil { // faults are told before anything is written
		return nil, err
	}
	e := &Extracted{Name: to, Format: "zip", Perms: c.Bool("extract_perms")}
	in := inside{h: c.Host, dir: path.Clean(to), known: map[string]bool{}}
	excludes := trimmed(c.Strs("excludes"))
	err = p.each(ctx, func(m member, content io.Reader) error {
		name := m.raw
		if m.isDir() {
			name += "/"
		}
		if slices.Contains(excludes, name) {
			return nil
		}
		names = append(names, name)
		if err := in.check(m.name); err != nil {
			return err
		}
		return e.write(c.Host, m, stored{content, p, m}, -1, -1)
	})
	return names, err
}

// fetched is the archive of the parameter name, with the hash that was asked for.
func fetched(ctx context.Context, c *modules.Call) (*pack, error) {
	name := c.Str("name")
	p, err := load(ctx, c.Env, c.Host, name, c.ChosenEnv())
	if host.IsUnknown(err) {
		return nil, err
	}
	if err != nil {
		c.Log("error", name+": "+err.Error())
		return nil, failed("Failed to cache %s", name)
	}
	if sum := c.Str("source_hash"); sum != "" {
		got, want, ok, err := modules.HashReader(p, sum)
		switch {
		case err == nil && !ok:
			err = fmt.Errorf("%q is no hash", sum)
		case err == nil && got != want:
			err = errors.New("what was fetched does not have the hash " + sum)
		}
		if err != nil {
			p.close()
			return nil, failed("%s: %v", name, err)
		}
	}
	p.h = c.Host
	return p, nil
}

func isEncrypted(ctx context.Context, c *modules.Call) (value.Value, error) {
	p, err := fetched(ctx, c)
	if err != nil {
		return nil, err
	}
	defer p.close()
	z, err := zipOf(p.ReadSeeker, p.size)
	if err != nil {
		return nil, failed("%s is not a ZIP file", c.Str("name"))
	}
	const encrypted = 1
	return value.Bool(slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Flags&encrypted != 0 })), nil
}
