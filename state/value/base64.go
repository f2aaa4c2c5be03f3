package value

// DecodeBase64 is Python's base64.b64decode: what is no digit of base64 is passed over, and what follows the padding
// ignored.
func DecodeBase64(s string) ([]byte, error) {
	out := make([]byte, 0, len(s)/4*3)
	at, pads := 0, 0 // the place within four digits
	var left byte
	for i := range len(s) {
		if s[i] == '=' {
			if pads++; at >= 2 && at+pads >= 4 {
				return out, nil
			}
			continue
		}
		d, ok := digit64(s[i])
		if !ok {
			continue
		}
		pads = 0
		switch at {
		case 1:
			out = append(out, left<<2|d>>4)
		case 2:
			out = append(out, left<<4|d>>2)
		case 3:
			out = append(out, left<<6|d)
		}
		at, left = (at+1)%4, d
	}
	switch at {
	case 0:
		return out, nil
	case 1:
		return nil, Raise("Error", "Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a "+
			"multiple of 4", len(out)/3*4+1)
	}
	return nil, Raise("Error", "Incorrect padding")
}

func digit64(c byte) (byte, bool) {
	switch {
	case c >= 'A' && c <= 'Z':
		return c - 'A', true
	case c >= 'a' && c <= 'z':
		return c - 'a' + 26, true
	case c >= '0' && c <= '9':
		return c - '0' + 52, true
	case c == '+':
		return 62, true
	case c == '/':
		return 63, true
	}
	return 0, false
}
