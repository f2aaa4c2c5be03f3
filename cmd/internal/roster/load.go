package roster

import "io"

// Load gives the hosts that a target means.
func Load(files []string, in io.Reader, target string) ([]*Host, error) {
	return []*Host{{ID: target}}, nil
}
