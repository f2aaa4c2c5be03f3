package jinja

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/gostate/gostate/state/value"
)

// An Environment holds what templates share: configuration, filters, tests, globals, tags and the cache of those that
// were parsed. Add everything before the first template is parsed; after that it may be used by several goroutines.
type Environment struct {
	// Loader finds the templates that others name.
	Loader Loader

	cfg     Config
	filters map[string]Filter
	// letterFilters are those of the filters that can work on text that is being printed.
	letterFilters map[string]letterFilter
	tests         map[string]Test
	// plainTests are those of the tests that need nothing but the value.
	plainTests map[string]func(v value.Value) bool
	// remainderTests are those of the tests that compiled code decides itself.
	remainderTests map[string]remainderTest
	globals        map[string]value.Value
	tags           map[string]TagParser

	mu    sync.Mutex // guards cache
	cache map[cacheKey]*Template

	buffers sync.Pool // of *[]byte, for what templates print
}

type cacheKey struct{ name, file, text string }

// maxCached bounds the cache of parsed templates.
const maxCached = 1000

// A Source is the text of a template.
type Source struct {
	Name string // what it is known as from now on
	File string // for messages
	Text []byte
}

// A Loader finds the text of a template. parent is the name of the template that asks, "" for none; what relative names
// mean is for the loader to say. Where there is no such template the error is a *TemplateNotFound.
type Loader interface {
	Load(ctx context.Context, name, parent string) (*Source, error)
}

// New makes an environment with the filters, tests and globals of Jinja.
func New(cfg Config) *Environment {
	return &Environment{
		cfg: cfg.withDefaults(), filters: builtinFilters(), letterFilters: letterFilters(), tests: builtinTests(),
		plainTests: plainTests(), remainderTests: remainderTests(), globals: builtinGlobals(),
		tags: map[string]TagParser{}, cache: map[cacheKey]*Template{},
	}
}

// Config is the configuration with its defaults filled in.
func (e *Environment) Config() Config { return e.cfg }

// AddFilter adds a filter or replaces one.
func (e *Environment) AddFilter(name string, f Filter) {
	e.filters[name] = f
	delete(e.letterFilters, name)
}

// AddTest adds a test or replaces one.
func (e *Environment) AddTest(name string, t Test) {
	e.tests[name] = t
	delete(e.plainTests, name)
	delete(e.remainderTests, name)
}

// AddGlobal adds a variable that all templates see, imported ones too.
func (e *Environment) AddGlobal(name string, v value.Value) { e.globals[name] = v }

// AddTag adds a tag. Tags of the language cannot be replaced.
func (e *Environment) AddTag(name string, p TagParser) { e.tags[name] = p }

// Filter is the filter of that name, nil when there is none.
func (e *Environment) Filter(name string) Filter { return e.filters[name] }

// Test is the test of that name, nil when there is none.
func (e *Environment) Test(name string) Test { return e.tests[name] }

// Filters are the names of all filters, sorted.
func (e *Environment) Filters() []string { return slices.Sorted(maps.Keys(e.filters)) }

// Tests are the names of all tests, sorted.
func (e *Environment) Tests() []string { return slices.Sorted(maps.Keys(e.tests)) }

// Parse makes a template of the text, or gives the one that it made of the same text before. The error is an *Error.
func (e *Environment) Parse(name, file string, text []byte) (*Template, error) {
	key := cacheKey{name, file, string(text)}
	e.mu.Lock()
	t := e.cache[key]
	e.mu.Unlock()
	if t != nil {
		return t, nil
	}
	body, err := parse(e, name, file, key.text)
	if err != nil {
		return nil, err
	}
	t = &Template{Name: name, File: file, env: e}
	if err := compileTemplate(t, body); err != nil {
		return nil, err
	}
	e.mu.Lock()
	if len(e.cache) >= maxCached {
		clear(e.cache)
	}
	e.cache[key] = t
	e.mu.Unlock()
	return t, nil
}

// Get loads and parses the template of that name. parent is the name of the template that asks, "" for none.
func (e *Environment) Get(ctx context.Context, name, parent string) (*Template, error) {
	if e.Loader == nil {
		return nil, raise("TypeError", "no loader for this environment specified")
	}
	src, err := e.Loader.Load(ctx, name, parent)
	if err != nil {
		return nil, err
	}
	return e.Parse(src.Name, src.File, src.Text)
}

func isNotFound(err error) bool {
	var missing *TemplateNotFound
	return errors.As(err, &missing)
}

// Undefined is an unknown variable of that name, as strict as the environment says.
func (e *Environment) Undefined(name string) value.Value { return e.undefinedName(name) }
