package secret

import "strings"

// Diff is Text of a unified diff: where a line that was added holds a secret, the lines of the hunk that were removed
// and begin alike hold the old one, which nobody knows.
func (s *Store) Diff(text string) string {
	if s.Empty() || !strings.Contains(text, "\n@@ ") {
		return s.Text(text)
	}
	lines := strings.SplitAfter(text, "\n")
	heads := map[string]bool{}
	for i, line := range lines {
		if strings.HasPrefix(line, "@@ ") {
			clear(heads)
			s.headsOf(lines[i+1:], heads)
		}
		if cut := headOf(line, heads); cut > 0 {
			lines[i] = line[:cut] + Shown + "\n"
		}
	}
	return s.Text(strings.Join(lines, ""))
}

// headsOf notes what stands before the secret in each added line of a hunk.
func (s *Store) headsOf(lines []string, heads map[string]bool) {
	for _, line := range lines {
		if strings.HasPrefix(line, "@@ ") {
			return
		}
		if !strings.HasPrefix(line, "+") {
			continue
		}
		if spans := s.spansOf(line[1:]); len(spans) > 0 && strings.TrimSpace(line[1:1+spans[0].from]) != "" {
			heads[line[1:1+spans[0].from]] = true
		}
	}
}

// headOf is the length up to which a removed line begins as one of the heads says, 0 where it does not.
func headOf(line string, heads map[string]bool) int {
	if !strings.HasPrefix(line, "-") {
		return 0
	}
	for head := range heads {
		if strings.HasPrefix(line[1:], head) {
			return 1 + len(head)
		}
	}
	return 0
}
