package file

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func decodeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.decode",
		Doc:  `Ensures that a file has the content that a base64 text stands for.`,
		Example: `
/tmp/new_file:
  file.decode:
    - encoding_type: base64
    - encoded_data: Z2V0IHNhbHRlZAo=
`,
		New: func() modules.StateFunc { return &Decode{} },
	}
}

// Decode is file.decode.
type Decode struct {
	Name           Path   `arg:"name,required,path" doc:"The file."`
	EncodedData    string `arg:"encoded_data,text" doc:"The text."`
	ContentsPillar string `arg:"contents_pillar" doc:"The pillar path of the text."`
	EncodingType   string `arg:"encoding_type" default:"base64" choices:"base64" doc:"How it is encoded."`
	Checksum       string `arg:"checksum" default:"md5" choices:"md5|sha1|sha224|sha256|sha384|sha512" doc:"The hash that changes are shown with."`
}

// Validate wants one text.
func (d *Decode) Validate() []modules.Fault {
	switch {
	case d.EncodedData == "" && d.ContentsPillar == "":
		return []modules.Fault{{Arg: "encoded_data", Msg: "specify either the 'encoded_data' or 'contents_pillar' argument"}}
	case d.EncodedData != "" && d.ContentsPillar != "":
		return []modules.Fault{{Arg: "encoded_data", Msg: "specify only one of 'encoded_data' and 'contents_pillar'"}}
	}
	return nil
}

// Act writes the decoded data.
func (d *Decode) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	text := d.EncodedData
	if d.ContentsPillar != "" {
		v, ok := env.Pillar(d.ContentsPillar)
		if !ok {
			return state.Effect{}, fmt.Errorf("Pillar data not found.")
		}
		text = value.String(v)
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return state.Effect{}, fmt.Errorf("the data of file.decode is no base64: %w", err)
	}
	name, err := h.Follow(d.Name.String())
	if err != nil {
		return state.Effect{}, err
	}
	sum, err := hashBytes(data, d.Checksum)
	if err != nil {
		return state.Effect{}, err
	}
	old := value.Value(value.None)
	if isFile(h, name) {
		was, err := hashFile(h, name, d.Checksum)
		switch {
		case err != nil:
			return state.Effect{}, err
		case was == sum:
			return state.Settled("File is in the correct state."), nil
		}
		old = value.Str(was)
	}
	e := state.NewEffect()
	if err := h.WriteFile(name, newReader(data), host.KeepAttr()); err != nil {
		return e, err
	}
	e.Changes.SetStr("old", old)
	e.Changes.SetStr("new", value.Str(sum))
	e.Comment, e.Preview = "File was updated.", "File is set to be updated."
	return e, nil
}
