package main

import (
	"context"
	"strings"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/value"
)

// applySingle runs one state function with arguments from the command line; their values are YAML, as in Salt.
func applySingle(ctx context.Context, s *session.Session, fun string, words []string) error {
	mod, name, body, err := readSingle(fun, words)
	if err != nil {
		return err
	}
	return s.Single(ctx, mod, name, body)
}

// readSingle takes apart what stands on the command line: the module, the name, and the function with its arguments.
func readSingle(fun string, words []string) (mod, name string, body *value.List, err error) {
	mod, fn, ok := strings.Cut(fun, ".")
	if !ok || mod == "" || fn == "" {
		return "", "", nil, usagef("%q is no state function\nhint: write MODULE.FUNCTION, for example file.managed", fun)
	}
	body = value.NewList(value.Str(fn))
	for _, w := range words {
		k, text, isArg := strings.Cut(w, "=")
		if !isArg || strings.ContainsAny(k, "/ ") {
			if name != "" {
				return "", "", nil, usagef("%q is a second name\nhint: write arguments as NAME=VALUE", w)
			}
			name = w
			continue
		}
		v := commandValue(k, text)
		if k == "name" {
			name = value.String(v)
			continue
		}
		body.Items = append(body.Items, value.DictOf(k, v))
	}
	if name == "" {
		name = fun
	}
	return mod, name, body, nil
}
