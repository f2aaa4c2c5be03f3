package diag

import "fmt"

// Count is a number of things as messages say it: "1 state", "3 states".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
