package bridge

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// python is the far side of the wire for Python, and what stands in for Salt's own package.
//
//go:embed all:python
var python embed.FS

// begin is the first question: what the program is, and the files that it may load.
func (b *Bridge) begin(f File) (*value.Dict, error) {
	q := value.DictOf("op", value.Str("begin"), "protocol", value.Int(1), "opts", b.cfg.Opts())
	if !f.Python() {
		return q, nil
	}
	program, err := python.ReadFile("python/bridge.py")
	if err != nil {
		return nil, err
	}
	sources, err := b.sources()
	if err != nil {
		return nil, err
	}
	q.SetStr("program", value.Str(program))
	q.SetStr("sources", sources)
	return q, nil
}

// sources are the texts of Python by kind and path.
func (b *Bridge) sources() (*value.Dict, error) {
	out := value.DictOf("salt", value.NewDict(0))
	for _, kind := range Kinds() {
		out.SetStr(kind, value.NewDict(0))
	}
	add := func(kind, rel, path string, text []byte) {
		of, _ := out.GetStr(kind)
		of.(*value.Dict).SetStr(rel, value.DictOf("path", value.Str(path), "text", value.TextOf(text)))
	}
	for _, f := range b.cfg.Files {
		if !f.Python() {
			continue
		}
		text, err := b.cfg.Read(f.Path)
		if err != nil {
			return nil, err
		}
		add(f.Kind, f.Rel, f.Path, text)
	}
	return out, fs.WalkDir(python, "python/salt", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := python.ReadFile(path)
		rel := strings.TrimPrefix(path, "python/")
		add("salt", rel, "gostate:"+rel, text)
		return err
	})
}
