package history

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// appendState appends the line of a state. A report of a run that changes nothing is mostly made here, where
// encoding/json would take three times as long. What earlier runs are searched for comes first: see appendKey.
func appendState(b []byte, s *State) []byte {
	b = appendKey(b, s)
	b = appendText(b, `,"hash":`, s.Hash)
	b = strconv.AppendInt(append(b, `,"n":`...), int64(s.N), 10)
	b = appendTexts(b, s)
	if s.Noop {
		b = append(b, `,"noop":true`...)
	}
	if s.Corrected > 0 {
		b = strconv.AppendInt(append(b, `,"corrected":`...), int64(s.Corrected), 10)
	}
	b = strconv.AppendInt(append(b, `,"start":`...), s.Start, 10)
	b = strconv.AppendInt(append(b, `,"took":`...), s.Took, 10)
	for i := range s.Requires {
		if b = append(b, ','); i == 0 {
			b = append(b, `"requires":[`...)
		}
		b = appendEdge(b, &s.Requires[i])
	}
	if len(s.Requires) > 0 {
		b = append(b, ']')
	}
	b = appendRest(b, s)
	return append(b, "}\n"...)
}

// appendKey is how the line of a state begins: with what names it in every run.
func appendKey(b []byte, s *State) []byte {
	b = appendText(b, `{"fun":`, s.Fun)
	b = appendText(b, `,"id":`, s.ID)
	if s.Name != s.ID {
		b = appendText(b, `,"name":`, s.Name)
	}
	return b
}

func appendTexts(b []byte, s *State) []byte {
	b = appendIf(b, `,"sls":`, s.SLS)
	b = appendIf(b, `,"pos":`, s.Pos)
	if s.Line > 0 && s.Pos != "" {
		b = strconv.AppendInt(append(b[:len(b)-1], ':'), int64(s.Line), 10)
		b = append(strconv.AppendInt(append(b, ':'), int64(s.Col), 10), '"')
	}
	b = appendIf(b, `,"result":`, s.Result)
	b = appendIf(b, `,"how":`, s.How)
	return appendIf(b, `,"class":`, s.Class)
}

// appendIf appends a key and a text, unless that is empty.
func appendIf(b []byte, key, text string) []byte {
	if text == "" {
		return b
	}
	return appendText(b, key, text)
}

func appendEdge(b []byte, e *Edge) []byte {
	b = appendText(b, `{"kind":`, e.Kind)
	if e.Set != nil {
		b = strconv.AppendInt(append(b, `,"set":`...), int64(*e.Set), 10)
	} else {
		b = appendInts(append(b, `,"to":`...), e.To)
	}
	return append(b, '}')
}

func appendInts(b []byte, list []int) []byte {
	b = append(b, '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, ']')
}

// appendRest appends what states seldom have.
func appendRest(b []byte, s *State) []byte {
	if s.Comment != "" {
		b = appendText(b, `,"comment":`, s.Comment)
	}
	if s.Changes.Value == nil && len(s.Properties)+len(s.Warnings)+len(s.Because) == 0 && s.Cause == nil {
		return b // as in nearly all states; what follows allocates
	}
	for _, f := range [...]struct {
		key  string
		has  bool
		what any
	}{{`,"changes":`, s.Changed(), s.Changes}, {`,"properties":`, len(s.Properties) > 0, s.Properties},
		{`,"warnings":`, len(s.Warnings) > 0, s.Warnings},
		{`,"because":`, len(s.Because) > 0, s.Because}, {`,"cause":`, s.Cause != nil, s.Cause}} {
		if f.has {
			b = appendAny(append(b, f.key...), f.what)
		}
	}
	return b
}

// appendAny appends what needs no speed. What cannot be written is null.
func appendAny(b []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}

// appendText appends a key and a text. What encoding/json would write otherwise is left to it.
func appendText(b []byte, key, text string) []byte {
	const low = (1<<32 - 1) << 32 &^ (1<<'"' | 1<<'<' | 1<<'>' | 1<<'&') // the bits of what stands as it is, below 64
	b = append(b, key...)
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c < 64 && uint64(low)>>c&1 == 0 || c == '\\' {
			return appendAny(b, text)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}
