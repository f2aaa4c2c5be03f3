package modules

import "sync"

// A Cache holds what providers keep during one run.
type Cache struct {
	mu sync.Mutex
	m  map[any]any // guarded by mu
}

// NewCache makes an empty cache.
func NewCache() *Cache { return &Cache{m: map[any]any{}} }

// Get gives the value kept under key, made by the function when there is none. Two callers never make it twice.
func Get[T any](c *Cache, key any, make func() T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.m[key]; ok {
		return v.(T)
	}
	v := make()
	c.m[key] = v
	return v
}

// Forget drops what is kept under key.
func (c *Cache) Forget(key any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.m, key)
}
