package sealed

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/value"
)

// metadata is what sops notes of a file under the key sops.
type metadata struct {
	Groups        []recipients `yaml:"key_groups" json:"key_groups"`
	recipients    `yaml:",inline"`
	Modified      string `yaml:"lastmodified" json:"lastmodified"`
	MAC           string `yaml:"mac" json:"mac"`
	OnlyEncrypted bool   `yaml:"mac_only_encrypted" json:"mac_only_encrypted"`
}

// recipients are those for whom the data key is encrypted: age and PGP, and services of clouds.
type recipients struct {
	Age []struct {
		Enc string `yaml:"enc" json:"enc"`
	} `yaml:"age" json:"age"`
	PGP []struct {
		Enc         string `yaml:"enc" json:"enc"`
		Fingerprint string `yaml:"fp" json:"fp"`
	} `yaml:"pgp" json:"pgp"`
	KMS []struct {
		Name string `yaml:"arn" json:"arn"`
	} `yaml:"kms" json:"kms"`
	GCP []struct {
		Name string `yaml:"resource_id" json:"resource_id"`
	} `yaml:"gcp_kms" json:"gcp_kms"`
	Huawei []struct {
		Name string `yaml:"key_id" json:"key_id"`
	} `yaml:"hckms" json:"hckms"`
	Azure []struct {
		Name string `yaml:"vault_url" json:"vault_url"`
	} `yaml:"azure_kv" json:"azure_kv"`
	Vault []struct {
		Name string `yaml:"vault_address" json:"vault_address"`
	} `yaml:"hc_vault" json:"hc_vault"`
}

// services are the recipients that gostate does not ask.
func (r recipients) services() (out []string) {
	for _, k := range r.KMS {
		out = append(out, "AWS KMS "+k.Name)
	}
	for _, k := range r.GCP {
		out = append(out, "Google Cloud KMS "+k.Name)
	}
	for _, k := range r.Huawei {
		out = append(out, "Huawei Cloud KMS "+k.Name)
	}
	for _, k := range r.Azure {
		out = append(out, "Azure Key Vault "+k.Name)
	}
	for _, k := range r.Vault {
		out = append(out, "HashiCorp Vault "+k.Name)
	}
	return out
}

// modified is the time that the MAC is bound to, as sops writes it.
func (m metadata) modified() string {
	t, err := time.Parse(time.RFC3339, m.Modified)
	if err != nil {
		return m.Modified
	}
	return t.Format(time.RFC3339)
}

// read takes the metadata and the leaves out of a text: JSON, or YAML.
func (d *document) read(text string) error {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		var doc struct{ Sops metadata }
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			return err
		}
		d.meta = doc.Sops
		dec := json.NewDecoder(strings.NewReader(text))
		return d.readJSON(dec, "", 0)
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		return err
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return errors.New("it is no mapping")
	}
	doc := root.Content[0]
	for i := 0; i+1 < len(doc.Content); i += 2 {
		if doc.Content[i].Value != "sops" {
			if err := d.readYAML(doc.Content[i+1], doc.Content[i].Value+":", 0); err != nil {
				return err
			}
		} else if err := doc.Content[i+1].Decode(&d.meta); err != nil {
			return err
		}
	}
	return nil
}

// maxDepth and maxLeaves bound what aliases of aliases may come to.
const (
	maxDepth  = 200
	maxLeaves = 1 << 20
)

func (d *document) readYAML(n *yaml.Node, path string, depth int) error {
	if depth > maxDepth || len(d.leaves) > maxLeaves {
		return errors.New("it is nested too deeply, or too big")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return d.readYAML(n.Alias, path, depth+1)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if err := d.readYAML(item, path, depth+1); err != nil {
				return err
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if err := d.readYAML(n.Content[i+1], path+n.Content[i].Value+":", depth+1); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		var v any
		if err := n.Decode(&v); err != nil {
			return fmt.Errorf("line %d: %w", n.Line, err)
		}
		if v != nil {
			d.leaves = append(d.leaves, leaf{path, v})
			d.paths[value.Mark{Line: int32(n.Line), Col: int32(n.Column)}] = path
		}
	}
	return nil
}

// readJSON reads one value and what is below it, in the order of the text.
func (d *document) readJSON(dec *json.Decoder, path string, depth int) error {
	t, err := dec.Token()
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return errors.New("it is nested too deeply")
	}
	open, ok := t.(json.Delim)
	if !ok {
		if t != nil && !strings.HasPrefix(path, "sops:") {
			d.leaves = append(d.leaves, leaf{path, t})
		}
		return nil
	}
	for dec.More() {
		below := path
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			below += key.(string) + ":"
		}
		if err := d.readJSON(dec, below, depth+1); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// dataKey opens the key of the file by the first recipient that it can be opened for.
func (d *document) dataKey() ([]byte, error) {
	r := d.meta.recipients
	switch {
	case len(d.meta.Groups) == 1:
		r = d.meta.Groups[0]
	case len(d.meta.Groups) > 1:
		return nil, &hint{fmt.Errorf("cannot open the sops file: its key is split over %d key groups", len(d.meta.Groups)),
			"gostate reads files with one key group"}
	}
	d.k.mu.Lock()
	defer d.k.mu.Unlock()
	var why []string
	var last error
	for _, a := range r.Age {
		key, err := d.k.unage(d.s.Ctx, a.Enc)
		if err == nil {
			return key, nil
		}
		last, why = err, append(why, err.Error())
	}
	for _, p := range r.PGP {
		key, err := d.k.gpgKey(d.s.Ctx, p.Enc)
		if err == nil {
			return key, nil
		}
		last, why = err, append(why, err.Error())
	}
	for _, s := range r.services() {
		why = append(why, s+" is not asked by gostate")
	}
	advice := "add an age or PGP recipient that this machine has the key of: sops updatekeys FILE"
	var hinted *hint
	if errors.As(last, &hinted) && len(why) == 1 {
		advice = hinted.hint
	}
	if len(why) == 0 {
		why = []string{"it has no recipients"}
	}
	return nil, &hint{errors.New("cannot open the sops file: " + strings.Join(distinct(why), "; ")), advice}
}

func distinct(texts []string) (out []string) {
	seen := map[string]bool{}
	for _, t := range texts {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
