package pyrandom

import (
	"math/big"
	"math/rand/v2"

	"github.com/gostate/gostate/state/value"
)

// Pick takes k of the items, as Salt's sample and shuffle do: without a seed any, with a whole number those that Python
// picks. Salt differs: what it picks for a text changes from run to run, since it takes Python's hash of it.
func Pick(items []value.Value, k int, seed value.Value) ([]value.Value, error) {
	if k < 0 || k > len(items) {
		return nil, value.Raise("ValueError", "Sample larger than population or is negative")
	}
	places := rand.Perm(len(items))
	if seed != nil && seed != value.Value(value.None) {
		places = New(hash(seed)).Sample(len(items), k)
	}
	out := make([]value.Value, k)
	for i := range out {
		out[i] = items[places[i]]
	}
	return out, nil
}

// hash is Python's hash of a whole number, and any other value itself.
func hash(v value.Value) value.Value {
	switch v := v.(type) {
	case value.Int:
		if v == -1 {
			return value.Int(-2)
		}
		return value.Int(int64(v) % (1<<61 - 1))
	case value.BigInt:
		n, _ := new(big.Int).SetString(value.String(v), 10)
		return value.NewInt(n.Rem(n, big.NewInt(1<<61-1)))
	}
	return v
}
