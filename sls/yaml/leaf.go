package yaml

import (
	"bytes"
	"strings"

	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/value"
)

const quoted = yamlv3.DoubleQuotedStyle | yamlv3.SingleQuotedStyle | yamlv3.LiteralStyle | yamlv3.FoldedStyle

// tagOf is the tag of a scalar node: as written, else text when it is quoted, else as YAML 1.1 resolves it.
func (c *constructor) tagOf(n *yamlv3.Node) string {
	switch {
	case n.Kind != yamlv3.ScalarNode:
		return n.Tag
	case n.Style&yamlv3.TaggedStyle != 0:
		return n.Tag
	case n.Style&quoted != 0 && !c.hasBang(n), n.Value == "" && n.Style&quoted == 0 && c.hasBang(n):
		return tagStr
	}
	return resolve(n.Value)
}

func hasMerge(text []byte) bool { return bytes.Contains(text, []byte("<<")) }

// scalar is the value of a scalar node.
func (c *constructor) scalar(n *yamlv3.Node) (value.Value, error) {
	tag := c.tagOf(n)
	if c.flow > 0 && n.Style&quoted == 0 && (strings.HasSuffix(n.Value, ":") || strings.Contains(n.Value, ":?")) {
		return nil, c.errorf(n, "found unexpected ':'").WithHint("put a space behind the colon, or quotes around the text")
	}
	switch tag {
	case tagStr, tagTimestamp, "!!python/unicode":
		return c.text(n)
	case tagNull:
		return value.None, nil
	case tagBool:
		switch strings.ToLower(n.Value) {
		case "yes", "true", "on":
			return value.Bool(true), nil
		case "no", "false", "off":
			return value.Bool(false), nil
		}
		return nil, c.errorf(n, "'%s' is no boolean", n.Value).WithHint("use true or false")
	case tagInt:
		if v, ok := parseInt(n.Value); ok {
			return v, nil
		}
		return nil, c.errorf(n, "invalid literal for an integer: '%s'",
			n.Value).WithHint("put quotes around it to have it as text")
	case tagFloat:
		if v, ok := parseFloat(n.Value); ok {
			return v, nil
		}
		return nil, c.errorf(n, "could not convert to float: '%s'",
			n.Value).WithHint("put quotes around it to have it as text")
	case "!!binary":
		return c.binary(n)
	case "!!map", "!!set":
		return nil, c.errorf(n, "expected a mapping node, but found scalar")
	case "!!seq", "!!omap", "!!pairs":
		return nil, c.errorf(n, "expected a sequence node, but found scalar")
	}
	return nil, c.unknownTag(n, tag)
}

// intern gives short text as one value each time: keys and module names recur thousands of times.
func (c *constructor) intern(s string) value.Value {
	if len(s) > 32 {
		return value.Str(s)
	}
	if v, ok := c.strings[s]; ok {
		return v
	}
	v := value.Value(value.Str(s))
	if len(c.strings) < 4096 {
		c.strings[s] = v
	}
	return v
}

func (c *constructor) binary(n *yamlv3.Node) (value.Value, error) {
	for _, r := range n.Value {
		if r >= 0x80 {
			return nil, c.errorf(n, "failed to convert base64 data into ascii")
		}
	}
	b, err := value.DecodeBase64(n.Value)
	if err != nil {
		return nil, c.errorf(n, "failed to decode base64 data: incorrect padding").WithHint("!!binary takes base64, padded " +
			"with =")
	}
	return value.Bytes(b), nil
}
