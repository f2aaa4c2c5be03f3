package value

// FormatPercent is Python's format % arg.
func FormatPercent(format string, arg Value) (Value, error) {
	return nil, Raise("NotImplementedError", "%% is not there yet")
}
