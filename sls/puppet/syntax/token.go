package syntax

// A kind is the sort of a token. Punctuation and keywords are their own text.
type kind string

const (
	tEOF      kind = "end of input"
	tName     kind = "NAME"     // a::b
	tWord     kind = "WORD"     // a-b, _x
	tRef      kind = "CLASSREF" // A::B
	tVariable kind = "VARIABLE" // text without $
	tNumber   kind = "NUMBER"
	tString   kind = "STRING" // parts tell what it is made of
	tRegex    kind = "REGEX"
	tList     kind = "[ list" // a [ behind white space: the start of a list, not of an access
	tParen    kind = "( line" // a ( that begins a line: no call
	tSelect   kind = "? {"    // the { of a selector
	tText     kind = "TEXT"   // the text of an EPP template
	tPrint    kind = "<%="    // what it prints follows
)

// keywords are reserved words. As attribute names and in front of => they are names.
func isKeyword(text string) bool {
	switch text {
	case "and", "application", "attr", "case", "class", "consumes", "default", "define", "else", "elsif", "environment",
		"false", "function", "if", "import", "in", "inherits", "node", "or", "plan", "private", "produces", "site", "true",
		"type", "undef", "unless":
		return true
	}
	return false
}

// A token is one word of a file.
type token struct {
	kind  kind
	text  string // as written, or what it means for strings and variables
	pos   Pos
	parts []part
	// syntax is what a heredoc says that its text is: @(END:json).
	syntax string
}

// A part is a piece of an interpolated string: text, or the tokens of an expression.
type part struct {
	text   string
	tokens []token // nil for text
	pos    Pos
}

// String is how a token is named in a syntax error.
func (t *token) String() string {
	switch t.kind {
	case tEOF:
		return "end of input"
	case tVariable:
		return "'$" + t.text + "'"
	}
	return "'" + t.text + "'"
}
