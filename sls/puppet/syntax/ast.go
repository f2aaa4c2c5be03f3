package syntax

// A Node is an expression, a statement or a definition, with its place.
type Node interface{ At() Pos }

// At is the place where the node begins, as Puppet counts: for a binary expression that of its left side.
func (p Pos) At() Pos { return p }

type (
	// Literal is a value as it stands: nil (undef), bool, int64, float64 or string. Quoted tells 'a' from a.
	Literal struct {
		Pos
		Val    any
		Quoted bool
	}
	// Default is the word default.
	Default struct{ Pos }
	// Interp is a string with expressions between texts.
	Interp struct {
		Pos
		Parts  []Node
		Syntax string // of a heredoc
	}
	// Regex is /source/.
	Regex struct {
		Pos
		Source string
	}
	// Name is a bare word: a string, or what is called.
	Name struct {
		Pos
		Text string
	}
	// TypeName is A::B.
	TypeName struct {
		Pos
		Text string
	}
	// Variable is $name.
	Variable struct {
		Pos
		Name string
	}
	// List is [a, b].
	List struct {
		Pos
		Items []Node
	}
	// Hash is {a => b}.
	Hash struct {
		Pos
		Entries []HashEntry
	}
	// HashEntry is a => b.
	HashEntry struct{ Key, Val Node }
	// Splat is *a.
	Splat struct {
		Pos
		Of Node
	}
	// Access is a[b, c].
	Access struct {
		Pos
		Of   Node
		Keys []Node
	}
	// Call is f(a), a.f(b) or the statement f a. Of a method call the receiver is the first argument.
	Call struct {
		Pos
		Of     Node // what is called
		Args   []Node
		Lambda *Lambda
		Method bool
	}
	// Lambda is |$a| { ... }.
	Lambda struct {
		Pos
		Params  []*Param
		Returns Node
		Body    []Node
	}
	// Param is a parameter of a lambda, a function, a class or a define.
	Param struct {
		Pos
		Name    string
		Type    Node // nil for any
		Default Node // nil for none
		Rest    bool // *$name
	}
	// Unary is -a or !a.
	Unary struct {
		Pos
		Op string
		Of Node
	}
	// Binary is a op b; and, or, in and the matches are among them.
	Binary struct {
		Pos
		Op   string
		L, R Node
		OpAt Pos
	}
	// Assign is a = b; a is a variable, or a list or hash of them.
	Assign struct {
		Pos
		Op   string
		L, R Node
	}
	// Selector is a ? { b => c }.
	Selector struct {
		Pos
		Of      Node
		Options []HashEntry
	}
	// If is if, elsif and unless.
	If struct {
		Pos
		Cond       Node
		Not        bool // unless
		Then, Else []Node
	}
	// Case is case a { b: { } }.
	Case struct {
		Pos
		Of      Node
		Options []CaseOption
	}
	// CaseOption is one of its branches.
	CaseOption struct {
		Pos
		Values []Node
		Body   []Node
	}
	// Block is several statements.
	Block struct {
		Pos
		Body []Node
	}
	// Resource is type { title: a => b }.
	Resource struct {
		Pos
		Type   Node
		Form   string // "", "@" virtual, "@@" exported
		Bodies []ResourceBody
	}
	// ResourceBody is title: a => b.
	ResourceBody struct {
		Pos
		Title Node
		Ops   []Attribute
	}
	// Attribute is a => b, a +> b or * => b.
	Attribute struct {
		Pos
		Name string // "*" for a splat
		Op   string
		Val  Node
	}
	// Override is Type['title'] { a => b } or the defaults Type { a => b }.
	Override struct {
		Pos
		Of  Node
		Ops []Attribute
	}
	// Collector is Type <| query |> { a => b }.
	Collector struct {
		Pos
		Type     Node
		Exported bool
		Query    Node // nil for all
		Ops      []Attribute
	}
	// Relation is a -> b and its like.
	Relation struct {
		Pos
		Op   string
		L, R Node
		OpAt Pos
	}
	// Class is a class, or with Define a defined type.
	Class struct {
		Pos
		Name   string
		Define bool
		Params []*Param
		Parent string
		Body   []Node
	}
	// NodeDef is node 'a', /b/ { }.
	NodeDef struct {
		Pos
		Matches []Node // Literal (string), Regex or Default
		Parent  Node
		Body    []Node
	}
	// Function is a function written in the language.
	Function struct {
		Pos
		Name    string
		Params  []*Param
		Returns Node
		Body    []Node
	}
	// TypeAlias is type A = B.
	TypeAlias struct {
		Pos
		Name string
		Type Node
	}
	// Print is <%= a %> or a text of a template.
	Print struct {
		Pos
		Of Node
	}
	// Reserved is a word that is none here: plan, application, site.
	Reserved struct {
		Pos
		Word string
	}
)

// A File is a manifest or a template that was read.
type File struct {
	Path string
	Body []Node
	// Params are those of a template: <%- | $a | -%>.
	Params []*Param
	// HasParams says that a template says its parameters, even if none.
	HasParams bool
}
