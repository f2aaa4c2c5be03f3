package all

import (
	"path"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestExecutionFunctionsAreAtHome: what is called as X.y is written in the package modules/X, so that one knows where
// to look.
func TestExecutionFunctionsAreAtHome(t *testing.T) {
	// passwords are a part of accounts
	elsewhere := map[string]string{"shadow": "user", "aliases": "alias", "virtualenv": "pip", "ip": "network"}
	for _, f := range Families() {
		for _, e := range f.Execs {
			module, _, _ := strings.Cut(e.Name, ".")
			if home := packageOf(e.Fn); home != module && home != elsewhere[module] {
				t.Errorf("%s is written in modules/%s", e.Name, home)
			}
		}
	}
}

// packageOf is the last part of the path of the package that a function is written in: x of "a.b/x.Family.func1".
func packageOf(f any) string {
	name := path.Base(runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name())
	name, _, _ = strings.Cut(name, ".")
	return name
}
