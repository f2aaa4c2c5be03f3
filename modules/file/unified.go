package file

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
)

// A filePatch is what a unified diff changes of one file. A name is "" for /dev/null.
type filePatch struct {
	old, new string
	head     string // its two lines
	hunks    []hunk
}

// A hunk replaces lines, which keep their ends, near a line that counts from 1.
type hunk struct {
	at       int
	old, new []string
	text     string // as the patch has it
}

// parseUnified reads a unified diff.
func parseUnified(text string) ([]filePatch, error) {
	head := regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s)
		return min(n, 1<<30) // no file has more lines, and counting on from there fits an int of 32 bits
	}
	var out []filePatch
	lines := modules.SplitKeep(text)
	for i := 0; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ") {
			out = append(out, filePatch{old: patchName(lines[i][4:]), new: patchName(lines[i+1][4:]),
				head: lines[i] + lines[i+1]})
			i++
			continue
		}
		m := head.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("line %d of the patch: a hunk without a file before it", i+1)
		}
		h := hunk{at: number(m[1])}
		begin := i + 1
		for olds, news := number(m[2]), number(m[4]); olds > 0 || news > 0; {
			if i++; i >= len(lines) {
				return nil, fmt.Errorf("line %d of the patch: the hunk has no end", begin)
			}
			l := lines[i]
			switch {
			case l[0] == ' ' || l[0] == '\n':
				l = strings.TrimPrefix(l, " ")
				h.old, h.new = append(h.old, l), append(h.new, l)
				olds, news = olds-1, news-1
			case l[0] == '-':
				h.old = append(h.old, l[1:])
				olds--
			case l[0] == '+':
				h.new = append(h.new, l[1:])
				news--
			case l[0] == '\\':
				h.endless(lines[i-1][0])
			default:
				return nil, fmt.Errorf("line %d of the patch is no line of a hunk", i+1)
			}
		}
		if i+1 < len(lines) && lines[i+1][0] == '\\' {
			h.endless(lines[i][0])
			i++
		}
		h.text = strings.Join(lines[begin-1:i+1], "")
		last := &out[len(out)-1]
		last.hunks = append(last.hunks, h)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("it is no unified diff")
	}
	return out, nil
}

// endless takes the end of the line from the last line of a side.
func (h *hunk) endless(side byte) {
	cut := func(l []string) {
		if len(l) > 0 {
			l[len(l)-1] = strings.TrimSuffix(l[len(l)-1], "\n")
		}
	}
	if side != '+' {
		cut(h.old)
	}
	if side != '-' {
		cut(h.new)
	}
}

// patchName is the name in a header, without the time behind it.
func patchName(s string) string {
	name, _, _ := strings.Cut(strings.TrimRight(s, "\r\n"), "\t")
	if name = strings.TrimSpace(name); name == "/dev/null" {
		return ""
	}
	return name
}

// target is the name of the file below the directory, without the first strip parts.
func (p filePatch) target(strip int) (string, error) {
	name := p.new
	if name == "" {
		name = p.old
	}
	parts := strings.Split(name, "/")
	if strip >= len(parts) {
		return "", fmt.Errorf("%s has no %d directories to strip", name, strip)
	}
	name = strings.Join(parts[strip:], "/")
	if path.IsAbs(name) || name == "" || slices.Contains(strings.Split(name, "/"), "..") {
		return "", fmt.Errorf("%s leads out of the directory", name)
	}
	return name, nil
}

func (p filePatch) reversed() filePatch {
	r := filePatch{old: p.new, new: p.old}
	shift := 0
	for _, h := range p.hunks {
		at := h.at + shift
		if len(h.new) == 0 {
			at-- // a side without lines names the line before it
		} else if len(h.old) == 0 {
			at++
		}
		r.hunks = append(r.hunks, hunk{at: at, old: h.new, new: h.old})
		shift += len(h.new) - len(h.old)
	}
	return r
}

// apply changes a text: each hunk at its line, or where its lines are found nearest to it. Salt differs: patch(1) also
// takes lines that are only nearly those of the hunk.
func (p filePatch) apply(text string) (string, error) {
	lines := modules.SplitKeep(text)
	shift, from := 0, 0
	var bad rejects
	for n, h := range p.hunks {
		at := h.at - 1 + shift
		if len(h.old) == 0 {
			at++ // lines are added behind the line that is named
		}
		i := nearest(lines, h.old, at, from)
		if i < 0 {
			bad.said = append(bad.said, fmt.Sprintf("Hunk #%d FAILED at %d.", n+1, h.at))
			bad.text += h.text
			continue
		}
		lines = slices.Replace(lines, i, i+len(h.old), h.new...)
		from = i + len(h.new)
		shift += i - at + len(h.new) - len(h.old)
	}
	if bad.said != nil {
		bad.text = p.head + bad.text
		return "", bad
	}
	return strings.Join(lines, ""), nil
}

// rejects are the hunks that cannot be applied.
type rejects struct {
	said []string
	text string // as a patch of their own
}

func (r rejects) Error() string { return strings.Join(r.said, " ") }

// applied says whether the text is what the patch makes. Where a hunk leaves no line to tell it by, it is not if the
// patch can still be applied.
func (p filePatch) applied(text string) bool {
	if slices.ContainsFunc(p.hunks, func(h hunk) bool { return len(h.new) == 0 }) {
		if _, err := p.apply(text); err == nil {
			return false
		}
	}
	_, err := p.reversed().apply(text)
	return err == nil
}

// nearest is where the lines are found nearest to a place, not before from; -1 when they are not.
func nearest(lines, want []string, at, from int) int {
	for d := 0; d <= len(lines); d++ {
		for _, i := range []int{at - d, at + d} {
			if i >= from && i+len(want) <= len(lines) && slices.Equal(lines[i:i+len(want)], want) {
				return i
			}
		}
	}
	return -1
}
