package modules

import "encoding/json"

// Schema is a JSON schema (draft 2020-12) of SLS files, for editors: IDs with the known state functions and their
// arguments. Keys are sorted, so the same functions give the same bytes.
func (r *Registry) Schema() ([]byte, error) {
	functions := map[string]any{}
	for _, n := range r.names() {
		functions[n] = r.all().states[n].schema()
	}
	declaration := map[string]any{
		"oneOf": []any{
			map[string]any{"type": "object", "properties": functions},
			map[string]any{"type": "string", "enum": r.names()},
		},
	}
	return json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "SLS",
		"type":    "object",
		"properties": map[string]any{"include": array(map[string]any{}), "exclude": array(map[string]any{}),
			"extend": object()},
		"additionalProperties": declaration,
	}, "", "  ")
}

func array(items any) map[string]any { return map[string]any{"type": "array", "items": items} }

func object() map[string]any { return map[string]any{"type": "object"} }

// schema is a state function: a list of one-key maps, each an argument.
func (s *StateSpec) schema() any {
	props := map[string]any{}
	for _, a := range s.Arguments() {
		entry := a.schema()
		props[a.Name] = entry
		for _, alias := range a.Aliases {
			props[alias] = entry
		}
	}
	return map[string]any{
		"description": s.Doc,
		"oneOf": []any{array(map[string]any{"type": []string{"object", "string"}, "properties": props}),
			map[string]any{"type": "null"}},
	}
}

func (a *Argument) schema() map[string]any {
	out := map[string]any{}
	if a.Doc != "" {
		out["description"] = a.Doc
	}
	if a.Default != "" {
		out["default"] = a.Default
	}
	if len(a.Choices) > 0 {
		out["enum"] = a.Choices
	}
	switch a.Type {
	case "text":
		out["type"] = []string{"string", "number", "boolean", "null"}
	case "boolean":
		out["type"] = []string{"boolean", "string", "null"}
	case "integer", "number", "seconds":
		out["type"] = []string{"number", "string", "null"}
	case "map":
		out["type"] = []string{"object", "array", "null"}
	case "list", "list of text":
		out["type"] = []string{"array", "string", "number", "null"}
	}
	return out
}
