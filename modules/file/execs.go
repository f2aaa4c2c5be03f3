package file

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// An execFn is the work of an execution function.
type execFn = func(ctx context.Context, c *modules.Call) (value.Value, error)

func execSpecs() []modules.ExecSpec {
	var out []modules.ExecSpec
	for _, list := range [][]modules.ExecSpec{pathExecs(), statExecs(), textExecs(), writeExecs(), editExecs(),
		patchExec()} {
		out = append(out, list...)
	}
	return out
}

// spec declares an execution function of the family: its parameters as one text, separated by spaces.
func spec(name, params, doc string, fn execFn) modules.ExecSpec {
	return modules.ExecSpec{Name: "file." + name, Doc: doc, Params: strings.Fields(params), Fn: fn}
}

// pathArg is a path parameter, with ~ as the home of who runs gostate.
func pathArg(c *modules.Call, name string) string { return expandHome(c.Str(name)) }

func failed(format string, args ...any) error {
	return value.Raise("CommandExecutionError", format, args...)
}

func invalid(format string, args ...any) error {
	return value.Raise("SaltInvocationError", format, args...)
}

// wrong makes an error of the machine one that Python would raise.
func wrong(err error) error {
	if err == nil {
		return nil
	}
	return failed("%v", err)
}
