package modules

import (
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
)

// NeedScripts notes the files that a command line reads for certain, by absolute path: the command itself and what
// follows ;, &&, || and |; the script of an interpreter; what . and < read; where cd goes. Other words are nobody's
// guess: what `openssl req -out /etc/key` names is made by the command, not given to it. made are paths that the
// command makes.
func NeedScripts(r *state.Relations, command string, made ...string) {
	if strings.IndexByte(command, '/') < 0 {
		return
	}
	s := scripts{rel: r, seen: made, next: roleCommand}
	for t := range shellWords(command) {
		if t == "<<" { // what follows is text
			return
		}
		s.take(t)
	}
}

// scripts reads the words of a command line.
type scripts struct {
	rel  *state.Relations
	seen []string // words that came before and may be written to
	next role
}

// A role is what the next word of a command line is.
type role uint8

const (
	roleCommand role = iota
	roleWrapped      // the command that env or nohup starts, after its options
	roleScript       // the script of an interpreter, after its options
	roleFile         // a file that is read
	roleFolder       // where cd goes
	roleOutput       // a file that is written
	roleOther
)

func (s *scripts) take(word string) {
	was := s.next
	switch {
	case word == "<":
		s.next = roleFile
		return
	case strings.HasPrefix(word, ">"):
		s.next = roleOutput
		return
	case strings.Trim(word, ";&|()\n") == "":
		s.next = roleCommand
		return
	}
	s.next = roleOther
	switch was {
	case roleCommand, roleWrapped:
		s.command(word, was)
	case roleScript:
		s.script(word)
	case roleFile:
		s.need(state.TieGiven, word)
	case roleFolder:
		s.need(state.TieCwd, word)
	}
	s.seen = append(s.seen, word)
}

// command takes the word that is, or leads to, the name of a command.
func (s *scripts) command(word string, was role) {
	name, _, assigns := strings.Cut(word, "=")
	switch base := path.Base(word); {
	case assigns && !strings.Contains(name, "/"), was == roleWrapped && word[0] == '-':
		s.next = was
	case slices.Contains([]string{"!", "{", "if", "then", "else", "elif", "while", "until", "do", "time"}, word):
		s.next = roleCommand
	case slices.Contains([]string{"exec", "env", "nohup", "command", "nice"}, base):
		s.next = roleWrapped
	case word == "." || word == "source":
		s.next = roleFile
	case word == "cd":
		s.next = roleFolder
	case isInterpreter(base):
		s.next = roleScript
	}
	s.need(state.TieScript, word)
}

// script takes a word behind an interpreter: an option, which may hold the program itself, or the script.
func (s *scripts) script(word string) {
	if word[0] != '-' {
		s.need(state.TieScript, word)
	} else if !strings.ContainsAny(word, "cem") {
		s.next = roleScript
	}
}

func isInterpreter(base string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash", "perl", "ruby", "node", "php"}, base) ||
		strings.HasPrefix(base, "python")
}

// need notes a path that is one as it stands, unless the command itself may have made it.
func (s *scripts) need(tie state.Tie, word string) {
	if strings.HasPrefix(word, "/") && !strings.ContainsAny(word, "$*?[`{") && !slices.Contains(s.seen, word) {
		s.rel.Need(tie, word)
	}
}

// shellWords are the words and operators of a command line, quotes and comments taken off: not all that a shell knows,
// but where its commands begin.
func shellWords(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			var word string
			if word, text = shellWord(text); word != "" && !yield(word) {
				return
			}
		}
	}
}

const operators = ";&|()<>\n"

// shellWord cuts the first word or operator off, "" for a space or a comment.
func shellWord(text string) (word, rest string) {
	switch c := text[0]; {
	case c == '#':
		return "", text[strings.IndexByte(text+"\n", '\n'):]
	case strings.IndexByte(" \t\r", c) >= 0:
		return "", text[1:]
	case strings.IndexByte(operators, c) >= 0:
		n := 1
		for n < len(text) && text[n] == c && c != '\n' {
			n++
		}
		return text[:n], text[n:]
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if i++; text[i] != '\n' {
				b.WriteByte(text[i])
			}
		case c == '\'' || c == '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return b.String() + text[i:], ""
			}
			b.WriteString(text[i+1 : i+1+end])
			i += end + 1
		case strings.IndexByte(" \t\r"+operators, c) >= 0:
			return b.String(), text[i:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
