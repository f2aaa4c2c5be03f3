package diag

import "slices"

// Nearest is the name among the known ones that the user most likely meant, "" when none is near: within a third of
// the word's length in edits (a swap of neighbours is one edit). Ties go to the first in sorted order.
func Nearest(word string, known []string) string {
	return NearestWithin(word, known, max(1, (len([]rune(word))+1)/3))
}

// NearestWithin is Nearest with so many edits at most.
func NearestWithin(word string, known []string, edits int) string {
	known = slices.Clone(known)
	slices.Sort(known)
	best, limit := "", edits+1
	for _, k := range known {
		if k == word {
			continue
		}
		if d := distance([]rune(word), []rune(k), limit); d < limit {
			best, limit = k, d
		}
	}
	return best
}

// distance is the optimal string alignment distance, or limit when it is not below it.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}
