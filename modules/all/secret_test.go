package all

import (
	"testing"

	"github.com/gostate/gostate/modules"
)

// TestSecretArguments: an argument that is called as secrets are is declared to be one, and the other way round.
func TestSecretArguments(t *testing.T) {
	r := modules.Lazy(Sources()...)
	declared := 0
	for _, name := range r.StateNames() {
		spec, _ := r.State(name)
		for _, a := range spec.Arguments() {
			named := modules.SecretName(a.Name) && a.Type != "boolean"
			for _, alias := range a.Aliases {
				named = named || modules.SecretName(alias)
			}
			switch {
			case a.Secret:
				declared++
			case named && !notSecret()[name+" "+a.Name]:
				t.Errorf(`%s: the argument %q is called as a secret is, and not declared as one (arg:"%s,secret")`, name, a.Name,
					a.Name)
			}
		}
	}
	if declared < 25 {
		t.Errorf("only %d arguments are declared secret: is this all of them?", declared)
	}
}

// notSecret are the arguments that are none though they are called so.
func notSecret() map[string]bool { return map[string]bool{} }
