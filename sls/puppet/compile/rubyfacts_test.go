package compile

import (
	"strings"
	"testing"
)

// TestFactsInRuby holds that a fact which only a module's Ruby finds out is told of where a class asks for it, once, and
// not where it is given.
func TestFactsInRuby(t *testing.T) {
	r := recorded{Manifest: "include m\ninclude m::more", Files: map[string]string{
		"modules/m/manifests/init.pp": "class m { notice($facts['m_version']) }",
		"modules/m/manifests/more.pp": "class m::more { notice($facts['m_version'], $facts['kernel'], $m_versions) }",
		"modules/m/lib/facter/m.rb":   "Facter.add(:m_version) do\nend\nFacter.add('kernel') do\nend\nFacter.add('m_ver') do\nend\n",
	}}
	warnings := func() (out []string) {
		_, logs, err := Compile(r.options(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range logs {
			if strings.Contains(l.Message, "in Ruby") {
				out = append(out, l.Level+": "+l.Message)
			}
		}
		return out
	}
	want := "warning: the module m finds out the fact 'm_version' in Ruby (/env/modules/m/lib/facter/m.rb), which is not run: it " +
		"is unknown to /env/modules/m/manifests/init.pp; a file in facts.d can give it"
	if got := strings.Join(warnings(), "\n"); got != want {
		t.Errorf("%s", got)
	}
	r.Facts = map[string]any{"m_version": "1"}
	if got := warnings(); got != nil {
		t.Errorf("given, and yet %s", got)
	}
}
