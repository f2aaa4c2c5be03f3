// Package fetch is the execution functions that get something from elsewhere: cp (the file roots), http and dnsutil.
//
// What cp caches is written below the option cachedir, through the host, so that a preview writes nothing.
package fetch

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family is all functions of the package.
func Family() modules.Family {
	var all []modules.ExecSpec
	for _, f := range []func() []modules.ExecSpec{cpSpecs, listSpecs, httpSpecs, dnsSpecs} {
		all = append(all, f()...)
	}
	return modules.Family{Name: "fetch", Execs: all}
}

type fn = func(ctx context.Context, c *modules.Call) (value.Value, error)

func spec(name, doc string, f fn, params ...string) modules.ExecSpec {
	return modules.ExecSpec{Name: name, Doc: doc, Params: params, Fn: f}
}

// env is the environment that the call names, else the run's, else base.
func env(c *modules.Call) string {
	if e := c.Str("saltenv"); e != "" {
		return e
	}
	if c.World.SaltEnv != "" {
		return c.World.SaltEnv
	}
	return "base"
}
