package modules

import (
	"encoding/json"
	"testing"

	"github.com/dlclark/regexp2/v2"
)

// TestSchemaFindsSlips: slips in the names of functions and arguments, and values that are none, are invalid.
func TestSchemaFindsSlips(t *testing.T) {
	raw, err := testRegistry(t).Schema()
	if err != nil {
		t.Fatal(err)
	}
	type schema = map[string]any
	var s struct {
		AdditionalProperties struct {
			OneOf []struct {
				Properties, PatternProperties schema
			}
		}
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	id := s.AdditionalProperties.OneOf[0]
	refused := func(name string) bool {
		for pattern, v := range id.PatternProperties {
			ok, err := regexp2.MustCompile(pattern, regexp2.ECMAScript).MatchString(name)
			if err != nil {
				t.Fatal(err)
			}
			if ok && v == false {
				return true
			}
		}
		return false
	}
	for name, want := range map[string]bool{"thing.made": false, "thing.mde": true, "thing.madee": true,
		"mine.made": false,
		"__x__":     false} {
		if got := refused(name); got != want {
			t.Errorf("%s: refused is %t", name, got)
		}
	}
	arg := id.Properties["thing.made"].(schema)["oneOf"].([]any)[0].(schema)["items"].(schema)
	props := arg["properties"].(schema)
	if arg["additionalProperties"] != false || props["require"] == nil || props["unless"] == nil || props["unles"] != nil {
		t.Errorf("arguments: %v", arg)
	}
	pattern := props["replace"].(schema)["anyOf"].([]any)[2].(schema)["pattern"].(string)
	for text, want := range map[string]bool{"maybe": false, "yes": true, "True": true, "{{ x }}": true} {
		if got, _ := regexp2.MustCompile(pattern, regexp2.ECMAScript).MatchString(text); got != want {
			t.Errorf("%s: a boolean is %t", text, got)
		}
	}
}
