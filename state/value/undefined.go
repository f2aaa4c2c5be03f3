package value

// Message is what Jinja says when the undefined value is used.
func (u *Undefined) Message() string {
	switch {
	case u.Cause != nil:
		return u.Cause.Error()
	case u.Hint != "":
		return u.Hint
	case u.Obj == "":
		return Repr(Str(u.Name)) + " is undefined"
	case u.Key != nil:
		return objectName(u.Obj) + " has no element " + Repr(u.Key)
	}
	return Repr(Str(objectName(u.Obj))) + " has no attribute " + Repr(Str(u.Name))
}

func objectName(typ string) string {
	if typ == "NoneType" || typ == "None" {
		return "None"
	}
	return typ + " object"
}

// Err is the UndefinedError of using it, or its cause.
func (u *Undefined) Err() error {
	if u.Cause != nil {
		return u.Cause
	}
	return &Error{Class: "UndefinedError", Msg: u.Message(), Missing: u}
}

// undefinedAmong is the UndefinedError of the first operand that is undefined, if one is.
func undefinedAmong(vs ...Value) error {
	for _, v := range vs {
		if u, ok := v.(*Undefined); ok {
			return u.Err()
		}
	}
	return nil
}

// text is str(v) where an undefined value is an error unless it is lenient.
func text(v Value) (string, error) {
	if u, ok := v.(*Undefined); ok {
		if u.Lenient {
			return "", nil
		}
		return "", u.Err()
	}
	return String(v), nil
}

func typeName(v Value) string {
	if v == nil {
		return "NoneType"
	}
	return v.TypeName()
}
