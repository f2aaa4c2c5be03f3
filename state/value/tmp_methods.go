package value

import "context"

type args struct {
	ctx       context.Context
	typ, name string
	pos       []Value
	kw        *Dict
}

func strMethod(n string) method   { return nil }
func dictMethod(n string) method  { return nil }
func listMethod(n string) method  { return nil }
func tupleMethod(n string) method { return nil }
func setMethod(n string) method   { return nil }
func intMethod(n string) method   { return nil }
func floatMethod(n string) method { return nil }
func bytesMethod(n string) method { return nil }
func rangeMethod(n string) method { return nil }
func viewMethod(n string) method  { return nil }
