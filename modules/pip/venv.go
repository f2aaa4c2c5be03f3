package pip

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// Venv are the arguments that say how an environment is made.
type Venv struct {
	VenvBin string   `arg:"venv_bin,path" alias:"virtualenv_bin?" doc:"What makes the environment; when not given virtualenv, or python3 -m venv where that is not installed."`
	Python  string   `arg:"python,path" doc:"The Python of the environment."`
	System  bool     `arg:"system_site_packages" doc:"It sees the system's packages too."`
	Clear   bool     `arg:"clear" doc:"Make it anew, at every run."`
	Prompt  string   `arg:"prompt" doc:"What a shell shows in which it is active."`
	Extra   []string `arg:"extra_search_dir" doc:"Folders with packages that virtualenv looks in."`
	Never   bool     `arg:"never_download" doc:"Virtualenv fetches nothing."`
	// Symlinks and Renew are for pyvenv and known to the execution function alone.
	Symlinks, Renew bool
}

func (v *Venv) pyvenv() bool { return strings.Contains(v.VenvBin, "pyvenv") }

// refused is an argument that the program does not take, "" for none.
func (v *Venv) refused() string {
	switch {
	case !v.pyvenv() && v.Renew:
		return "upgrade"
	case !v.pyvenv() && v.Symlinks:
		return "symlinks"
	case v.pyvenv() && v.Python != "":
		return "python"
	case v.pyvenv() && len(v.Extra) > 0:
		return "extra_search_dir"
	case v.pyvenv() && v.Never:
		return "never_download"
	case v.pyvenv() && v.Prompt != "":
		return "prompt"
	}
	return ""
}

// command is what makes an environment.
// Salt differs: where nothing is asked for and virtualenv is not installed, it is Python's own venv that makes it.
func (v *Venv) command(h host.Reader) []string {
	if v.VenvBin != "" && v.VenvBin != "pyvenv" {
		return []string{v.VenvBin}
	}
	if _, err := h.LookPath("virtualenv"); err == nil && v.VenvBin == "" {
		return []string{"virtualenv"}
	}
	if v.Python != "" {
		return []string{v.Python, "-m", "venv"}
	}
	return []string{"python3", "-m", "venv"}
}

// maker is the command with its arguments.
func (v *Venv) maker(h host.Reader, name string) []string {
	args := v.command(h)
	own := len(args) == 1 && !v.pyvenv() // virtualenv, and not venv
	add := func(on bool, words ...string) {
		if on {
			args = append(args, words...)
		}
	}
	add(own && v.Python != "", "--python="+v.Python)
	for _, dir := range v.Extra {
		add(own, "--extra-search-dir="+dir)
	}
	add(own && v.Never, "--never-download")
	add(v.Prompt != "", "--prompt="+v.Prompt)
	add(v.Renew, "--upgrade")
	add(v.Symlinks, "--symlinks")
	add(v.System, "--system-site-packages")
	add(v.Clear, "--clear")
	return append(args, name)
}

// ready is an error where the environment cannot be made.
func (v *Venv) ready(h host.Reader, name, user string) error {
	programs := []string{v.command(h)[0]}
	if v.Python != "" {
		programs = append(programs, v.Python)
	}
	for _, p := range programs {
		if _, err := h.LookPath(p); err != nil {
			return fmt.Errorf("make the virtual environment %s: %w", name, err)
		}
	}
	if _, err := h.User(user); user != "" && err != nil {
		return fmt.Errorf("make the virtual environment %s as %s: %w", name, user, err)
	}
	return nil
}

// make makes the environment, and does then what is to be done in it.
func (v *Venv) make(ctx context.Context, h host.Host, name, user string, then func() error) error {
	return h.Do(ctx, host.Deed{What: "make the virtual environment " + name, On: host.FactLibrary,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, host.Cmd{Args: v.maker(h, name), RunAs: user, Env: []string{"LC_ALL=C.UTF-8"}})
			if err == nil && out.Code != 0 {
				err = errors.New(reason(out))
			}
			if err != nil {
				return fmt.Errorf("make the virtual environment %s: %w", name, err)
			}
			return then()
		},
		Foretell: func(o host.Host) error {
			o.Promise(host.Fact{Kind: host.FactPath, Name: name, Value: "unknown"})
			return nil
		}})
}

// python is the version of the Python of an environment, "" where it does not tell.
// Salt differs: it takes what Python 2 wrote to standard error, which with Python 3 is nothing.
func python(ctx context.Context, h host.Reader, name string) string {
	out, err := h.Query(ctx, host.Cmd{Args: []string{name + "/bin/python", "-V"}, Combine: true})
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out.Stdout))
}
