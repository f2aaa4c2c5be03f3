package value

import "fmt"

// An Error is what Python would raise: the class of the exception and its text.
type Error struct {
	Class string // "TypeError", "KeyError", "UndefinedError", ...
	Msg   string
	// Missing is the undefined value that was used; nil for another error.
	Missing *Undefined
}

func (e *Error) Error() string { return e.Msg }

// Raise makes an Error of the class.
func Raise(class, format string, args ...any) error {
	return &Error{Class: class, Msg: fmt.Sprintf(format, args...)}
}
