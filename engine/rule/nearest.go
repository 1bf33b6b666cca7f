package rule

// Nearest returns the valid name with the fewest edits from name, the first of
// several, or "" if none is near. In a short name one edit is all that can be a
// slip: "san" is not meant for "str".
func Nearest(name string, valid []string) string {
	letters := []rune(name)
	if len(letters) > longestValue {
		return "" // Comparing takes time, and no name of ours is longer.
	}
	most := len(letters)/3 + 1
	if len(letters) <= 4 {
		most = 1
	}
	best, fewest := "", most+1
	for _, v := range valid {
		other := []rune(v)
		if len(other) > longestValue {
			continue
		}
		if n := Edits(letters, other); n < fewest {
			best, fewest = v, n
		}
	}
	return best
}

// Edits counts the letters to insert, to delete, to replace or to swap with the
// next one to get from a to b. It takes time in proportion to both lengths
// multiplied: whoever passes what somebody sent bounds it first.
func Edits(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
