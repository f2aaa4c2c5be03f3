package test

import (
	"context"
	"math"
	"math/big"
	"math/rand"
	"strconv"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// numberSpecs are the functions that compute, or wait, for the sake of it.
func numberSpecs() []modules.ExecSpec {
	size := []string{"size=9999999999", "hash_type=None"}
	return []modules.ExecSpec{
		modules.NewExec("test.fib", "fib(num): a number of Fibonacci's and the seconds that it took.", fib, "num"),
		modules.NewExec("test.collatz", "collatz(start): the numbers from start down to 2 by Collatz's rule, and the "+
			"seconds that they took.", collatz, "start"),
		modules.NewExec("test.random_hash", "random_hash(size=9999999999, hash_type=None): the hash of a random number.",
			randomHash, size...),
		modules.NewExec("test.rand_str", "rand_str(size=9999999999, hash_type=None): the hash of a random number.",
			randomHash, size...),
		modules.NewExec("test.sleep", "sleep(length): True, after so many seconds.",
			sleep("length", func(d time.Duration) time.Duration { return d }), "length:seconds"),
		modules.NewExec("test.rand_sleep", "rand_sleep(max=60): True, after a random number of seconds.",
			sleep("max", func(d time.Duration) time.Duration {
				return time.Duration(rand.Int63n(int64(d/time.Second)+1)) * time.Second
			}), "max:seconds=60"),
	}
}

// sleep waits for what wait makes of a parameter of seconds, unless the run is ended meanwhile.
func sleep(param string, wait func(time.Duration) time.Duration) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		t := time.NewTimer(wait(c.Seconds(param)))
		defer t.Stop()
		select {
		case <-t.C:
			return value.Bool(true), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// whole is a parameter as Python's int() takes it: text with digits, too.
func whole(c *modules.Call, param string) (int64, error) {
	v, err := value.ToInt(c.Arg(param), nil)
	if err != nil {
		return 0, err
	}
	i, ok := v.(value.Int)
	if !ok {
		return 0, value.Raise("OverflowError", "%s is too large", value.String(v))
	}
	return int64(i), nil
}

// took is an answer with the seconds since start.
func took(c *modules.Call, start time.Time, v value.Value) value.Value {
	return value.NewTuple(v, value.Float(c.Time().Sub(start).Seconds()))
}

func fib(ctx context.Context, c *modules.Call) (value.Value, error) {
	n, err := whole(c, "num")
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, value.Raise("ValueError", "Negative number is not allowed!")
	}
	start := c.Time()
	a, b := new(big.Int), big.NewInt(1)
	for range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, b = b, a.Add(a, b)
	}
	return took(c, start, value.NewInt(a)), nil
}

// collatz halves what is even, into a float as Python's division does, and takes what is odd times 3 and 1 more.
// Salt differs: it never comes back from a start below 1.
func collatz(ctx context.Context, c *modules.Call) (value.Value, error) {
	n, err := whole(c, "start")
	if err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, value.Raise("ValueError", "the sequence of %d does not end", n)
	}
	begin, steps, x, halved := c.Time(), value.NewList(), float64(n), false
	for x != 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var step value.Value = value.Int(int64(x))
		if halved {
			step = value.Float(x)
		}
		steps.Items = append(steps.Items, step)
		if math.Mod(x, 2) == 0 {
			x, halved = x/2, true
		} else {
			x = x*3 + 1
		}
	}
	return took(c, begin, steps), nil
}

func randomHash(_ context.Context, c *modules.Call) (value.Value, error) {
	kind := c.Str("hash_type")
	if c.Arg("hash_type") == value.None {
		kind = c.Opts.Text("hash_type")
	}
	size, err := whole(c, "size")
	if err != nil {
		return nil, err
	}
	s, err := modules.Digest(kind, []byte(strconv.FormatInt(1+rand.Int63n(max(1, size)), 10)))
	return value.Str(s), err
}
