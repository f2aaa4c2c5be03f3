package modules

import "sync"

// A Cache holds what providers keep during one run, or a state during one attempt. The zero Cache is empty.
type Cache struct {
	mu sync.Mutex
	m  map[any]any // guarded by mu
}

// NewCache makes an empty cache.
func NewCache() *Cache { return &Cache{} }

// Get gives the value kept under key, made by fill when there is none. Two callers never make it twice.
func Get[T any](c *Cache, key any, fill func() T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.m[key]; ok {
		return v.(T)
	}
	if c.m == nil {
		c.m = map[any]any{}
	}
	v := fill()
	c.m[key] = v
	return v
}

// Forget drops what is kept under key.
func (c *Cache) Forget(key any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.m, key)
}
