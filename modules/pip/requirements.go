package pip

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// sources are the files of requirements: a list, each item of which may be several, separated by commas.
func (p *Installed) sources() (out []string) {
	for _, r := range p.Requirements {
		for f := range strings.SplitSeq(r, ",") {
			out = append(out, strings.TrimSpace(f))
		}
	}
	return out
}

// filed are the requirements of the files.
func (p *Installed) filed(ctx context.Context, env *modules.Env, h host.Reader) (out []requirement, err error) {
	for _, f := range p.sources() {
		text, err := p.flat(ctx, env, h, f, nil)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(text) {
			if line, _, _ = strings.Cut(strings.TrimSpace(line), " --"); line != "" &&
				(line[0] != '-' || strings.HasPrefix(line, "-e ")) {
				out = append(out, parseRequirement(line))
			}
		}
	}
	return out, nil
}

// flat is a file of requirements with those that it includes, without comments, one requirement or option in a line.
func (p *Installed) flat(ctx context.Context, env *modules.Env, h host.Reader, file string,
	within []string) (string, error) {
	data, err := p.read(ctx, env, h, file)
	if err != nil || len(within) > 20 {
		return "", fmt.Errorf("read the requirements: %w", orDeep(err, file))
	}
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(string(data), "\\\n", " ")) {
		line, _, _ = strings.Cut(line, " #")
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if rest = strings.TrimSpace(rest); word == "-r" || word == "--requirement" {
			if line, err = p.flat(ctx, env, h, beside(file, rest), append(within, file)); err != nil {
				return "", err
			}
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

func orDeep(err error, file string) error {
	if err == nil {
		err = fmt.Errorf("%s includes itself", file)
	}
	return err
}

// beside is a file that another names: relative to that one.
func beside(file, other string) string {
	if path.IsAbs(other) || strings.Contains(other, "://") {
		return other
	}
	if rest, ok := strings.CutPrefix(file, "salt://"); ok {
		return "salt://" + path.Join(path.Dir(rest), other)
	}
	return path.Join(path.Dir(file), other)
}

func (p *Installed) read(ctx context.Context, env *modules.Env, h host.Reader, file string) ([]byte, error) {
	if strings.Contains(file, "://") {
		return env.Files.Fetch(ctx, file, env.Low.SourceEnv())
	}
	return h.ReadFile(p.place(file))
}

// files are what pip is given: the files themselves and, for those of the file roots, what they hold, in a file that is
// gone afterwards.
func (p *Installed) files(ctx context.Context, env *modules.Env,
	h host.Host) (files []string, clean func(), err error) {
	clean = func() {
		for _, f := range files {
			if strings.HasPrefix(f, kept) {
				_ = h.Remove(f)
			}
		}
	}
	for i, f := range p.sources() {
		if strings.Contains(f, "://") {
			text, err := p.flat(ctx, env, h, f, nil)
			if err != nil {
				return nil, clean, err
			}
			f = fmt.Sprintf("%s%d.txt", kept, i)
			if err := h.WriteFile(f, strings.NewReader(text), host.Attr{Mode: 0o644, HasMode: true, UID: -1,
				GID: -1}); err != nil {
				return nil, clean, fmt.Errorf("write %s: %w", f, err)
			}
		}
		files = append(files, f)
	}
	return files, clean, nil
}

// kept is how the names of such files begin.
const kept = "/tmp/.gostate-requirements-"
