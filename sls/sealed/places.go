package sealed

import "strings"

// oneLine begins an age file on one line: ENC[AGE,BASE64].
const oneLine = "ENC[AGE,"

// frames are what stands around a cipher.
func (f Format) frames() [][2]string {
	if f == PGP {
		return [][2]string{{"-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----"}}
	}
	return [][2]string{{"-----BEGIN AGE ENCRYPTED FILE-----", "-----END AGE ENCRYPTED FILE-----"}, {oneLine, "]"}}
}

// places are where a text holds ciphers.
func (f Format) places(text string) (out [][2]int) {
	for at := 0; ; {
		from, to := -1, 0
		for _, frame := range f.frames() {
			i := strings.Index(text[at:], frame[0])
			if i < 0 || from >= 0 && at+i > from {
				continue
			}
			end := strings.Index(text[at+i:], frame[1])
			if end >= 0 {
				from, to = at+i, at+i+end+len(frame[1])
			}
		}
		if from < 0 {
			return out
		}
		out = append(out, [2]int{from, to})
		at = to
	}
}
