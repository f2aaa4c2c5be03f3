// Package codec is the execution functions that compute on text: hashes and encodings (hashutil), and what is random
// (random). They touch nothing of the machine but the files that they are told to read.
package codec

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family is all functions of the package.
func Family() modules.Family {
	return modules.Family{Name: "codec", Execs: append(hashSpecs(), randomSpecs()...)}
}

type fn = func(ctx context.Context, c *modules.Call) (value.Value, error)

func spec(name, doc string, f fn, params ...string) modules.ExecSpec {
	return modules.ExecSpec{Name: name, Doc: doc, Params: params, Fn: f}
}

// raw is the bytes of an argument: of bytes themselves, else of its text.
func raw(v value.Value) []byte {
	if b, ok := v.(value.Bytes); ok {
		return []byte(b)
	}
	return []byte(value.String(v))
}
