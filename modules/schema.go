package modules

import (
	"encoding/json"
	"strings"

	"github.com/gostate/gostate/state"
)

// Schema is a JSON schema (draft 2020-12) of SLS files, for editors: IDs with the known state functions and their
// arguments. What has a slip is invalid: a function that its module has not, an argument that its function has not.
// Modules that are not gostate's may be the tree's own. Keys are sorted, so the same functions give the same bytes.
func (r *Registry) Schema() ([]byte, error) {
	functions, slips := map[string]any{}, map[string]any{"^__": map[string]any{}}
	for _, n := range r.names() {
		functions[n] = r.all().states[n].schema()
	}
	for _, m := range r.modules() {
		functions[m] = array(map[string]any{"type": []string{"object", "string"}})
		slips["^"+m+`\.(?!(?:`+strings.Join(r.functionsOf(m), "|")+`)$)`] = false
	}
	declaration := map[string]any{
		"oneOf": []any{
			map[string]any{"type": "object", "properties": functions, "patternProperties": slips},
			map[string]any{"type": "string", "pattern": `^\w+\.\w+$`},
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
	for _, name := range state.GlobalArgs() {
		if props[name] == nil {
			props[name] = map[string]any{}
		}
	}
	argument := map[string]any{"type": []string{"object", "string"}, "properties": props}
	if s.AnyArgs || s.planOf().rest == nil { // others take what they call, or make of it
		argument["additionalProperties"] = false
	}
	return map[string]any{
		"description": s.Doc,
		"oneOf":       []any{array(argument), map[string]any{"type": "null"}},
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
		out["anyOf"] = []any{map[string]any{"enum": a.Choices}, map[string]any{"type": "null"},
			map[string]any{"type": "string", "pattern": `^$|\{\{`}}
	}
	switch a.Type {
	case "text":
		out["type"] = []string{"string", "number", "boolean", "null"}
	case "boolean":
		out["anyOf"] = []any{map[string]any{"type": []string{"boolean", "null"}}, map[string]any{"enum": []any{0, 1}},
			map[string]any{"type": "string", "pattern": `^([Tt]rue|[Ff]alse|[Yy]es|[Nn]o|[Oo]n|[Oo]ff|[Nn]one|0|1|)$|\{\{`}}
	case "integer", "number", "seconds":
		out["type"] = []string{"number", "string", "null"}
	case "map":
		out["type"] = []string{"object", "array", "null"}
	case "list", "list of text":
		out["type"] = []string{"array", "string", "number", "null"}
	}
	return out
}
