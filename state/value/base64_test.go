package value

import "testing"

// TestDecodeBase64 has CPython's answers.
func TestDecodeBase64(t *testing.T) {
	for text, want := range map[string]string{
		"YQ==": "a", "Y W\nI=": "ab", "YWJj": "abc", "": "", "=": "", "====": "", "YQ==x": "a", "YQ==YQ==": "a", "YQ===": "a",
		"YQ=\n=":    "a",
		"YWJj=ZGVm": "abcdef", "10.0.0.0/24": "\xd7M4\xd3\xfd\xb8", "foo_bar-baz qux": "~\x8a\x1bj\xb6\xda\xce\xab\xb1",
		"äö日": "",
		"YQ":  "Incorrect padding", "YQ=": "Incorrect padding", "Y=Q=": "Incorrect padding", "=YQ=": "Incorrect padding",
		"abc":   "Incorrect padding",
		"a":     "Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4",
		"abcde": "Invalid base64-encoded string: number of data characters (5) cannot be 1 more than a multiple of 4",
	} {
		got, err := DecodeBase64(text)
		if err != nil {
			got = []byte(err.(*Error).Msg)
		}
		if string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
