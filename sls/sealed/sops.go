package sealed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/state/value"
)

// A document is a file of sops: AES-GCM under one data key, which is encrypted for each recipient. It is opened as a
// whole, when the first of its values is asked for: only then its code over all values (the MAC) can be checked.
type document struct {
	k      *Keys
	s      Source
	meta   metadata
	leaves []leaf
	// paths are those of the values of a YAML file by their places: a key that is true in YAML 1.1 is "on" to sops.
	paths map[value.Mark]string

	once sync.Once
	key  []byte
	err  error
}

// A leaf is a value of the file, with the keys that lead to it.
type leaf struct {
	path string // each key with a colon behind it
	v    any    // string, int, float64, bool, time.Time
}

// IsSops says whether data is a document of sops.
func IsSops(v value.Value) bool {
	d, ok := v.(*value.Dict)
	if !ok {
		return false
	}
	s, _ := d.Peek(value.Str("sops"))
	meta, ok := s.(*value.Dict)
	return ok && meta.Has(value.Str("mac")) && meta.Has(value.Str("lastmodified"))
}

// Sops seals the values of a document of sops, which was read from the text, and takes its metadata out.
func (k *Keys) Sops(v value.Value, text string, s Source) (value.Value, error) {
	d := &document{k: k, s: s, paths: map[value.Mark]string{}}
	if err := d.read(text); err != nil {
		return nil, k.fault(s.pos(value.Mark{Line: 1, Col: 1}), fmt.Errorf("cannot read the sops file: %w", err))
	}
	data := v.(*value.Dict)
	data.Delete(value.Str("sops"))
	d.seal(data, "", map[value.Value]bool{})
	return data, nil
}

// seal seals the entries of a dict, and of the dicts below.
func (d *document) seal(v value.Value, path string, seen map[value.Value]bool) {
	if isContainer(v) && seen[v] {
		return
	}
	switch v := v.(type) {
	case *value.List:
		seen[v] = true
		for _, item := range v.Items {
			d.seal(item, path, seen)
		}
	case *value.Dict:
		seen[v] = true
		for i := range v.Len() {
			e := v.PeekAt(i)
			below := path + value.String(e.Key) + ":"
			d.seal(e.Val, below, seen)
			if encrypted(e.Val) {
				open := func() (value.Value, error) { return d.open(e.Val, below, e.ValueAt) }
				_ = v.SetAt(e.Key, d.k.sealed(open), e.KeyAt, e.ValueAt)
			}
		}
	}
}

const sopsValue = "ENC[AES256_GCM,"

// encrypted says whether a value is an encrypted text, or a list with one.
func encrypted(v value.Value) bool {
	return holds(v, map[value.Value]bool{}, func(text string) bool { return strings.HasPrefix(text, sopsValue) })
}

// open is a text, or the texts of a list, decrypted.
func (d *document) open(v value.Value, path string, at value.Mark) (value.Value, error) {
	return opened(v, at, map[*value.List]*value.List{}, func(text string, at value.Mark) (value.Value, error) {
		if !encrypted(value.Str(text)) {
			return value.Str(text), nil
		}
		if known, ok := d.paths[at]; ok {
			path = known
		}
		d.once.Do(d.unlock)
		plain, err := any(nil), d.err
		if err == nil {
			plain, err = unseal(d.key, text, path)
		}
		if err != nil {
			return nil, d.k.fault(d.s.pos(at), err)
		}
		out := fromGo(plain)
		d.k.Secrets.Mark(out)
		return out, nil
	})
}

func fromGo(plain any) value.Value {
	switch plain := plain.(type) {
	case int:
		return value.Int(plain)
	case float64:
		return value.Float(plain)
	case bool:
		return value.Bool(plain)
	case time.Time:
		return value.Str(plain.Format(time.RFC3339Nano))
	case []byte:
		return value.Bytes(plain)
	}
	return value.TextOf([]byte(plain.(string)))
}

// unlock opens the data key and checks the MAC.
func (d *document) unlock() {
	if d.key, d.err = d.dataKey(); d.err != nil {
		return
	}
	sum := sha512.New()
	if d.meta.OnlyEncrypted {
		sum.Write(onlyEncrypted())
	}
	for _, l := range d.leaves {
		plain := l.v
		if text, ok := l.v.(string); ok && strings.HasPrefix(text, sopsValue) {
			if plain, d.err = unseal(d.key, text, l.path); d.err != nil {
				return
			}
		} else if d.meta.OnlyEncrypted {
			continue
		}
		sum.Write(bytesOf(plain))
	}
	mac, err := unseal(d.key, d.meta.MAC, d.meta.modified())
	if err != nil || mac != fmt.Sprintf("%X", sum.Sum(nil)) {
		d.err = &hint{errors.New("the sops file is not what was encrypted: its MAC does not match"),
			"somebody changed it without sops; take the last good version, or sops --ignore-mac after reading it"}
	}
}

// onlyEncrypted is what sops begins the code with where it is over the encrypted values only.
func onlyEncrypted() []byte {
	return []byte{0x8a, 0x3f, 0xd2, 0xad, 0x54, 0xce, 0x66, 0x52, 0x7b, 0x10, 0x34, 0xf3, 0xd1, 0x47, 0xbe, 0xb, 0xb,
		0x97, 0x5b, 0x3b, 0xf4, 0x4f, 0x72, 0xc6, 0xfd, 0xad, 0xec, 0x81, 0x76, 0xf2, 0x7d, 0x69}
}

// bytesOf is a value as the code is made of it.
func bytesOf(v any) []byte {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case []byte:
		return v
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case float64:
		return strconv.AppendFloat(nil, v, 'f', -1, 64)
	case bool:
		if v {
			return []byte("True")
		}
		return []byte("False")
	case time.Time:
		text, _ := v.MarshalText()
		return text
	}
	return nil
}

// unseal decrypts ENC[AES256_GCM,data:...,iv:...,tag:...,type:...] at a path.
func unseal(key []byte, text, path string) (any, error) {
	parts := map[string]string{}
	for _, part := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, sopsValue), "]"), ",") {
		name, val, _ := strings.Cut(part, ":")
		parts[name] = val
	}
	var raw [3][]byte
	for i, name := range []string{"data", "iv", "tag"} {
		var err error
		if raw[i], err = base64.StdEncoding.DecodeString(parts[name]); err != nil || name != "data" && len(raw[i]) == 0 {
			return nil, errors.New("a value of the sops file is damaged: its " + name + " is no base64")
		}
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, errors.New("the data key of the sops file is damaged")
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, len(raw[1]))
	if err != nil {
		return nil, errors.New("a value of the sops file is damaged")
	}
	plain, err := gcm.Open(nil, raw[1], append(raw[0], raw[2]...), []byte(path))
	if err != nil {
		return nil, &hint{errors.New("a value of the sops file is damaged, or was moved there from another key"),
			"keys and values may only be changed with sops"}
	}
	return typed(string(plain), parts["type"])
}

// typed is a value of the type that sops noted.
func typed(text, kind string) (v any, err error) {
	switch kind {
	case "str", "comment":
		return text, nil
	case "bytes":
		return []byte(text), nil
	case "int":
		v, err = strconv.Atoi(text)
	case "float":
		v, err = strconv.ParseFloat(text, 64)
	case "bool":
		v, err = strconv.ParseBool(text)
	case "time":
		v, err = time.Parse(time.RFC3339Nano, text)
	default:
		return nil, fmt.Errorf("a value of the sops file has the unknown type %q", kind)
	}
	if err != nil {
		return nil, errors.New("a value of the sops file is no " + kind)
	}
	return v, nil
}
