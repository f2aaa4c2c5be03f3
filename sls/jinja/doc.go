// Package jinja is a template engine for the language of Jinja 3.1 with the semantics of CPython.
//
// A template is lexed, parsed to a positioned tree, its names are resolved to slots by a pass of their own (scope.go),
// and what remains is compiled to Go closures that a Template keeps; rendering runs them against a context. The values
// are those of state/value, so dicts keep their order, lists are shared and arithmetic is Python's.
//
// The package knows nothing of where templates come from (a Loader is given) nor of what they are for: tags, filters,
// tests and globals are added from outside. It runs no commands and reads no files. Templates cannot reach attributes
// that begin with an underscore, and steps, depth and output are limited.
package jinja
