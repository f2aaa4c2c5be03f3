package file

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

func serializeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.serialize",
		Doc: `Ensures that a file holds data, as YAML, JSON or what else the serializer writes.

With merge_if_exists what the file holds besides stays in it.`,
		Example: `
/etc/app/package.json:
  file.serialize:
    - serializer: json
    - dataset:
        name: app
        engine: node 18
`,
		New:     func() modules.StateFunc { return &Serialize{} },
		AnyArgs: true,
	}
}

// Serialize is file.serialize.
type Serialize struct {
	Name             Path         `arg:"name,required,path" doc:"The file."`
	Dataset          value.Value  `arg:"dataset,text" doc:"The data."`
	DatasetPillar    string       `arg:"dataset_pillar" doc:"The pillar path of the data."`
	Serializer       string       `arg:"serializer,fold" alias:"formatter" default:"yaml" choices:"configparser|json|msgpack|python|toml|yaml|yamlex" doc:"How it is written: yaml, json, ..."`
	SerializerOpts   *value.Dict  `arg:"serializer_opts,text" doc:"Options of the serializer, such as indent."`
	DeserializerOpts *value.Dict  `arg:"deserializer_opts,text" doc:"Options of reading the file, with merge_if_exists."`
	MergeIfExists    bool         `arg:"merge_if_exists" doc:"Merges the data into what the file holds."`
	User             Owner        `arg:"user,word" alias:"owner?" doc:"The owner."`
	Group            Owner        `arg:"group,word" doc:"The group."`
	Mode             modules.Mode `arg:"mode" doc:"The permissions."`
	Backup           string       `arg:"backup" doc:"Minion keeps a copy of the old file below the cache directory."`
	Makedirs         bool         `arg:"makedirs" doc:"Makes the directories above the file."`
	DirMode          modules.Mode `arg:"dir_mode" doc:"The permissions of directories that makedirs makes."`
	ShowChanges      bool         `arg:"show_changes" default:"true" doc:"Shows the diff."`
	Create           bool         `arg:"create" default:"true" doc:"Makes the file where there is none."`
	Encoding         string       `arg:"encoding" doc:"The encoding of the file; UTF-8."`
	EncodingErrors   string       `arg:"encoding_errors" default:"strict" choices:"strict|ignore|replace|xmlcharrefreplace|backslashreplace" doc:"What happens to characters that the encoding has not."`
}

// Validate wants data from one place.
func (s *Serialize) Validate() []modules.Fault {
	switch {
	case s.Dataset != nil && s.DatasetPillar != "":
		return []modules.Fault{{Arg: "dataset_pillar", Msg: "only one of 'dataset' and 'dataset_pillar' is permitted"}}
	case s.Dataset == nil && s.DatasetPillar == "":
		return []modules.Fault{{Arg: "dataset", Msg: "neither 'dataset' nor 'dataset_pillar' was defined"}}
	}
	return wrongEncoding(s.Encoding)
}

// Act makes the file what the data is written as.
func (s *Serialize) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	name := s.Name.String()
	if !s.Create && !isFile(h, name) {
		return state.Settled(fmt.Sprintf("File %s is not present and is not set for creation", name)), nil
	}
	data, was, err := s.data(ctx, env, h)
	same := was != nil && value.Repr(data) == value.Repr(was)
	if err != nil || same {
		return state.Settled(fmt.Sprintf("The file %s is in the correct state", name)), err
	}
	text, err := s.text(ctx, env, data)
	if err != nil {
		return state.Effect{}, err
	}
	raw, err := encode(text, s.Encoding, s.EncodingErrors)
	if err != nil {
		return state.Effect{}, err
	}
	m := &Managed{Name: s.Name, raw: &raw, User: s.User, Group: s.Group, Mode: s.Mode, Backup: s.Backup,
		Makedirs: s.Makedirs,
		DirMode:  s.DirMode, ShowChanges: s.ShowChanges, Create: true, Replace: true, FollowSymlinks: true}
	private := m.private(h, name)
	e, err := m.Act(ctx, env, h)
	e.Preview = ""
	if now, ok := data.(*value.Dict); ok && was != nil && err == nil && e.Alters() {
		diff := env.PrivateDiff(private, recursiveDiff(was, now))
		e.Changes.SetStr("diff", diff)
		if e.Foretold != nil {
			e.Foretold.SetStr("diff", diff)
		}
	}
	if e.Alters() {
		e.Preview = fmt.Sprintf("Dataset will be serialized and stored into %s", name)
	}
	return e, err
}

// data is what the file should hold; was is what it holds, where the data was merged into that.
func (s *Serialize) data(ctx context.Context, env *modules.Env,
	h host.Reader) (v value.Value, was *value.Dict, err error) {
	v = s.Dataset
	if s.DatasetPillar != "" {
		var ok bool
		if v, ok = env.Pillar(s.DatasetPillar); !ok {
			return nil, nil, fmt.Errorf("Neither 'dataset' nor 'dataset_pillar' was defined: pillar %s does not exist",
				s.DatasetPillar)
		}
	}
	if !s.MergeIfExists || !isFile(h, s.Name.String()) {
		return v, nil, nil
	}
	raw, err := h.ReadFile(s.Name.String())
	if err != nil {
		return nil, nil, err
	}
	old, err := s.call(ctx, env, "slsutil.deserialize", value.Str(raw), s.DeserializerOpts)
	if err != nil {
		return nil, nil, fmt.Errorf("Failed to deserialize existing data: %w", err)
	}
	if old == nil || old == value.Value(value.None) {
		return v, nil, nil
	}
	was, ok1 := old.(*value.Dict)
	now, ok2 := v.(*value.Dict)
	if !ok1 || !ok2 {
		return nil, nil, fmt.Errorf("Failed to merge: the file holds %s, the dataset is %s", modules.Describe(old),
			modules.Describe(v))
	}
	merged := value.DeepCopy(was).(*value.Dict)
	merge.Update(merged, now, true, false)
	return merged, was, nil
}

// recursiveDiff shows the keys of now that was has not, or has with another value, as far down as both have maps.
func recursiveDiff(was, now *value.Dict) *value.Dict {
	out := value.NewDict(2)
	for k, v := range now.All() {
		old, ok := was.Get(k)
		switch {
		case !ok:
			_ = out.Set(k, value.DictOf("new", v, "old", value.Str("<_null_>")))
		case value.Repr(old) != value.Repr(v):
			a, ok1 := old.(*value.Dict)
			b, ok2 := v.(*value.Dict)
			if ok1 && ok2 {
				_ = out.Set(k, recursiveDiff(a, b))
			} else {
				_ = out.Set(k, value.DictOf("new", v, "old", old))
			}
		}
	}
	return out
}

// call calls slsutil's serializer or deserializer.
func (s *Serialize) call(ctx context.Context, env *modules.Env, fn string, v value.Value,
	opts *value.Dict) (value.Value, error) {
	if env.Exec == nil || !env.Exec.Has(fn) {
		return nil, fmt.Errorf("The %s serializer could not be found. It either does not exist or its prerequisites are "+
			"not installed.", s.Serializer)
	}
	if opts == nil {
		opts = value.NewDict(0)
	}
	return env.Exec.Call(ctx, fn, []value.Value{value.Str(strings.ToLower(s.Serializer)), v}, opts)
}

// text is the data as the file has it: with Salt's options where no others are given, and an end of line.
func (s *Serialize) text(ctx context.Context, env *modules.Env, v value.Value) (string, error) {
	opts := value.NewDict(4)
	switch strings.ToLower(s.Serializer) {
	case "yaml":
		opts.SetStr("default_flow_style", value.Bool(false))
		if s.Encoding != "" {
			opts.SetStr("allow_unicode", value.Bool(true))
		}
	case "json":
		opts.SetStr("indent", value.Int(2))
		opts.SetStr("separators", value.NewTuple(value.Str(","), value.Str(": ")))
		opts.SetStr("sort_keys", value.Bool(true))
		if s.Encoding != "" {
			opts.SetStr("ensure_ascii", value.Bool(false))
		}
	}
	addAll(opts, s.SerializerOpts)
	out, err := s.call(ctx, env, "slsutil.serialize", v, opts)
	if err != nil {
		return "", err
	}
	return value.String(out) + "\n", nil // another one where the format ends in one, as in Salt
}
