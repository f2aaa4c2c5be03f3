package jinja

import "github.com/gostate/gostate/state/value"

// Kind is the kind of a token. Its text is Jinja's name for it.
type Kind uint8

// The kinds of tokens that a parser sees.
const (
	EOF Kind = iota
	Data
	BlockBegin
	BlockEnd
	VariableBegin
	VariableEnd
	Name
	String
	Integer
	Float
	Add
	Assign
	Colon
	Comma
	Div
	Dot
	Eq
	FloorDiv
	Gt
	GtEq
	LBrace
	LBracket
	LParen
	Lt
	LtEq
	Mod
	Mul
	Ne
	Pipe
	Pow
	RBrace
	RBracket
	RParen
	Semicolon
	Sub
	Tilde
	broken // the lexer failed here; err of the stream says how
)

// kindWords are what messages call the kinds.
var kindWords = [...]string{
	EOF: "end of template", Data: "template data / text", BlockBegin: "begin of statement block",
	BlockEnd: "end of statement block", VariableBegin: "begin of print statement", VariableEnd: "end of print statement",
	Name: "name", String: "string", Integer: "integer", Float: "float",
	Add: "+", Assign: "=", Colon: ":", Comma: ",", Div: "/", Dot: ".", Eq: "==", FloorDiv: "//", Gt: ">", GtEq: ">=",
	LBrace: "{", LBracket: "[", LParen: "(", Lt: "<", LtEq: "<=", Mod: "%", Mul: "*", Ne: "!=", Pipe: "|", Pow: "**",
	RBrace: "}", RBracket: "]", RParen: ")", Semicolon: ";", Sub: "-", Tilde: "~", broken: "error",
}

// String is what messages call the kind.
func (k Kind) String() string { return kindWords[k] }

// A Token is one word of a template.
type Token struct {
	Kind Kind
	Line int
	Text string      // name, text of a string, template data
	Num  value.Value // of Integer and Float
	pos  int         // byte offset in the normalised source, for the column
}

// describe is how messages name the token.
func (t Token) describe() string {
	if t.Kind == Name {
		return t.Text
	}
	return t.Kind.String()
}

// operator finds the longest operator at the start of s.
func operator(s string) (Kind, int) {
	if len(s) >= 2 {
		switch s[:2] {
		case "//":
			return FloorDiv, 2
		case "**":
			return Pow, 2
		case "==":
			return Eq, 2
		case "!=":
			return Ne, 2
		case ">=":
			return GtEq, 2
		case "<=":
			return LtEq, 2
		}
	}
	switch s[0] {
	case '+':
		return Add, 1
	case '-':
		return Sub, 1
	case '/':
		return Div, 1
	case '*':
		return Mul, 1
	case '%':
		return Mod, 1
	case '~':
		return Tilde, 1
	case '[':
		return LBracket, 1
	case ']':
		return RBracket, 1
	case '(':
		return LParen, 1
	case ')':
		return RParen, 1
	case '{':
		return LBrace, 1
	case '}':
		return RBrace, 1
	case '>':
		return Gt, 1
	case '<':
		return Lt, 1
	case '=':
		return Assign, 1
	case '.':
		return Dot, 1
	case ':':
		return Colon, 1
	case '|':
		return Pipe, 1
	case ',':
		return Comma, 1
	case ';':
		return Semicolon, 1
	}
	return EOF, 0
}
