package pack

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// pillarOf renders the pillar of a machine.
func (p *Packer) pillarOf(ctx context.Context, s *session.Session, id string) (*release.Sealed, error) {
	data, hidden, asked, err := s.OpenPillar(ctx)
	if err != nil {
		return nil, err
	}
	text, err := asYAML(data, id)
	if err != nil {
		return nil, err
	}
	out := &release.Sealed{ID: id, Pillar: text, Secrets: p.Secrets, Grains: map[string]json.RawMessage{}}
	for _, path := range hidden {
		out.Secrets = append(out.Secrets, pattern(path))
	}
	for _, name := range asked {
		v, ok := s.Grains().GetStr(name)
		if !ok {
			continue
		}
		text, err := value.DumpsJSON(v, value.JSONOptions{})
		if err != nil {
			continue // what is no JSON cannot be compared, nor reported
		}
		out.Grains[name] = json.RawMessage(text)
	}
	return out, nil
}

// asYAML writes a pillar, and makes sure that it is read as what it was.
func asYAML(data *value.Dict, id string) (string, error) {
	text, err := yaml.Encode(data, yaml.EncodeOptions{AllowUnicode: true})
	if err != nil {
		return "", diag.Errorf(diag.Pos{}, "the pillar of %s cannot be written: %v", id, err)
	}
	back, err := yaml.Decode("pillar", []byte(text))
	if err != nil || !value.Equal(back, data) && data.Len() > 0 {
		return "", diag.Errorf(diag.Pos{}, "the pillar of %s cannot be written as YAML: it would be read as another value",
			id)
	}
	return text, nil
}

// pattern is a path of keys as `secrets` of the configuration takes it, with nothing in it that stands for others.
func pattern(path []string) string {
	text := strings.Join(path, ":")
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(text)
}
