package session

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/sls/sealed"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ciphersOf are the keys of the configuration: gpg_keydir (gpgkeys beside it) and age_keyfile (age.key beside it).
func (s *Session) ciphersOf() *sealed.Keys {
	dir := s.config.Dir
	if s.config.Inside { // the keys are in that tree
		dir = strings.TrimPrefix(dir, s.config.Root)
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	files := s.config.Strings("age_keyfile")
	if files == nil {
		files = []string{filepath.Join(dir, "age.key")}
	}
	return &sealed.Keys{Host: s.keyMachine(), Secrets: s.secrets, AgeFiles: files,
		GPGDir:  s.config.Str("gpg_keydir", filepath.Join(dir, "gpgkeys")),
		Lenient: !s.config.Bool("gpg_decrypt_must_succeed", true),
		Warn:    func(text string) { s.log("warning", text) },
	}
}

// keyMachine is the machine that has the keys: that of the configuration, which may be another than the one whose tree
// is mounted somewhere.
func (s *Session) keyMachine() host.Reader {
	if s.machine.Root() == "/" || s.config.Inside {
		return s.machine
	}
	h, err := host.NewOS("/")
	if err != nil {
		return s.machine
	}
	return h
}

// closed is a value as it is shown: what is encrypted in it stays closed, unless secrets are to be shown.
func (s *Session) closed(v value.Value) value.Value {
	if s.process.shown() == nil || !s.ciphers.Used() {
		return v
	}
	return sealed.Mask(v)
}

// Encrypt encrypts a value as the pillar takes it, for recipients of age or of gpg.
func (s *Session) Encrypt(ctx context.Context, plain []byte, forAge, forGPG []string) (string, error) {
	return s.ciphers.Encrypt(ctx, plain, forAge, forGPG)
}

// decrypts says whether a renderer is one that decrypts.
func decrypts(name string) bool { return name == "gpg" || name == "age" || name == "sops" }

// decrypt is the step of a renderer that decrypts. The values of the pillar are sealed, and decrypted when something
// asks for them; those of states are used at once.
func (f foreign) decrypt(ctx context.Context, name string, t render.ForeignText) (value.Value, error) {
	src := sealed.Source{Ctx: ctx, At: t.At}
	data, seal := t.Data, f.s.ciphers.Open
	if f.lazy {
		seal = f.s.ciphers.Seal
	}
	switch {
	case name == "sops" && !sealed.IsSops(data):
		return nil, diag.Errorf(diag.Pos{File: t.File}, "it is no sops file: there is no key sops with a MAC").
			WithHint("encrypt it: sops encrypt --in-place FILE")
	case name == "sops":
		return f.s.ciphers.Sops(data, t.Text, src)
	case data == nil:
		data = value.Str(t.Text)
	}
	return seal(formatOf(name), data, src)
}

func formatOf(renderer string) sealed.Format {
	if renderer == "age" {
		return sealed.Age
	}
	return sealed.PGP
}

// decoded seals the values of a pillar SLS that sops has encrypted. Salt differs: it gives them as they stand.
func (s *Session) decoded(ctx context.Context, t render.ForeignText) (value.Value, error) {
	if !sealed.IsSops(t.Data) {
		return t.Data, nil
	}
	return foreign{s: s, lazy: true}.decrypt(ctx, "sops", t)
}

// decryptPillar seals what the option decrypt_pillar names: paths to values, each with a renderer or without.
func (s *Session) decryptPillar(ctx context.Context, p *value.Dict) error {
	pos := s.config.Pos("decrypt_pillar")
	delim := s.config.Str("decrypt_pillar_delimiter", ":")
	valid := s.config.Strings("decrypt_pillar_renderers")
	if valid == nil {
		valid = []string{"gpg", "age"}
	}
	var faults diag.List
	for _, w := range s.decryptWishes(&faults) {
		if !slices.Contains(valid, w[1]) || w[1] != "gpg" && w[1] != "age" {
			faults.Add(diag.Errorf(pos, "decrypt_pillar: %q is no renderer that decrypts", w[1]).
				WithHint("there are %s", strings.Join(valid, ", ")))
			continue
		}
		parent, key := p, w[0]
		for head, rest, more := strings.Cut(key, delim); more && parent != nil; head, rest, more = strings.Cut(key, delim) {
			below, _ := parent.Peek(value.Str(head))
			parent, _ = below.(*value.Dict)
			key = rest
		}
		if parent == nil {
			continue // as in Salt, what is not there is not decrypted
		}
		if v, ok := parent.Peek(value.Str(key)); ok {
			holder := value.DictOf(key, v)
			src := sealed.Source{Ctx: ctx, At: func(value.Mark) diag.Pos { return pos }}
			if _, err := s.ciphers.Seal(formatOf(w[1]), holder, src); err != nil {
				faults.AddErr(err)
			}
			v, _ = holder.Peek(value.Str(key))
			parent.SetStr(key, v)
		}
	}
	return faults.Err()
}

// decryptWishes are the paths of decrypt_pillar with their renderers: a list of paths and of maps of a path to a
// renderer, or one map.
func (s *Session) decryptWishes(faults *diag.List) (out [][2]string) {
	def := s.config.Str("decrypt_pillar_default", "gpg")
	add := func(d *value.Dict) {
		for k, v := range d.All() {
			w := [2]string{value.String(k), def}
			if value.Truth(v) {
				w[1] = value.String(v)
			}
			out = append(out, w)
		}
	}
	v, _ := s.config.Opts.GetStr("decrypt_pillar")
	switch v := v.(type) {
	case nil, value.NoneType:
	case *value.Dict:
		add(v)
	case *value.List:
		for _, item := range v.Items {
			if d, ok := item.(*value.Dict); ok {
				add(d)
			} else {
				out = append(out, [2]string{value.String(item), def})
			}
		}
	default:
		faults.Add(diag.Errorf(s.config.Pos("decrypt_pillar"), "decrypt_pillar is %s, not a list of paths", value.Repr(v)).
			WithHint("decrypt_pillar: ['secrets:password', 'tokens': gpg]"))
	}
	return out
}
