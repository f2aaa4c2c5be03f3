package file

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/gostate/gostate/modules"
)

// chunks are the two buffers of a comparison.
type chunks [2][copySize]byte

type chunksKey struct{}

// chunkPool keeps the buffers of a run: thousands of files are compared in the same two.
func chunkPool(env *modules.Env) *sync.Pool {
	fill := func() *sync.Pool { return &sync.Pool{New: func() any { return new(chunks) }} }
	if env.Cache == nil {
		return fill()
	}
	return modules.Get(env.Cache, chunksKey{}, fill)
}

// unlike says whether two readers give different contents. It stops at the first difference.
func unlike(env *modules.Env, a, b io.Reader) (bool, error) {
	pool := chunkPool(env)
	c := pool.Get().(*chunks)
	defer pool.Put(c)
	for {
		n, err1 := io.ReadFull(a, c[0][:])
		m, err2 := io.ReadFull(b, c[1][:])
		switch {
		case broke(err1):
			return false, err1
		case broke(err2):
			return false, err2
		case !bytes.Equal(c[0][:n], c[1][:m]):
			return true, nil
		case n < copySize:
			return false, nil
		}
	}
}

// broke says whether an error of io.ReadFull is more than the end.
func broke(err error) bool {
	return err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF)
}
